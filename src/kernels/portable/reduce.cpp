// SPDX-License-Identifier: BSD-3-Clause
//
// The driver of all reductions (see reduce.h): a walk over the results, and for each a walk over its elements.
#include "src/kernels/portable/reduce.h"

#include <cstring>

namespace wick {
namespace portable {

namespace {
constexpr size_t kTileBytes = 128;
constexpr uint32_t kInvalidDims = ~uint32_t{0};
}  // namespace

Reduction& Reduction::over(int64_t dim, bool keepdim) {
  return over(std::optional<IntArrayRef>(IntArrayRef(&dim, 1)), keepdim);
}

Reduction& Reduction::over(const std::optional<IntArrayRef>& dims, bool keepdim) {
  keepdim_ = keepdim;
  const size_t rank = static_cast<size_t>(in_.dim());
  if (!dims.has_value() || dims->empty()) {
    reduced_ = (uint32_t{1} << (rank < kMaxDims ? rank : kMaxDims)) - 1;
    return *this;
  }
  reduced_ = 0;
  for (int64_t dim : *dims) {
    if (!wrap_dim(ctx_, dim, rank)) {
      reduced_ = kInvalidDims;
      return *this;
    }
    const uint32_t bit = uint32_t{1} << dim;
    if ((reduced_ & bit) != 0) {
      ET_LOG(Error, "dimension %d is listed twice", static_cast<int>(dim));
      ctx_.fail(Error::InvalidArgument);
      reduced_ = kInvalidDims;
      return *this;
    }
    reduced_ |= bit;
  }
  return *this;
}

int64_t Reduction::count() const {
  int64_t count = 1;
  for (ssize_t i = 0; i < in_.dim(); ++i) {
    count *= (reduced_ >> i & 1) != 0 ? in_.size(i) : 1;
  }
  return count;
}

bool Reduction::valid() const {
  if (reduced_ == kInvalidDims) {
    return false;
  }
  WICK_REQUIRE(ctx_, static_cast<size_t>(in_.dim()) <= kMaxDims && is_in(in_.scalar_type(), kNumbers), false,
               "the input has too many dimensions or an unsupported dtype (%d)", static_cast<int>(in_.scalar_type()));
  WICK_REQUIRE(ctx_, !nonempty_ || count() > 0, false, "there is no result for a reduction of no elements");
  return true;
}

bool Reduction::resize_output(Tensor* out) {
  Shape shape;
  for (ssize_t i = 0; i < in_.dim(); ++i) {
    if ((reduced_ >> i & 1) == 0) {
      shape.push(static_cast<SizesType>(in_.size(i)));
    } else if (keepdim_) {
      shape.push(1);
    }
  }
  return out == nullptr || resize(ctx_, *out, shape);
}

void Reduction::reduce_one(StridedLoop& inner, const char* data, Compute compute, ReduceState& state) const {
  const ReduceFunction function = functions_.functions[static_cast<size_t>(compute)];
  const size_t size = size_of(compute);
  const bool same = in_.scalar_type() == dtype_of(compute);
  alignas(16) char buffer[kTileBytes];
  state.count = 0;
  state.index = 0;
  state.parameter = parameter_;
  function(ReduceAction::kBegin, state, nullptr, 0);
  inner.set_data(1, data);
  inner.restart();
  while (inner.next()) {
    const size_t n = inner.run();
    const ptrdiff_t step = inner.step(1);
    const bool direct = same && (step == static_cast<ptrdiff_t>(size) || n == 1);
    const size_t tile = direct ? n : kTileBytes / size;
    for (size_t done = 0; done < n; done += tile) {
      const size_t m = n - done < tile ? n - done : tile;
      const void* values = inner.data(1) + static_cast<ptrdiff_t>(done) * step;
      if (!direct) {
        load(compute, in_.scalar_type(), values, step, m, buffer);
        values = buffer;
      }
      function(ReduceAction::kStep, state, values, m);
      state.count += static_cast<int64_t>(m);
    }
  }
  function(ReduceAction::kEnd, state, nullptr, 0);
}

bool Reduction::run(Compute compute, Tensor* out, Tensor* second, Tensor* indices) {
  if (!valid()) {
    return false;
  }
  WICK_REQUIRE(ctx_, functions_.functions[static_cast<size_t>(compute)] != nullptr, false,
               "the operator has no arithmetic for these dtypes");
  Tensor* const outputs[3] = {out, second, indices};
  for (Tensor* output : outputs) {
    WICK_REQUIRE(ctx_, output == nullptr || is_in(output->scalar_type(), kNumbers), false, "unsupported output dtype");
    if (!resize_output(output)) {
      return false;
    }
  }
  // Kept and reduced dimensions each make a walk of their own; a dummy first operand sets the order.
  Shape kept;
  Shape reduced;
  ptrdiff_t strides[kMaxDims];
  ptrdiff_t kept_strides[kMaxDims] = {};
  ptrdiff_t reduced_strides[kMaxDims] = {};
  ptrdiff_t logical[kMaxDims] = {};
  strides_of(in_, strides);
  for (size_t i = 0; i < static_cast<size_t>(in_.dim()); ++i) {
    const SizesType size = static_cast<SizesType>(in_.size(static_cast<ssize_t>(i)));
    if ((reduced_ >> i & 1) != 0) {
      reduced_strides[reduced.dim] = strides[i];
      reduced.push(size);
    } else {
      kept_strides[kept.dim] = strides[i];
      kept.push(size);
    }
  }
  const size_t in_size = element_size(in_.scalar_type());
  strides_of(reduced, {}, logical);
  StridedLoop inner(reduced);
  inner.add(in_.const_data_ptr(), in_size, in_order_ ? logical : reduced_strides);
  inner.add(in_.const_data_ptr(), in_size, reduced_strides);
  inner.start();

  StridedLoop outer(kept);
  outer.add(in_.const_data_ptr(), in_size, kept_strides);
  size_t operands[3] = {};
  size_t added = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (outputs[i] == nullptr) {
      continue;
    }
    ptrdiff_t own[kMaxDims];
    ptrdiff_t of_kept[kMaxDims] = {};
    strides_of(*outputs[i], own);
    size_t next = 0;
    for (size_t d = 0; d < static_cast<size_t>(in_.dim()); ++d) {
      if ((reduced_ >> d & 1) == 0) {
        of_kept[next] = own[keepdim_ ? d : next];
        ++next;
      }
    }
    operands[i] = added++;
    outer.add(outputs[i]->const_data_ptr(), element_size(outputs[i]->scalar_type()), of_kept);
  }
  outer.start();
  ReduceState state;
  while (outer.next()) {
    for (size_t i = 0; i < outer.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      reduce_one(inner, outer.data(0) + at * outer.step(0), compute, state);
      for (size_t o = 0; o < 3; ++o) {
        if (outputs[o] == nullptr) {
          continue;
        }
        char* to = outer.data(operands[o]) + at * outer.step(operands[o]);
        if (o == 2) {
          store_one(outputs[o]->scalar_type(), to, state.index);
        } else {
          store(compute, outputs[o]->scalar_type(), to, 0, 1, state.values + o * size_of(compute));
        }
      }
    }
  }
  return true;
}

}  // namespace portable
}  // namespace wick
