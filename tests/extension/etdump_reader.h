// SPDX-License-Identifier: BSD-3-Clause
//
// Reads an ETDump by the FlatBuffers library of the system, by the field numbers of the schema, and checks that every
// table, vector and text in it is sound.
#pragma once

#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace etdump_reader {

using flatbuffers::Table;

constexpr flatbuffers::voffset_t slot(int field) { return static_cast<flatbuffers::voffset_t>(4 + 2 * field); }

inline const Table* child(const Table* table, int field) { return table->GetPointer<const Table*>(slot(field)); }

using Tables = flatbuffers::Vector<flatbuffers::Offset<Table>>;
inline std::vector<const Table*> children(const Table* table, int field) {
  std::vector<const Table*> result;
  if (const auto* items = table->GetPointer<const Tables*>(slot(field))) {
    result.assign(items->begin(), items->end());
  }
  return result;
}

inline std::string text(const Table* table, int field) {
  const auto* string = table->GetPointer<const flatbuffers::String*>(slot(field));
  return string == nullptr ? "" : string->str();
}

template <typename T>
std::vector<T> numbers(const Table* table, int field) {
  const auto* items = table->GetPointer<const flatbuffers::Vector<T>*>(slot(field));
  return items == nullptr ? std::vector<T>() : std::vector<T>(items->begin(), items->end());
}

template <typename T>
T number(const Table* table, int field, T default_value) {
  return table->GetField<T>(slot(field), default_value);
}

/// Checks tables as the schema has them.
class Checker {
 public:
  Checker(const void* data, size_t size) : verifier_(static_cast<const uint8_t*>(data), size) {}

  bool dump(const Table* table) {
    return begin(table) && number_ok<uint32_t>(table, 0) && each(table, 1, &Checker::run) && end();
  }

 private:
  using Check = bool (Checker::*)(const Table*);

  bool begin(const Table* table) { return table->VerifyTableStart(verifier_); }
  bool end() { return verifier_.EndTable(); }
  template <typename T>
  bool number_ok(const Table* table, int field) {
    return table->VerifyField<T>(verifier_, slot(field), sizeof(T));
  }
  bool text_ok(const Table* table, int field) {
    return table->VerifyOffset(verifier_, slot(field)) &&
           verifier_.VerifyString(table->GetPointer<const flatbuffers::String*>(slot(field)));
  }
  template <typename T>
  bool numbers_ok(const Table* table, int field) {
    return table->VerifyOffset(verifier_, slot(field)) &&
           verifier_.VerifyVector(table->GetPointer<const flatbuffers::Vector<T>*>(slot(field)));
  }
  bool one(const Table* table, int field, Check check) {
    if (!table->VerifyOffset(verifier_, slot(field))) return false;
    const Table* inner = child(table, field);
    return inner == nullptr || (this->*check)(inner);
  }
  bool each(const Table* table, int field, Check check) {
    if (!table->VerifyOffset(verifier_, slot(field)) ||
        !verifier_.VerifyVector(table->GetPointer<const Tables*>(slot(field)))) {
      return false;
    }
    for (const Table* item : children(table, field)) {
      if (!(this->*check)(item)) return false;
    }
    return true;
  }

  bool run(const Table* t) {
    return begin(t) && text_ok(t, 0) && number_ok<int32_t>(t, 1) && each(t, 2, &Checker::allocator) &&
           each(t, 3, &Checker::event) && end();
  }
  bool allocator(const Table* t) { return begin(t) && text_ok(t, 0) && end(); }
  bool event(const Table* t) {
    return begin(t) && one(t, 0, &Checker::profile) && one(t, 1, &Checker::allocation) && one(t, 2, &Checker::debug) &&
           end();
  }
  bool profile(const Table* t) {
    return begin(t) && text_ok(t, 0) && number_ok<int32_t>(t, 1) && number_ok<int32_t>(t, 2) &&
           number_ok<int32_t>(t, 3) && text_ok(t, 4) && numbers_ok<uint8_t>(t, 5) && number_ok<uint64_t>(t, 6) &&
           number_ok<uint64_t>(t, 7) && end();
  }
  bool allocation(const Table* t) { return begin(t) && number_ok<int32_t>(t, 0) && number_ok<uint64_t>(t, 1) && end(); }
  bool debug(const Table* t) {
    return begin(t) && number_ok<uint64_t>(t, 0) && number_ok<int32_t>(t, 1) && one(t, 2, &Checker::value) &&
           number_ok<int32_t>(t, 3) && text_ok(t, 4) && text_ok(t, 5) && end();
  }
  bool value(const Table* t) {
    return begin(t) && number_ok<int8_t>(t, 0) && one(t, 1, &Checker::tensor) && one(t, 2, &Checker::tensors) &&
           one(t, 3, &Checker::wide) && one(t, 5, &Checker::wide) && one(t, 6, &Checker::flag) &&
           one(t, 7, &Checker::flag) && end();
  }
  bool tensors(const Table* t) { return begin(t) && each(t, 0, &Checker::tensor) && end(); }
  bool tensor(const Table* t) {
    return begin(t) && number_ok<int8_t>(t, 0) && numbers_ok<int64_t>(t, 1) && numbers_ok<int64_t>(t, 2) &&
           number_ok<int64_t>(t, 3) && end();
  }
  bool wide(const Table* t) { return begin(t) && number_ok<int64_t>(t, 0) && end(); }
  bool flag(const Table* t) { return begin(t) && number_ok<uint8_t>(t, 0) && end(); }

  flatbuffers::Verifier verifier_;
};

/// The runs of a file, or none if something in it is wrong.
inline std::vector<const Table*> runs(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  if (bytes == nullptr || size < 12 || flatbuffers::ReadScalar<uint32_t>(bytes) != size - 4 ||
      !flatbuffers::BufferHasIdentifier(bytes, "ED00", true)) {
    ADD_FAILURE() << "no ETDump with its size in front";
    return {};
  }
  const Table* dump = flatbuffers::GetSizePrefixedRoot<Table>(bytes);
  if (!Checker(data, size).dump(dump)) {
    ADD_FAILURE() << "the ETDump is not sound";
    return {};
  }
  EXPECT_EQ(number<uint32_t>(dump, 0, 0), 0U);  // version
  return children(dump, 1);
}

inline std::vector<const Table*> events(const Table* run) { return children(run, 3); }
/// Null unless it is an event with times, an allocation, a value.
inline const Table* profile(const Table* event) { return child(event, 0); }
inline const Table* allocation(const Table* event) { return child(event, 1); }
inline const Table* debug(const Table* event) { return child(event, 2); }

}  // namespace etdump_reader
