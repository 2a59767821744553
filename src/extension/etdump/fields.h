// SPDX-License-Identifier: BSD-3-Clause
// The fields of one table that an ETDump gets; a field that has its default value is not stored.

#pragma once

#include <executorch/devtools/etdump/etdump_flatcc.h>

namespace executorch {
namespace etdump {

class ETDumpGen::Fields {
 public:
  void number(uint8_t id, uint8_t width, int64_t value, int64_t default_value = 0) {
    if (value != default_value) {
      fields_[count_++] = {id, width, static_cast<uint64_t>(value)};
    }
  }
  void reference(uint8_t id, Place place) {
    if (place != 0) {
      fields_[count_++] = {id, wick::internal::FlatbufferWriter::kReference, place};
    }
  }
  Place write(wick::internal::FlatbufferWriter& writer) const { return writer.table(fields_, count_); }

 private:
  wick::internal::FlatbufferWriter::Field fields_[wick::internal::FlatbufferWriter::kMaxFields];
  size_t count_ = 0;
};

}  // namespace etdump
}  // namespace executorch
