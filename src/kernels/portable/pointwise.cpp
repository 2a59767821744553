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
}  // namespace

struct Pointwise::Buffers {
  alignas(16) char tiles[kMaxInputs + 1][kTileBytes];
  alignas(16) char numbers[kMaxInputs + 1][kComputeBytes];
  alignas(16) char scalars[kMaxScalars * kComputeBytes];
};

Pointwise& Pointwise::in(const Tensor& tensor) {
  operands_[count_++] = {tensor.const_data_ptr(), tensor.sizes(), tensor.dim_order(), nullptr, tensor.scalar_type()};
  return *this;
}

Pointwise& Pointwise::in(const Scalar& number) {
  operands_[count_++] = {&number, {}, {}, nullptr, ScalarType::Undefined};
  return *this;
}

Pointwise& Pointwise::in(const void* data, ScalarType type, Sizes sizes, const ptrdiff_t* strides) {
  operands_[count_++] = {data, sizes, {}, strides, type};
  return *this;
}

Pointwise& Pointwise::scalar(const Scalar& number) {
  scalars_[scalar_count_++] = &number;
  return *this;
}

bool Pointwise::check(Tensor& out) {
  const ScalarType result = gives_bool_result() ? ScalarType::Bool : common_dtype();
  WICK_REQUIRE(ctx_, is_in(out.scalar_type(), kNumbers & kBuilt) && can_cast(result, out.scalar_type()), false,
               "a result of dtype %d cannot be stored as dtype %d", static_cast<int>(result),
               static_cast<int>(out.scalar_type()));
  Shape shape;
  for (size_t i = 1; i < count_; ++i) {
    const Operand& operand = operands_[i];
    WICK_REQUIRE(ctx_, operand.type == ScalarType::Undefined || is_in(operand.type, kNumbers & kBuilt), false,
                 "operand %d has the unsupported dtype %d", static_cast<int>(i), static_cast<int>(operand.type));
    if (!broadcast(ctx_, shape, operand.sizes)) {
      return false;
    }
  }
  return resize(ctx_, out, shape);
}

// Numbers become operands of the compute type that repeat one element.
void Pointwise::convert_numbers(Buffers& buffers) {
  for (size_t i = 1; i < count_; ++i) {
    Operand& operand = operands_[i];
    if (operand.type == ScalarType::Undefined) {
      load_scalar(compute(), *static_cast<const Scalar*>(operand.data), buffers.numbers[i]);
      operand.data = buffers.numbers[i];
      operand.type = dtype_of(compute());
    }
  }
  for (size_t i = 0; i < scalar_count_; ++i) {
    load_scalar(compute(), *scalars_[i], buffers.scalars + i * size_of(compute()));
  }
}

bool Pointwise::run(Tensor& out) {
  compute_ = compute_of(common_dtype());
  const TileFunction function = functions_.functions[static_cast<size_t>(compute())];
  WICK_REQUIRE(ctx_, function != nullptr && is_in(common_dtype(), kNumbers), false,
               "the operator has no arithmetic for dtype %d", static_cast<int>(common_dtype()));
  if (!check(out)) {
    return false;
  }
  Buffers buffers;
  convert_numbers(buffers);
  operands_[0] = {out.mutable_data_ptr(), out.sizes(), out.dim_order(), nullptr, out.scalar_type()};
  StridedLoop loop(out.sizes());
  for (size_t i = 0; i < count_; ++i) {
    const Operand& operand = operands_[i];
    const size_t size = element_size(operand.type);
    if (operand.strides != nullptr) {
      loop.add(operand.data, size, operand.strides);
    } else {
      loop.add(operand.data, size, operand.sizes, operand.dim_order);
    }
  }
  loop.start();
  bool direct = true;
  for (size_t i = 0; i < count_; ++i) {
    direct = direct && is_direct(i);
  }
  while (loop.next()) {
    if (direct) {
      function(loop.run(), loop.data(), loop.steps(), buffers.scalars);
    } else {
      run_tiles(loop, function, buffers);
    }
  }
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

void Pointwise::run_tiles(const StridedLoop& loop, TileFunction function, Buffers& buffers) const {
  const size_t tile = kTileBytes / size_of(compute());
  char* data[kMaxInputs + 1];
  ptrdiff_t steps[kMaxInputs + 1];
  for (size_t done = 0; done < loop.run(); done += tile) {
    const size_t n = loop.run() - done < tile ? loop.run() - done : tile;
    for (size_t i = 0; i < count_; ++i) {
      data[i] = loop.data(i) + static_cast<ptrdiff_t>(done) * loop.step(i);
      steps[i] = loop.step(i);
      if (is_direct(i)) {
        continue;
      }
      if (i > 0 && (done == 0 || steps[i] != 0)) {  // what repeats is converted once
        load_operand(i, data[i], steps[i], steps[i] == 0 ? 1 : n, buffers.tiles[i]);
      }
      data[i] = buffers.tiles[i];
      steps[i] = i == 0 && gives_bool_result() ? 1
                 : i > 0 && loop.step(i) == 0  ? 0
                                               : static_cast<ptrdiff_t>(size_of(compute()));
    }
    function(n, data, steps, buffers.scalars);
    if (!is_direct(0)) {
      store_results(loop.data(0) + static_cast<ptrdiff_t>(done) * loop.step(0), loop.step(0), n, buffers.tiles[0]);
    }
  }
}

}  // namespace portable
}  // namespace wick
