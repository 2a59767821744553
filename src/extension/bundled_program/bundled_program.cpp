// SPDX-License-Identifier: BSD-3-Clause
//
// Bundled programs, read through checked views.
#include <executorch/devtools/bundled_program/bundled_program.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/platform/log.h>
#include <wick/dim_order.h>

#include <cstring>

#include "src/pte/flatbuffer.h"
#include "src/runtime/executor/tensor_size.h"

namespace executorch {
namespace bundled_program {
namespace {

namespace pte = ::wick::pte;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::runtime::Error;
using executorch::runtime::EValue;

/// Field numbers of the bundle's schema (BP08).
enum : unsigned { kSuites = 1, kProgram = 2 };
enum : unsigned { kMethodName = 0, kCases = 1 };
enum : unsigned { kInputs = 0, kOutputs = 1 };
enum : unsigned { kValueType = 0, kValue = 1 };
enum : unsigned { kScalarType = 0, kSizes = 1, kData = 2, kDimOrder = 3 };
enum ValueType : uint8_t { kNoValue, kTensor, kInt, kBool, kDouble };

constexpr size_t kMaxRank = executorch::runtime::kTensorDimensionLimit;
constexpr size_t kUnknownSize = 0x7FFFFFFF;  // the interface gives none

/// A tensor of the bundle with room for its strides.
struct BundledTensor {
  int32_t sizes[kMaxRank];
  int32_t strides[kMaxRank];
  uint8_t order[kMaxRank];
  size_t rank;
  size_t numel;
  ScalarType type;
  const uint8_t* data;
};

bool read_tensor(pte::Buffer& buffer, const pte::Table& table, BundledTensor* out) {
  const pte::Vector sizes = buffer.vector_field(table, kSizes, 4);
  const pte::Vector order = buffer.vector_field(table, kDimOrder, 1);
  const pte::Vector data = buffer.vector_field(table, kData, 1);
  const uint8_t type = buffer.u8_field(table, kScalarType);
  const unsigned width = ::wick::element_size(type);
  if (buffer.bad() || !table || sizes.count > kMaxRank || order.count != sizes.count) {
    return false;
  }
  out->rank = sizes.count;
  for (uint32_t i = 0; i < sizes.count; ++i) {
    out->sizes[i] = buffer.i32_item(sizes, i);
    out->order[i] = buffer.bytes(order.at)[i];
  }
  int32_t numel = 0;
  if (!::wick::lay_out(out->sizes, out->order, out->rank, out->strides, &numel) || width == 0 ||
      static_cast<uint32_t>(numel) > data.count / width) {
    return false;
  }
  out->numel = static_cast<size_t>(numel);
  out->type = static_cast<ScalarType>(type);
  out->data = buffer.bytes(data.at);
  return true;
}

/// The inputs or expected outputs of a test case of the method.
Error find_values(pte::Buffer& buffer, const Method& method, size_t testset_idx, unsigned field, pte::Vector* values) {
  if (std::memcmp(buffer.bytes(4), "BP08", 4) != 0) {
    ET_LOG(Error, "this is no bundled program (.bpte): its identifier is not BP08");
    return Error::NotSupported;
  }
  const char* name = method.method_meta().name();
  const pte::Vector suites = buffer.vector_field(buffer.root(), kSuites, 4);
  for (uint32_t i = 0; i < suites.count; ++i) {
    const pte::Table suite = buffer.table_item(suites, i);
    const char* suite_name = buffer.string_field(suite, kMethodName);
    if (suite_name == nullptr || name == nullptr || std::strcmp(suite_name, name) != 0) {
      continue;
    }
    const pte::Vector cases = buffer.vector_field(suite, kCases, 4);
    if (testset_idx >= cases.count) {
      ET_LOG(Error, "test case %" ET_PRIsize_t " does not exist: the bundle has %" PRIu32, testset_idx, cases.count);
      return Error::InvalidArgument;
    }
    *values = buffer.vector_field(buffer.table_item(cases, static_cast<uint32_t>(testset_idx)), field, 4);
    return buffer.bad() ? Error::InvalidProgram : Error::Ok;
  }
  ET_LOG(Error, "the bundle has no test cases for the method '%s'", name == nullptr ? "" : name);
  return buffer.bad() ? Error::InvalidProgram : Error::InvalidArgument;
}

Error set_bundled_input(Method& method, pte::Buffer& buffer, const pte::Table& value, size_t index) {
  const pte::Table content = buffer.table_field(value, kValue);
  switch (buffer.u8_field(value, kValueType)) {
    case kTensor: {
      BundledTensor tensor;
      if (!read_tensor(buffer, content, &tensor)) {
        return Error::InvalidProgram;
      }
      TensorImpl impl(tensor.type, static_cast<ssize_t>(tensor.rank), tensor.sizes, const_cast<uint8_t*>(tensor.data),
                      tensor.order, tensor.strides);
      return method.set_input(EValue(Tensor(&impl)), index);
    }
    case kInt:
      return method.set_input(EValue(static_cast<int64_t>(buffer.u64_field(content, 0))), index);
    case kBool:
      return method.set_input(EValue(buffer.u8_field(content, 0) != 0), index);
    case kDouble: {
      const uint64_t bits = buffer.u64_field(content, 0);
      double number;
      std::memcpy(&number, &bits, sizeof(number));
      return method.set_input(EValue(number), index);
    }
    default:
      return Error::NotSupported;
  }
}

bool is_floating(ScalarType type) {
  return type == ScalarType::Float || type == ScalarType::Double || type == ScalarType::Half ||
         type == ScalarType::BFloat16;
}

double number_at(const uint8_t* data, ScalarType type, size_t index) {
  switch (type) {
    case ScalarType::Float:
      return static_cast<double>(reinterpret_cast<const float*>(data)[index]);
    case ScalarType::Double:
      return reinterpret_cast<const double*>(data)[index];
    case ScalarType::Half:
      return static_cast<double>(static_cast<float>(reinterpret_cast<const executorch::aten::Half*>(data)[index]));
    case ScalarType::BFloat16:
      return static_cast<double>(static_cast<float>(reinterpret_cast<const executorch::aten::BFloat16*>(data)[index]));
    case ScalarType::Byte:
    case ScalarType::Bool:
      return static_cast<double>(data[index]);
    case ScalarType::Char:
      return static_cast<double>(static_cast<int8_t>(data[index]));
    case ScalarType::Short:
      return static_cast<double>(reinterpret_cast<const int16_t*>(data)[index]);
    case ScalarType::Int:
      return static_cast<double>(reinterpret_cast<const int32_t*>(data)[index]);
    case ScalarType::Long:
      return static_cast<double>(reinterpret_cast<const int64_t*>(data)[index]);
    default:
      return 0;
  }
}

bool is_close(double got, double want, double rtol, double atol) {
  if (got == want || (got != got && want != want)) {
    return true;
  }
  const double difference = got < want ? want - got : got - want;
  return difference <= atol + rtol * (want < 0 ? -want : want);  // false for infinities and NaN
}

/// Calls function(offset in want, offset in got) for every element, in logical order.
template <typename Function>
void for_each_element(const BundledTensor& want, const Tensor& got, Function&& function) {
  ::wick::for_each_place(want.sizes, want.rank, want.numel, want.strides, got.strides().data(), function);
}

/// The expected tensor of output `index`, if it has the type and shape of the method's output.
Error expected_tensor(const Method& method, pte::Buffer& buffer, const pte::Vector& values, size_t index,
                      BundledTensor* want) {
  const pte::Table value =
      index < values.count ? buffer.table_item(values, static_cast<uint32_t>(index)) : pte::Table{};
  if (buffer.u8_field(value, kValueType) != kTensor || !method.get_output(index).isTensor()) {
    ET_LOG(Error, "output %" ET_PRIsize_t " cannot be compared: both must be tensors", index);
    return Error::NotSupported;
  }
  const Tensor& got = method.get_output(index).toTensor();
  if (!read_tensor(buffer, buffer.table_field(value, kValue), want)) {
    return Error::InvalidProgram;
  }
  bool same = want->type == got.scalar_type() && want->rank == static_cast<size_t>(got.dim());
  for (size_t d = 0; same && d < want->rank; ++d) {
    same = want->sizes[d] == got.sizes()[d];
  }
  if (!same || (want->numel > 0 && got.const_data_ptr() == nullptr)) {
    ET_LOG(Error, "output %" ET_PRIsize_t " has another type or shape than the expected tensor", index);
    return Error::NotFound;
  }
  return Error::Ok;
}

}  // namespace

Error load_bundled_input(Method& method, SerializedBundledProgram* bundled_program_ptr, size_t testset_idx) {
  pte::Buffer buffer(bundled_program_ptr, kUnknownSize);
  pte::Vector values;
  Error error = find_values(buffer, method, testset_idx, kInputs, &values);
  if (error != Error::Ok) {
    return error;
  }
  for (size_t i = 0; i < method.inputs_size(); ++i) {
    const pte::Table value = i < values.count ? buffer.table_item(values, static_cast<uint32_t>(i)) : pte::Table{};
    error = set_bundled_input(method, buffer, value, i);
    if (error != Error::Ok || buffer.bad()) {
      ET_LOG(Error, "input %" ET_PRIsize_t " of test case %" ET_PRIsize_t " does not suit the method: 0x%" PRIx32, i,
             testset_idx, static_cast<uint32_t>(error));
      return Error::NotSupported;
    }
  }
  executorch::runtime::internal::event_tracer_set_bundled_input_index(method.get_event_tracer(),
                                                                      static_cast<int>(testset_idx));
  return Error::Ok;
}

ErrorStats compute_method_output_error_stats(Method& method, SerializedBundledProgram* bundled_program_ptr,
                                             size_t testset_idx) {
  pte::Buffer buffer(bundled_program_ptr, kUnknownSize);
  pte::Vector values;
  ErrorStats stats = {Error::Ok, 0, 0, 0, 0};
  stats.status = find_values(buffer, method, testset_idx, kOutputs, &values);
  size_t count = 0;
  for (size_t i = 0; stats.status == Error::Ok && i < method.outputs_size(); ++i) {
    BundledTensor want;
    stats.status = expected_tensor(method, buffer, values, i, &want);
    if (stats.status != Error::Ok) {
      return {stats.status, 0, 0, 0, 0};
    }
    const Tensor& got = method.get_output(i).toTensor();
    const uint8_t* got_data = static_cast<const uint8_t*>(got.const_data_ptr());
    for_each_element(want, got, [&](size_t at, size_t got_at) {
      const double a = number_at(got_data, want.type, got_at);
      const double b = number_at(want.data, want.type, at);
      const double error = a < b ? b - a : a - b;
      const double size_a = a < 0 ? -a : a;
      const double size_b = b < 0 ? -b : b;
      double larger = size_a < size_b ? size_b : size_a;
      larger = larger < 1e-8 ? 1e-8 : larger;
      stats.mean_abs_error += error;
      stats.mean_relative_error += error / larger;
      stats.max_abs_error = error > stats.max_abs_error ? error : stats.max_abs_error;
      stats.max_relative_error = error / larger > stats.max_relative_error ? error / larger : stats.max_relative_error;
    });
    count += want.numel;
  }
  if (count > 0) {
    stats.mean_abs_error /= static_cast<double>(count);
    stats.mean_relative_error /= static_cast<double>(count);
  }
  return stats;
}

Error verify_method_outputs(Method& method, SerializedBundledProgram* bundled_program_ptr, size_t testset_idx,
                            double rtol, double atol) {
  pte::Buffer buffer(bundled_program_ptr, kUnknownSize);
  pte::Vector values;
  Error error = find_values(buffer, method, testset_idx, kOutputs, &values);
  if (error == Error::Ok && values.count == 0) {
    return Error::NotSupported;
  }
  for (size_t i = 0; error == Error::Ok && i < method.outputs_size(); ++i) {
    BundledTensor want;
    error = expected_tensor(method, buffer, values, i, &want);
    if (error != Error::Ok) {
      return error;
    }
    const Tensor& got = method.get_output(i).toTensor();
    const uint8_t* got_data = static_cast<const uint8_t*>(got.const_data_ptr());
    const size_t width = ::wick::element_size(static_cast<uint8_t>(want.type));
    for_each_element(want, got, [&](size_t at, size_t got_at) {
      const bool same =
          is_floating(want.type)
              ? is_close(number_at(got_data, want.type, got_at), number_at(want.data, want.type, at), rtol, atol)
              : std::memcmp(got_data + got_at * width, want.data + at * width, width) == 0;
      if (!same) {
        error = Error::NotFound;
      }
    });
    if (error != Error::Ok) {
      ET_LOG(Error, "output %" ET_PRIsize_t " differs from what the bundle expects", i);
    }
  }
  return error;
}

Error get_program_data(void* file_data, size_t file_data_len, const void** out_program_data,
                       size_t* out_program_data_len) {
  if (!is_bundled_program(file_data, file_data_len)) {
    ET_LOG(Error, "this is no bundled program (.bpte): its identifier is not BP08");
    return Error::NotSupported;
  }
  pte::Buffer buffer(file_data, file_data_len);
  const pte::Vector program = buffer.vector_field(buffer.root(), kProgram, 1);
  if (buffer.bad() || program.at == 0) {
    ET_LOG(Error, "the bundled program is corrupt or truncated");
    return Error::InvalidProgram;
  }
  *out_program_data = buffer.bytes(program.at);
  *out_program_data_len = program.count;
  return Error::Ok;
}

bool is_bundled_program(void* file_data, size_t file_data_len) {
  return file_data != nullptr && file_data_len >= 16 &&
         std::memcmp(static_cast<const uint8_t*>(file_data) + 4, "BP08", 4) == 0;
}

}  // namespace bundled_program
}  // namespace executorch
