// SPDX-License-Identifier: BSD-3-Clause
//
// What can be known of a method without loading it: inputs, outputs, sizes of the planned buffers, backends.
// A MethodMeta is a few words that refer to the program's bytes; it is valid as long as the Program is.
//
//   Result<MethodMeta> meta = program->method_meta("forward");
//   int64_t bytes = meta->memory_planned_buffer_size(0).get();
#pragma once

#include <cstdint>
#include <string_view>

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/core/tag.h>

namespace wick {
class StateFinder;
}  // namespace wick

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {

class Program;
class Method;
namespace testing {
class TensorInfoTestFriend;
}  // namespace testing

/// The static description of a tensor. For dynamic shapes, sizes() is the upper bound.
class TensorInfo final {
 public:
  TensorInfo() = delete;
  TensorInfo(const TensorInfo&) = default;
  TensorInfo(TensorInfo&&) = default;
  TensorInfo& operator=(const TensorInfo&) = default;
  TensorInfo& operator=(TensorInfo&& other) = default;
  ~TensorInfo() = default;

  Span<const int32_t> sizes() const { return sizes_; }
  /// Dimensions from outermost to innermost in memory.
  Span<const uint8_t> dim_order() const { return dim_order_; }
  executorch::aten::ScalarType scalar_type() const { return scalar_type_; }
  /// True if the program decides where the data lies (planned memory, or a constant).
  bool is_memory_planned() const { return is_memory_planned_; }
  /// Bytes, at the upper bound.
  size_t nbytes() const { return nbytes_; }
  /// The fully qualified name of an attribute, else empty.
  std::string_view name() const { return name_; }

 private:
  friend class MethodMeta;
  friend class testing::TensorInfoTestFriend;
  static Result<TensorInfo> create(Span<const int32_t> sizes, Span<const uint8_t> dim_order,
                                   executorch::aten::ScalarType scalar_type, const bool is_memory_planned,
                                   std::string_view name);
  TensorInfo(Span<const int32_t> sizes, Span<const uint8_t> dim_order, executorch::aten::ScalarType scalar_type,
             const bool is_memory_planned, std::string_view name, size_t nbytes)
      : sizes_(sizes),
        dim_order_(dim_order),
        name_(name),
        scalar_type_(scalar_type),
        is_memory_planned_(is_memory_planned),
        nbytes_(nbytes) {}

  Span<const int32_t> sizes_;
  Span<const uint8_t> dim_order_;
  std::string_view name_;
  executorch::aten::ScalarType scalar_type_;
  bool is_memory_planned_;
  size_t nbytes_;
};

class MethodMeta final {
 public:
  MethodMeta() = delete;
  MethodMeta(const MethodMeta&) = default;
  MethodMeta(MethodMeta&&) = default;
  MethodMeta& operator=(const MethodMeta&) = default;
  MethodMeta& operator=(MethodMeta&& other) = default;
  ~MethodMeta() = default;

  const char* name() const;

  size_t num_inputs() const;
  /// Errors: InvalidArgument (index), InvalidProgram (broken file), Internal (a type no input can have).
  Result<Tag> input_tag(size_t index) const;
  Result<TensorInfo> input_tensor_meta(size_t index) const;

  size_t num_outputs() const;
  Result<Tag> output_tag(size_t index) const;
  Result<TensorInfo> output_tensor_meta(size_t index) const;

  /// Attributes are tensors with a name: mutable buffers and externally stored weights.
  size_t num_attributes() const;
  Result<TensorInfo> attribute_tensor_meta(size_t index) const;

  size_t num_memory_planned_buffers() const;
  /// Bytes of planned buffer `index` (counted from 0, without the file's placeholder entry).
  Result<int64_t> memory_planned_buffer_size(size_t index) const;
  Result<etensor::Device> memory_planned_buffer_device(size_t index) const;

  bool uses_backend(const char* backend_name) const;
  size_t num_backends() const;
  Result<const char*> get_backend_name(size_t index) const;

  ET_EXPERIMENTAL size_t num_instructions() const;

  ET_DEPRECATED size_t num_non_const_buffers() const { return num_memory_planned_buffers(); }
  ET_DEPRECATED Result<int64_t> non_const_buffer_size(size_t index) const { return memory_planned_buffer_size(index); }

 private:
  friend class Program;
  friend class Method;
  friend class ::wick::StateFinder;
  MethodMeta(const void* data, uint32_t size, uint32_t plan) : data_(data), size_(size), plan_(plan) {}
  Result<Tag> tag_of(unsigned list_field, size_t index) const;
  Result<TensorInfo> tensor_of(unsigned list_field, size_t index) const;
  size_t length_of(unsigned list_field) const;
  /// Value index of the attribute, if there are more than `index`; counts them into *count otherwise.
  bool find_attribute(size_t index, size_t* count, uint32_t* tensor) const;
  Result<TensorInfo> describe(uint32_t tensor, bool with_name) const;

  const void* data_;  ///< the program's FlatBuffer
  uint32_t size_;     ///< its bytes
  uint32_t plan_;     ///< position of the execution plan
};

}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch

namespace torch {
namespace executor {
using ::executorch::ET_RUNTIME_NAMESPACE::MethodMeta;
using ::executorch::ET_RUNTIME_NAMESPACE::TensorInfo;
}  // namespace executor
}  // namespace torch
