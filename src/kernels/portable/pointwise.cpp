// SPDX-License-Identifier: BSD-3-Clause
//
// The driver of all elementwise operators (see pointwise.h): one walk, tiles of 128 bytes per operand where a dtype or
// a stride needs conversion, and none where the operands already are dense elements of the compute type.
#include "src/kernels/portable/pointwise.h"

#include <cstring>

namespace wick {
namespace portable {

namespace {
constexpr size_t kTileBytes = 128;
// Dtypes that are not a compute type themselves: only these ever need rounding to the common dtype.
constexpr DtypeSet kNarrow =
    kNumbers & kBuilt & ~dtypes(ScalarType::Float, ScalarType::Double, ScalarType::Long, ScalarType::ComplexDouble);

// Which dimension is the i-th in memory.
size_t place_of(const DimOrderType* order, size_t i) { return order == nullptr ? i : order[i]; }
}  // namespace

struct Pointwise::Buffers {
  alignas(16) char tiles[kMaxInputs + 1][kTileBytes];
  alignas(16) char numbers[kMaxInputs + 1][kComputeBytes];
  alignas(16) char scalars[kMaxScalars * kComputeBytes];
};

Pointwise& Pointwise::in(const Tensor& tensor) {
  operands_[count_++] = {tensor.const_data_ptr(),
                         tensor.sizes().data(),
                         tensor.sizes().size(),
                         tensor.dim_order().data(),
                         nullptr,
                         tensor.scalar_type(),
                         false};
  return *this;
}

Pointwise& Pointwise::in(const Scalar& number) {
  operands_[count_++] = {&number, nullptr, 0, nullptr, nullptr, ScalarType::Undefined, true};
  return *this;
}

Pointwise& Pointwise::in(const void* data, ScalarType type, Sizes sizes, const ptrdiff_t* strides) {
  operands_[count_++] = {data, sizes.data(), sizes.size(), nullptr, strides, type, false};
  return *this;
}

Pointwise& Pointwise::scalar(const Scalar& number) {
  scalars_[scalar_count_++] = &number;
  return *this;
}

bool Pointwise::check_dtypes(const Tensor& out) {
  const ScalarType result = gives_bool_result() ? ScalarType::Bool : common_dtype();
  WICK_REQUIRE(ctx_, is_in(out.scalar_type(), kNumbers & kBuilt) && can_cast(result, out.scalar_type()), false,
               "a result of dtype %d cannot be stored as dtype %d", static_cast<int>(result),
               static_cast<int>(out.scalar_type()));
  for (size_t i = 1; i < count_; ++i) {
    const Operand& operand = operands_[i];
    WICK_REQUIRE(ctx_, operand.number || is_in(operand.type, kNumbers & kBuilt), false,
                 "operand %d has the unsupported dtype %d", static_cast<int>(i), static_cast<int>(operand.type));
  }
  return true;
}

// Numbers become operands of the compute type that repeat one element.
bool Pointwise::convert_numbers(Buffers& buffers) {
  for (size_t i = 1; i < count_; ++i) {
    Operand& operand = operands_[i];
    if (operand.number) {
      load_scalar(compute(), *static_cast<const Scalar*>(operand.data), buffers.numbers[i]);
      operand.data = buffers.numbers[i];
      operand.type = dtype_of(compute());
    }
  }
  for (size_t i = 0; i < scalar_count_; ++i) {
    if (!require_fit(ctx_, *scalars_[i], common_dtype())) {
      return false;
    }
    load_scalar(compute(), *scalars_[i], buffers.scalars + i * size_of(compute()));
  }
  return true;
}

bool Pointwise::run(Tensor& out) {
  compute_ = compute_of(common_dtype());
  WICK_REQUIRE(ctx_, functions_.functions[static_cast<size_t>(compute())] != nullptr && is_in(common_dtype(), kNumbers),
               false, "the operator has no arithmetic for dtype %d", static_cast<int>(common_dtype()));
  Buffers buffers;
  buffers_ = &buffers;
  if (!check_dtypes(out) || !convert_numbers(buffers)) {
    return false;
  }
  operands_[0].type = out.scalar_type();
  direct_ = true;
  for (size_t i = 0; i < count_; ++i) {
    direct_ = direct_ && is_direct(i);
  }
  return functions_.walk(*this, out);
}

void Pointwise::run_flat(size_t n, char* const* data, const ptrdiff_t* steps) const {
  if (kOneDtype || direct_) {
    functions_.functions[static_cast<size_t>(compute())](n, data, steps, buffers_->scalars);
  } else {
    run_tiles(n, data, steps);
  }
}

// Operands of any shapes and layouts.
bool Pointwise::walk_any(Pointwise& call, Tensor& out) {
  Shape shape;
  for (size_t i = 1; i < call.count_; ++i) {
    if (!broadcast(call.ctx_, shape, call.operands_[i].shape())) {
      return false;
    }
  }
  if (!resize(call.ctx_, out, shape)) {
    return false;
  }
  StridedLoop loop(shape);
  loop.add(out.const_data_ptr(), element_size(out.scalar_type()), out.sizes(), out.dim_order().data());
  for (size_t i = 1; i < call.count_; ++i) {
    const Operand& operand = call.operands_[i];
    const size_t size = element_size(operand.type);
    if (operand.strides != nullptr) {
      loop.add(operand.data, size, operand.strides);
    } else {
      loop.add(operand.data, size, operand.shape(), operand.dim_order);
    }
  }
  loop.start();
  while (loop.next()) {
    call.run_flat(loop.run(), loop.data(), loop.steps());
  }
  return true;
}

// True if the operand has the sizes and the dim order of the result.
bool Pointwise::lies_like(const Tensor& out, const Operand& operand) {
  if (operand.strides != nullptr || operand.rank != out.sizes().size()) {
    return false;
  }
  const DimOrderType* const order = out.dim_order().data();
  for (size_t i = 0; i < operand.rank; ++i) {
    if (operand.sizes[i] != out.sizes()[i] || place_of(operand.dim_order, i) != place_of(order, i)) {
      return false;
    }
  }
  return true;
}

// Operands that lie as the result does, and numbers.
bool Pointwise::walk_equal(Pointwise& call, Tensor& out) {
  char* data[kMaxInputs + 1];
  ptrdiff_t steps[kMaxInputs + 1];
  data[0] = nullptr;
  steps[0] = static_cast<ptrdiff_t>(element_size(out.scalar_type()));
  for (size_t i = 1; i < call.count_; ++i) {
    const Operand& operand = call.operands_[i];
    data[i] = static_cast<char*>(const_cast<void*>(operand.data));
    steps[i] = 0;
    if (operand.number) {
      continue;
    }
    steps[i] = static_cast<ptrdiff_t>(element_size(operand.type));
    if (data[0] == nullptr && !resize(call.ctx_, out, operand.shape())) {
      return false;
    }
    data[0] = static_cast<char*>(out.mutable_data_ptr());
    WICK_REQUIRE(call.ctx_, lies_like(out, operand), false,
                 "this image has the operator for tensors of one shape only, as its program did when it was built");
  }
  call.run_flat(static_cast<size_t>(out.numel()), data, steps);
  return true;
}

// Narrow common dtypes: the values as that dtype has them.
void Pointwise::round_to_common(void* values, size_t n) const {
  if (kNarrow != 0 && is_in(common_dtype(), kNarrow)) {
    const ptrdiff_t size = static_cast<ptrdiff_t>(size_of(compute()));
    store(compute(), common_dtype(), values, size, n, values);
    load(compute(), common_dtype(), values, size, n, values);
  }
}

// True if the elements can be used, or written, where they lie.
bool Pointwise::is_direct(size_t operand) const {
  if (operand == 0 && gives_bool_result()) {
    return operands_[0].type == ScalarType::Bool;
  }
  return kOneDtype || (operands_[operand].type == common_dtype() && common_dtype() == dtype_of(compute()));
}

void Pointwise::load_operand(size_t operand, const char* from, ptrdiff_t step, size_t n, void* buffer) const {
  load(compute(), operands_[operand].type, from, step, n, buffer);
  if (operands_[operand].type != common_dtype()) {
    round_to_common(buffer, n);
  }
}

void Pointwise::store_results(char* to, ptrdiff_t step, size_t n, void* results) const {
  const ScalarType type = operands_[0].type;
  if (gives_bool_result()) {
    for (size_t i = 0; i < n; ++i, to += step) {
      store_one(type, to, int64_t{static_cast<const uint8_t*>(results)[i]});
    }
    return;
  }
  if (common_dtype() != type) {
    round_to_common(results, n);
  }
  store(compute(), type, to, step, n, results);
}

void Pointwise::run_tiles(size_t n, char* const* data, const ptrdiff_t* steps) const {
  const size_t tile = kTileBytes / size_of(compute());
  char* tile_data[kMaxInputs + 1];
  ptrdiff_t tile_steps[kMaxInputs + 1];
  for (size_t done = 0; done < n; done += tile) {
    const size_t count = n - done < tile ? n - done : tile;
    for (size_t i = 0; i < count_; ++i) {
      char* const from = data[i] + static_cast<ptrdiff_t>(done) * steps[i];
      tile_data[i] = from;
      tile_steps[i] = steps[i];
      if (is_direct(i)) {
        continue;
      }
      tile_data[i] = buffers_->tiles[i];
      if (i == 0) {
        tile_steps[0] = gives_bool_result() ? 1 : static_cast<ptrdiff_t>(size_of(compute()));
      } else if (steps[i] != 0) {
        load_operand(i, from, steps[i], count, buffers_->tiles[i]);
        tile_steps[i] = static_cast<ptrdiff_t>(size_of(compute()));
      } else if (done == 0) {  // what repeats is converted once
        load_operand(i, from, 0, 1, buffers_->tiles[i]);
      }
    }
    functions_.functions[static_cast<size_t>(compute())](count, tile_data, tile_steps, buffers_->scalars);
    if (!is_direct(0)) {
      store_results(data[0] + static_cast<ptrdiff_t>(done) * steps[0], steps[0], count, buffers_->tiles[0]);
    }
  }
}

}  // namespace portable
}  // namespace wick
