// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with one field changed to what no exporter writes: each is refused by the error that says what is wrong,
// when the program or its method is loaded, or when the bad instruction is met. The kinds are those that were reported
// as faults of the official runtime.
#include <flatbuffers/flatbuffers.h>
#include <wick/optional_parts.h>

#include <cstring>
#include <functional>

#include "src/pte/schema.h"
#include "tests/executor/pools.h"

namespace {

namespace pte = wick::pte;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Result;
using flatbuffers::Table;
using Tables = flatbuffers::Vector<flatbuffers::Offset<Table>>;

/// A stored program, its tables and their fields.
class Sample {
 public:
  explicit Sample(const std::string& name) : image_(name) {}

  uint8_t* bytes() { return image_.data(); }
  Table* root() { return flatbuffers::GetMutableRoot<Table>(image_.data()); }
  Table* plan() { return item(list(root(), pte::program::kExecutionPlan), 0); }
  Table* value(unsigned index) { return child(item(list(plan(), pte::plan::kValues), index), pte::evalue::kValue); }
  Table* instruction(unsigned index) {
    return item(list(item(list(plan(), pte::plan::kChains), 0), pte::chain::kInstructions), index);
  }
  Table* call(unsigned index) { return child(instruction(index), pte::instruction::kArguments); }
  /// The index of the first value of a type.
  unsigned find(uint8_t type) {
    const Tables& values = *list(plan(), pte::plan::kValues);
    for (unsigned i = 0; i < values.size(); ++i) {
      if (item(&values, i)->GetField<uint8_t>(slot(pte::evalue::kType), 0) == type) {
        return i;
      }
    }
    ADD_FAILURE() << "the sample has no value of type " << int{type};
    return 0;
  }

  static flatbuffers::voffset_t slot(unsigned field) { return static_cast<flatbuffers::voffset_t>(4 + 2 * field); }
  static Table* child(Table* table, unsigned field) { return table->GetPointer<Table*>(slot(field)); }
  static Tables* list(Table* table, unsigned field) { return table->GetPointer<Tables*>(slot(field)); }
  static Table* item(const Tables* items, unsigned index) { return const_cast<Table*>(items->Get(index)); }
  template <typename T>
  static T* items(Table* table, unsigned field) {
    return reinterpret_cast<T*>(table->GetPointer<flatbuffers::Vector<T>*>(slot(field))->Data());
  }
  /// Changes a number that the file holds.
  template <typename T>
  static void set(Table* table, unsigned field, T number) {
    EXPECT_NE(table->GetAddressOf(slot(field)), nullptr) << "the sample leaves out field " << field;
    table->SetField<T>(slot(field), number, static_cast<T>(~number));
  }
  static void set_count(Table* table, unsigned field, uint32_t count) {
    std::memcpy(table->GetPointer<uint8_t*>(slot(field)), &count, sizeof(count));
  }
  /// Takes a field out of a table.
  static void remove(Table* table, unsigned field) {
    const uint16_t nothing = 0;
    std::memcpy(const_cast<uint8_t*>(table->GetVTable()) + slot(field), &nothing, sizeof(nothing));
  }

  /// The error of loading the program and its method, or of running it with inputs of zeros.
  Error run() {
    wick::internal::registered_foreign_calls = nullptr;  // as without the kernels that other tests registered
    BufferDataLoader loader(image_.data(), image_.size());
    const auto program = Program::load(&loader, Program::Verification::Minimal);
    if (!program.ok()) {
      return program.error();
    }
    if (!program->method_meta("forward").ok()) {
      return program->method_meta("forward").error();
    }
    Pools pools(*program, "forward");
    auto method = program->load_method("forward", pools.manager.get());
    if (!method.ok()) {
      return method.error();
    }
    method->set_instruction_limit(1000);
    for (size_t i = 0; i < method->inputs_size(); ++i) {
      const auto info = method->method_meta().input_tensor_meta(i);
      EXPECT_TRUE(info.ok());
      std::vector<int32_t> sizes(info->sizes().begin(), info->sizes().end());
      std::vector<uint8_t> zeros(info->nbytes());
      TensorImpl input(info->scalar_type(), static_cast<ssize_t>(sizes.size()), sizes.data(), zeros.data());
      EXPECT_EQ(method->set_input(EValue(Tensor(&input)), i), Error::Ok);
    }
    return method->execute();
  }

 private:
  Image image_;
};

struct Fault {
  const char* what;
  const char* program;
  Error want;
  std::function<void(Sample&)> make;
};

void check(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.what);
    EXPECT_EQ(Sample(fault.program).run(), Error::Ok) << "the sample itself";
    Sample damaged(fault.program);
    fault.make(damaged);
    EXPECT_EQ(damaged.run(), fault.want);
  }
}

constexpr const char* kAdd = "add.float.pte";    // values 0, 1: inputs; one instruction
constexpr const char* kMlp = "mlp.float.pte";    // constants in a segment
constexpr const char* kCond = "cond.float.pte";  // instruction 2 jumps if not true, 5 moves

TEST(Malformed, HeadersAndSegmentsAreRefused) {
  const auto write = [](size_t at, uint64_t number, size_t width) {
    return [=](Sample& s) { std::memcpy(s.bytes() + at, &number, width); };
  };
  check({
      {"root table outside", kAdd, Error::InvalidProgram, write(0, 0x7FFFFFF0, 4)},
      {"FlatBuffer larger than the file", kMlp, Error::InvalidProgram, write(16, uint64_t{1} << 40, 8)},
      {"segments begin outside", kMlp, Error::InvalidProgram, write(24, UINT64_MAX - 7, 8)},
      {"segment size", kMlp, Error::InvalidArgument,  // says the loader
       [](Sample& s) {
         Sample::set<uint64_t>(Sample::item(Sample::list(s.root(), pte::program::kSegments), 0), pte::segment::kSize,
                               UINT64_MAX - 7);
       }},
      {"no plan", kAdd, Error::InvalidArgument,
       [](Sample& s) { Sample::remove(s.root(), pte::program::kExecutionPlan); }},
      {"no values", kAdd, Error::InvalidProgram, [](Sample& s) { Sample::remove(s.plan(), pte::plan::kValues); }},
      {"no chains", kAdd, Error::InvalidProgram, [](Sample& s) { Sample::remove(s.plan(), pte::plan::kChains); }},
  });
}

TEST(Malformed, TensorsAreRefused) {
  using namespace pte::tensor;
  check({
      {"negative size", kAdd, Error::InvalidProgram,
       [](Sample& s) { Sample::items<int32_t>(s.value(0), kSizes)[0] = -1; }},
      {"more elements than a number holds", kAdd, Error::InvalidProgram,
       [](Sample& s) {
         Sample::items<int32_t>(s.value(0), kSizes)[0] = INT32_MAX;
         Sample::items<int32_t>(s.value(0), kSizes)[1] = INT32_MAX;
       }},
      {"fewer dim order entries than sizes", kAdd, Error::InvalidProgram,
       [](Sample& s) { Sample::set_count(s.value(0), kDimOrder, 1); }},
      {"a dimension twice in the dim order", kAdd, Error::InvalidProgram,
       [](Sample& s) { Sample::items<uint8_t>(s.value(0), kDimOrder)[1] = 0; }},
      {"17 dimensions", kAdd, Error::InvalidProgram,
       [](Sample& s) {
         Sample::set_count(s.value(0), kSizes, 17);
         Sample::set_count(s.value(0), kDimOrder, 17);
       }},
      {"no sizes", kAdd, Error::InvalidProgram, [](Sample& s) { Sample::remove(s.value(0), kSizes); }},
      {"no dim order", kAdd, Error::InvalidProgram, [](Sample& s) { Sample::remove(s.value(0), kDimOrder); }},
      {"a constant that is not there", kMlp, Error::InvalidArgument,
       [](Sample& s) { Sample::set<uint32_t>(s.value(0), kDataBufferIndex, 9999); }},
      {"a place outside planned memory", kAdd, Error::MemoryAllocationFailed,
       [](Sample& s) {
         Sample::set<uint32_t>(Sample::child(s.value(1), kAllocationInfo), pte::allocation::kOffsetLow, 0xFFFFFFF0);
       }},
      {"planned memory of another number", kAdd, Error::InvalidArgument,
       [](Sample& s) {
         Sample::set<uint32_t>(Sample::child(s.value(1), kAllocationInfo), pte::allocation::kMemoryId, 7);
       }},
      {"a value without content", kAdd, Error::InvalidProgram,
       [](Sample& s) {
         Sample::remove(Sample::item(Sample::list(s.plan(), pte::plan::kValues), 0), pte::evalue::kValue);
       }},
  });
}

TEST(Malformed, InstructionsAreRefusedOrStopTheRun) {
  using namespace pte::call;
  const auto become = [](unsigned index, uint8_t type, uint32_t value) {
    return [=](Sample& s) {
      Sample::set<uint8_t>(s.instruction(index), pte::instruction::kType, type);
      Sample::set<uint32_t>(s.call(index), kIndex, value);
    };
  };
  check({
      {"an argument out of range", kAdd, Error::InvalidProgram,
       [](Sample& s) { Sample::items<int32_t>(s.call(0), kArgs)[0] = 9999; }},
      {"a negative argument", kAdd, Error::InvalidProgram,
       [](Sample& s) { Sample::items<int32_t>(s.call(0), kArgs)[0] = -1; }},
      {"a move from out of range", kCond, Error::InvalidProgram, become(5, pte::instruction::kMoveCall, 9999)},
      {"freeing out of range", kCond, Error::InvalidProgram, become(2, pte::instruction::kFreeCall, 9999)},
      {"freeing what is no tensor", kCond, Error::InvalidType,
       [&](Sample& s) { become(2, pte::instruction::kFreeCall, s.find(pte::evalue::kInt))(s); }},
      {"a condition that is a number", kCond, Error::InvalidProgram,
       [](Sample& s) { Sample::set<uint32_t>(s.call(2), kCondition, s.find(pte::evalue::kInt)); }},
      {"a jump out of its chain", kCond, Error::InvalidProgram,
       [](Sample& s) { Sample::set<uint32_t>(s.call(2), kDestination, 9999); }},
      {"a jump to itself", kCond, Error::InvalidProgram,
       [](Sample& s) { Sample::set<uint32_t>(s.call(2), kDestination, 2); }},
      {"an instruction of no type", kCond, Error::InvalidProgram, become(2, 77, 0)},
  });
}

TEST(Malformed, ANumberMovedIntoAListDoesNoHarm) {
  // An image with code of others (a registered kernel or backend) has lists as values, which a move replaces.
  Sample sample(kCond);
  Sample::set<uint32_t>(sample.call(5), pte::call::kMoveFrom, sample.find(pte::evalue::kInt));
  Sample::set<uint32_t>(sample.call(5), pte::call::kMoveTo, sample.find(pte::evalue::kIntList));
  const bool has_lists = wick::internal::registered_foreign_calls != nullptr;
  EXPECT_EQ(sample.run(), has_lists ? Error::Ok : Error::NotSupported);
}

TEST(Malformed, AMissingOutputEncodingIsNoReasonToRefuseTheProgram) {
  Sample sample(kAdd);
  Sample::remove(sample.plan(), pte::plan::kContainerMetaType);
  EXPECT_EQ(sample.run(), Error::Ok);
}

}  // namespace
