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
  WICK_REQUIRE(ctx_, static_cast<size_t>(in_.dim()) <= kMaxDims && is_in(in_.scalar_type(), kNumbers & kBuilt), false,
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

// The walk over the elements of one result: the reduced dimensions. Operand 1 are the elements, 0 sets the order.
StridedLoop Reduction::walk_elements(const ptrdiff_t* strides) const {
  Shape shape;
  ptrdiff_t reduced[kMaxDims] = {};
  ptrdiff_t logical[kMaxDims] = {};
  for (size_t i = 0; i < static_cast<size_t>(in_.dim()); ++i) {
    if ((reduced_ >> i & 1) != 0) {
      reduced[shape.dim] = strides[i];
      shape.push(in_.sizes()[i]);
    }
  }
  strides_of(shape, nullptr, logical);
  const size_t size = element_size(in_.scalar_type());
  StridedLoop loop(shape);
  loop.add(in_.const_data_ptr(), size, in_order_ ? logical : reduced);
  loop.add(in_.const_data_ptr(), size, reduced);
  loop.start();
  return loop;
}

// The walk over the results: the kept dimensions. Operand 0 is the first element of each, then come the outputs.
StridedLoop Reduction::walk_results(const ptrdiff_t* strides, const Outputs& outputs) const {
  Shape shape;
  ptrdiff_t kept[kMaxDims] = {};
  for (size_t i = 0; i < static_cast<size_t>(in_.dim()); ++i) {
    if ((reduced_ >> i & 1) == 0) {
      kept[shape.dim] = strides[i];
      shape.push(in_.sizes()[i]);
    }
  }
  StridedLoop loop(shape);
  loop.add(in_.const_data_ptr(), element_size(in_.scalar_type()), kept);
  for (Tensor* output : outputs) {
    if (output != nullptr) {
      add_output(loop, *output);
    }
  }
  loop.start();
  return loop;
}

void Reduction::add_output(StridedLoop& outer, const Tensor& out) const {
  ptrdiff_t own[kMaxDims];
  ptrdiff_t kept[kMaxDims] = {};
  strides_of(out, own);
  size_t next = 0;
  for (size_t i = 0; i < static_cast<size_t>(in_.dim()); ++i) {
    if ((reduced_ >> i & 1) == 0) {
      kept[next] = own[keepdim_ ? i : next];
      ++next;
    }
  }
  outer.add(out.const_data_ptr(), element_size(out.scalar_type()), kept);
}

bool Reduction::run(Compute compute, Tensor* out, Tensor* second, Tensor* indices) {
  if (!valid()) {
    return false;
  }
  WICK_REQUIRE(ctx_, functions_.functions[static_cast<size_t>(compute)] != nullptr, false,
               "the operator has no arithmetic for these dtypes");
  const Outputs outputs = {out, second, indices};
  for (Tensor* output : outputs) {
    WICK_REQUIRE(ctx_, output == nullptr || is_in(output->scalar_type(), kNumbers & kBuilt), false,
                 "unsupported output dtype");
    if (!resize_output(output)) {
      return false;
    }
  }
  ptrdiff_t strides[kMaxDims];
  strides_of(in_, strides);
  StridedLoop inner = walk_elements(strides);
  StridedLoop outer = walk_results(strides, outputs);
  ReduceState state;
  while (outer.next()) {
    for (size_t i = 0; i < outer.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      reduce_one(inner, outer.data(0) + at * outer.step(0), compute, state);
      size_t operand = 0;
      for (size_t o = 0; o < 3; ++o) {
        if (outputs[o] == nullptr) {
          continue;
        }
        ++operand;
        char* to = outer.data(operand) + at * outer.step(operand);
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
