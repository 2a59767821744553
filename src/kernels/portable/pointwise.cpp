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

// Which dimension is the i-th in memory.
size_t place_of(const DimOrderType* order, size_t i) { return order == nullptr ? i : order[i]; }
}  // namespace

Pointwise::Pointwise(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, ScalarType common)
    : ctx_(ctx), walk_(functions.walk), common_(common) {
  const Compute compute = compute_of(this->common());
  function_ = functions.functions[static_cast<size_t>(compute)];
  own_ = dtype_of(compute);
}

void Pointwise::set_operand(size_t i, const Tensor& tensor) {
  describe(tensor, operands_[i].shaped);
  operands_[i].type = tensor.scalar_type();
  check_operand(i);
}

void Pointwise::check_operand(size_t i) {
  const ScalarType type = operands_[i].type;
  WICK_REQUIRE(ctx_, is_in(type, kNumbers & kBuilt), , "operand %d has the unsupported dtype %d", static_cast<int>(i),
               static_cast<int>(type));
  direct_ = direct_ && (kOneDtype ||
                        (i == 0 && gives_bool_result() ? type == ScalarType::Bool : type == common() && type == own()));
}

Pointwise& Pointwise::in(const Tensor& tensor) {
  set_operand(count_++, tensor);
  return *this;
}

// A number is an operand that repeats one element of the compute type.
Pointwise& Pointwise::in(const Scalar& number) {
  char* const place = numbers_[count_];
  store_scalar(own(), number, place);
  operands_[count_++] = {{place, nullptr, 0, nullptr, nullptr}, own()};
  direct_ = direct_ && (kOneDtype || common() == own());
  return *this;
}

Pointwise& Pointwise::in(const void* data, ScalarType type, Sizes sizes, const ptrdiff_t* strides) {
  operands_[count_] = {{data, sizes.data(), sizes.size(), nullptr, strides}, type};
  check_operand(count_++);
  return *this;
}

Pointwise& Pointwise::scalar(const Scalar& number) {
  if (require_fit(ctx_, number, common())) {
    store_scalar(own(), number, scalars_ + scalar_count_++ * element_size(own()));
  }
  return *this;
}

bool Pointwise::run(Tensor& out) {
  const ScalarType result = gives_bool_result() ? ScalarType::Bool : common();
  WICK_REQUIRE(ctx_, function_ != nullptr, false, "the operator has no arithmetic for dtype %d",
               static_cast<int>(common()));
  WICK_REQUIRE(ctx_, can_cast(result, out.scalar_type()), false, "a result of dtype %d cannot be stored as dtype %d",
               static_cast<int>(result), static_cast<int>(out.scalar_type()));
  set_operand(0, out);
  return ctx_.failure_state() == Error::Ok && walk_(*this, out);
}

void Pointwise::run_flat(size_t n, char* const* data, const ptrdiff_t* steps) const {
  if (kOneDtype || direct_) {
    function_(n, data, steps, scalars_);
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
  StridedLoop loop(shape, out.dim_order().data());
  for (size_t i = 0; i < call.count_; ++i) {
    const Operand& operand = call.operands_[i];
    loop.add(operand.shaped, element_size(operand.type));
  }
  loop.start_in_order();
  while (loop.next()) {
    call.run_flat(loop.run(), loop.data(), loop.steps());
  }
  return true;
}

// True if the operand has the sizes and the dim order of the result.
bool Pointwise::lies_like(const Tensor& out, const Operand& operand) {
  if (operand.shaped.strides != nullptr || operand.shaped.rank != out.sizes().size()) {
    return false;
  }
  const DimOrderType* const order = out.dim_order().data();
  for (size_t i = 0; i < operand.shaped.rank; ++i) {
    if (operand.shaped.sizes[i] != out.sizes()[i] || place_of(operand.shaped.dim_order, i) != place_of(order, i)) {
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
    data[i] = static_cast<char*>(const_cast<void*>(operand.shaped.data));
    steps[i] = 0;
    if (operand.shaped.sizes == nullptr) {
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

namespace {

// Converts by way of a third dtype, whose elements lie in a tile for a moment.
void convert_via(ScalarType via, const Strip& from, const Strip& to, const Strip& tile, size_t n) {
  if (from.type == via || via == to.type) {
    convert(from, to, n);
    return;
  }
  const Strip between = {via, tile.data, tile.step};
  convert(from, between, n);
  convert(between, to, n);
}

}  // namespace

// Operands become elements of the common dtype first, and these of the compute type; so do results. What repeats is
// converted once for each tile.
void Pointwise::run_tiles(size_t n, char* const* data, const ptrdiff_t* steps) const {
  alignas(16) char tiles[kMaxInputs + 1][kTileBytes];
  char* tile_data[kMaxInputs + 1];
  ptrdiff_t tile_steps[kMaxInputs + 1];
  const size_t size = element_size(own());
  const size_t count = kTileBytes / size;
  for (size_t done = 0; done < n; done += count) {
    const size_t left = n - done < count ? n - done : count;
    Strip memory;
    Strip tile;
    ScalarType via = common();
    for (size_t i = count_; i-- > 0;) {
      memory = {operands_[i].type, data[i] + static_cast<ptrdiff_t>(done) * steps[i], steps[i]};
      tile = {own(), tiles[i], steps[i] == 0 ? 0 : static_cast<ptrdiff_t>(size)};
      if (i == 0 && gives_bool_result()) {
        via = ScalarType::Bool;
        tile = {via, tiles[i], 1};
      }
      if (memory.type == via && tile.type == via) {
        tile = memory;
      } else if (i > 0) {
        convert_via(via, memory, tile, tile, steps[i] == 0 ? 1 : left);
      }
      tile_data[i] = tile.data;
      tile_steps[i] = tile.step;
    }
    function_(left, tile_data, tile_steps, scalars_);
    if (tile.data != memory.data) {
      convert_via(via, tile, memory, tile, left);
    }
  }
}

}  // namespace portable
}  // namespace wick
