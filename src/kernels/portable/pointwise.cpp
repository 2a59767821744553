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
    kNumbers & ~dtypes(ScalarType::Float, ScalarType::Double, ScalarType::Long, ScalarType::ComplexDouble);
}  // namespace

struct Pointwise::Buffers {
  alignas(16) char tile[kMaxInputs + 1][kTileBytes];
  alignas(16) char scalars[kMaxScalars][kComputeBytes];
};

Pointwise& Pointwise::in(const Tensor& tensor) {
  inputs_[count_++] = {tensor.const_data_ptr(), tensor.sizes(), tensor.dim_order(),
                       tensor.scalar_type(),    nullptr,        false};
  return *this;
}

Pointwise& Pointwise::in(const Scalar& number) {
  inputs_[count_++] = {&number, {}, {}, ResultType::dtype_of(number), nullptr, true};
  return *this;
}

Pointwise& Pointwise::in(const void* data, ScalarType type, Sizes sizes, const ptrdiff_t* strides) {
  inputs_[count_++] = {data, sizes, {}, type, strides, false};
  return *this;
}

Pointwise& Pointwise::scalar(const Scalar& number) {
  numbers_[scalars_++] = &number;
  return *this;
}

bool Pointwise::check(Tensor& out) {
  const ScalarType result = bool_result_ ? ScalarType::Bool : common_;
  WICK_REQUIRE(ctx_, is_in(out.scalar_type(), kNumbers) && can_cast(result, out.scalar_type()), false,
               "a result of dtype %d cannot be stored as dtype %d", static_cast<int>(result),
               static_cast<int>(out.scalar_type()));
  Shape shape;
  for (size_t i = 0; i < count_; ++i) {
    WICK_REQUIRE(ctx_, is_in(inputs_[i].type, kNumbers), false, "operand %d has the unsupported dtype %d",
                 static_cast<int>(i), static_cast<int>(inputs_[i].type));
    if (!broadcast(ctx_, shape, inputs_[i].sizes)) {
      return false;
    }
  }
  return resize(ctx_, out, shape);
}

bool Pointwise::run(Tensor& out) {
  compute_ = compute_of(common_);
  const TileFunction function = functions_.functions[static_cast<size_t>(compute_)];
  WICK_REQUIRE(ctx_, function != nullptr && is_in(common_, kNumbers), false,
               "the operator has no arithmetic for dtype %d", static_cast<int>(common_));
  if (!check(out)) {
    return false;
  }
  Buffers buffers;
  for (size_t i = 0; i < scalars_; ++i) {
    load_scalar(compute_, *numbers_[i], buffers.scalars[0] + i * size_of(compute_));
  }
  StridedLoop loop(out.sizes());
  loop.add(out);
  for (size_t i = 0; i < count_; ++i) {
    const Input& input = inputs_[i];
    const size_t size = input.is_number ? 0 : element_size(input.type);
    if (input.strides != nullptr) {
      loop.add(input.data, size, input.strides);
    } else {
      loop.add(input.data, size, input.sizes, input.dim_order);
    }
  }
  loop.start();
  while (loop.next()) {
    run_tiles(loop, function, out, buffers);
  }
  return true;
}

// Narrow common dtypes: the values as that dtype has them.
void Pointwise::round_to_common(void* values, size_t n) const {
  if ((kNarrow & kBuilt) != 0 && is_in(common_, kNarrow)) {
    const ptrdiff_t size = static_cast<ptrdiff_t>(size_of(compute_));
    store(compute_, common_, values, size, n, values);
    load(compute_, common_, values, size, n, values);
  }
}

// The operand as dense elements of the compute type, in the buffer.
const void* Pointwise::load_input(const Input& input, const char* data, ptrdiff_t step, size_t n, void* buffer) const {
  if (input.is_number) {
    load_scalar(compute_, *reinterpret_cast<const Scalar*>(data), buffer);
    for (size_t i = 1; i < n; ++i) {
      memcpy(static_cast<char*>(buffer) + i * size_of(compute_), buffer, size_of(compute_));
    }
  } else {
    load(compute_, input.type, data, step, n, buffer);
  }
  if (input.type != common_) {
    round_to_common(buffer, n);
  }
  return buffer;
}

void Pointwise::store_results(const Tensor& out, char* to, ptrdiff_t step, size_t n, void* results) const {
  if (bool_result_) {
    for (size_t i = 0; i < n; ++i, to += step) {
      store_one(out.scalar_type(), to, int64_t{static_cast<const uint8_t*>(results)[i]});
    }
    return;
  }
  if (common_ != out.scalar_type()) {
    round_to_common(results, n);
  }
  store(compute_, out.scalar_type(), to, step, n, results);
}

void Pointwise::run_tiles(StridedLoop& loop, TileFunction function, const Tensor& out, Buffers& buffers) {
  const ptrdiff_t size = static_cast<ptrdiff_t>(size_of(compute_));
  const bool canonical = common_ == dtype_of(compute_);
  const size_t n = loop.run();
  bool direct[kMaxInputs + 1];  // already what the arithmetic takes: no copy
  direct[0] = bool_result_ ? out.scalar_type() == ScalarType::Bool && (loop.step(0) == 1 || n == 1)
                           : canonical && out.scalar_type() == common_ && (loop.step(0) == size || n == 1);
  bool all = direct[0];
  for (size_t i = 1; i <= count_; ++i) {
    const Input& input = inputs_[i - 1];
    direct[i] = canonical && input.type == common_ && !input.is_number && (loop.step(i) == size || n == 1);
    all = all && direct[i];
  }
  const size_t tile = all ? n : kTileBytes / static_cast<size_t>(size);
  const void* in[kMaxInputs];
  for (size_t done = 0; done < n; done += tile) {
    const size_t m = n - done < tile ? n - done : tile;
    const ptrdiff_t at = static_cast<ptrdiff_t>(done);
    for (size_t i = 1; i <= count_; ++i) {
      const char* data = loop.data(i) + at * loop.step(i);
      if (direct[i]) {
        in[i - 1] = data;
      } else if (done == 0 || loop.step(i) != 0) {  // what repeats is converted once
        in[i - 1] = load_input(inputs_[i - 1], data, loop.step(i), m, buffers.tile[i]);
      }
    }
    char* to = loop.data(0) + at * loop.step(0);
    void* results = direct[0] ? static_cast<void*>(to) : buffers.tile[0];
    function(m, results, in, buffers.scalars);
    if (!direct[0]) {
      store_results(out, to, loop.step(0), m, results);
    }
  }
}

}  // namespace portable
}  // namespace wick
