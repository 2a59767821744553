// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs for a program runner: every tensor input gets memory of its own (malloc), filled with ones or with given
// bytes. For hosts, and for firmware with a heap.
//
//   Result<BufferCleanup> inputs = prepare_input_tensors(*method);
//   method->execute();  // `inputs` must still be there
#pragma once

#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/method_meta.h>

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace executorch {
namespace extension {

using ::executorch::ET_RUNTIME_NAMESPACE::Method;
using ::executorch::ET_RUNTIME_NAMESPACE::TensorInfo;

/// Frees memory when it goes out of scope.
class BufferCleanup final {
 public:
  /// Owns what the elements of `buffers` point to, and the array itself; both are from malloc, or null.
  explicit BufferCleanup(executorch::runtime::Span<void*> buffers) : buffers_(buffers) {}

  BufferCleanup(BufferCleanup&& other) noexcept : buffers_(other.buffers_) { other.buffers_ = {}; }

  ~BufferCleanup() {
    for (void* buffer : buffers_) {
      std::free(buffer);
    }
    std::free(buffers_.data());
  }

  BufferCleanup(const BufferCleanup&) = delete;
  BufferCleanup& operator=(const BufferCleanup&) = delete;
  BufferCleanup& operator=(BufferCleanup&&) noexcept = delete;

 private:
  executorch::runtime::Span<void*> buffers_;
};

/// How much prepare_input_tensors() may allocate, whatever a (broken) program asks for.
struct PrepareInputTensorsOptions {
  /// Bytes of all inputs together.
  size_t max_total_allocation_size = 1024 * 1024 * 1024;

  size_t max_inputs = 1024;
};

/// Sets every input of `method`. Tensors get the bytes of their `input_buffers` (pointer, size), or ones when that is
/// empty; integers, doubles and booleans get their bytes, or stay as they are when it is empty.
/// What is returned owns the tensors' memory: keep it while the method runs.
/// Errors: InvalidArgument (number or size of the buffers, type of an input), InvalidProgram (a limit of `options` is
/// exceeded), MemoryAllocationFailed, those of Method::set_input().
executorch::runtime::Result<BufferCleanup> prepare_input_tensors(
    Method& method, PrepareInputTensorsOptions options = {},
    const std::vector<std::pair<char*, size_t>>& input_buffers = {});

namespace internal {

/// Sets input `input_index` to a tensor as `tensor_meta` describes it, with its data at `data_ptr`, which is first
/// filled with ones if `fill_tensor`. Errors: InvalidArgument for a type that has no one; those of Method::set_input().
executorch::runtime::Error fill_and_set_input(Method& method, TensorInfo& tensor_meta, size_t input_index,
                                              void* data_ptr, bool fill_tensor = true);

}  // namespace internal

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::BufferCleanup;
using ::executorch::extension::prepare_input_tensors;
}  // namespace util
}  // namespace executor
}  // namespace torch
