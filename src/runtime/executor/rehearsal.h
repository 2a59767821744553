// SPDX-License-Identifier: BSD-3-Clause
//
// A rehearsal of loading: the loader goes through a method as ever, but its records all go to one spare place, and what
// they would have taken is counted. So the figures of memory_required() are the loader's own and cannot drift from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/pte/flatbuffer.h"
#include "src/runtime/executor/records.h"

namespace executorch::runtime {
template <typename T>
class BoxedEvalueList;
}  // namespace executorch::runtime
namespace executorch::ET_RUNTIME_NAMESPACE::internal {
class MergedDataMap;
}  // namespace executorch::ET_RUNTIME_NAMESPACE::internal

namespace wick {

class MethodLoader;

struct Rehearsal {
  /// Where every record goes, and item 0 of every array: as large as the largest record, a shape of 16 dimensions.
  alignas(16) unsigned char spare[160];
  /// The method pool of a 32-bit target so far.
  size_t target_bytes;
  /// Whose layout is asked for.
  size_t pointer_bytes;
  /// The largest request of a delegate to the temporary pool.
  size_t delegate_scratch;
  /// Delegates about which no backend says anything.
  size_t unknown_delegates;
  /// Calls that are views of constants.
  size_t views;
  /// Stands for the place of a tensor that is planned or in a data file.
  void* (*place)(MethodLoader& loader, pte::Table tensor, pte::Table extra);

  void add_target(size_t bytes, size_t alignment) {
    target_bytes = (target_bytes + alignment - 1) / alignment * alignment + bytes;
  }
};

/// Size and alignment of a record on a 32-bit target. The defaults are for arrays of what is the same everywhere.
template <typename T>
struct Target {
  static constexpr size_t kBytes = sizeof(T);
  static constexpr size_t kAlignment = alignof(T);
};
template <size_t kWords>
struct TargetWords {
  static constexpr size_t kBytes = kWords * 4;
  static constexpr size_t kAlignment = 4;
};
template <typename T>
struct Target<T*> : TargetWords<1> {};
template <>
struct Target<uintptr_t> : TargetWords<1> {};
template <>
struct Target<EValue> {
  static constexpr size_t kBytes = 16;
  static constexpr size_t kAlignment = 8;
};
template <>
struct Target<Instruction> : TargetWords<2> {};
template <>
struct Target<TensorImpl> : TargetWords<6> {};
template <>
struct Target<Tensor> : TargetWords<1> {};
template <>
struct Target<std::optional<Tensor>> : TargetWords<2> {};
template <>
struct Target<VectorRecord> : TargetWords<3> {};
template <>
struct Target<WideRecord> : TargetWords<3> {};
template <>
struct Target<ListRecord> : TargetWords<3> {};
template <>
struct Target<IntListRecord> : TargetWords<1> {};
template <>
struct Target<StringRecord> : TargetWords<3> {};
template <>
struct Target<NamedTensor> : TargetWords<3> {};
template <>
struct Target<executorch::runtime::FreeableBuffer> {
  static constexpr size_t kBytes = 24;
  static constexpr size_t kAlignment = 8;
};
template <>
struct Target<ExternalConstant> {
  static constexpr size_t kBytes = 40;
  static constexpr size_t kAlignment = 8;
};
template <>
struct Target<LoadedDelegate> {
  static constexpr size_t kBytes = 32;
  static constexpr size_t kAlignment = 8;
};
template <>
struct Target<executorch::runtime::CompileSpec> : TargetWords<3> {};
template <>
struct Target<executorch::ET_RUNTIME_NAMESPACE::internal::MergedDataMap> : TargetWords<3> {};
template <typename T>
struct Target<executorch::runtime::BoxedEvalueList<T>> : TargetWords<3> {};
template <typename T>
struct Target<ArrayRef<T>> : TargetWords<2> {};

}  // namespace wick
