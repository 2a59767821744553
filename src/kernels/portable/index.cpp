// SPDX-License-Identifier: BSD-3-Clause
//
// Advanced indexing: aten::index and index_put, by tensors of indices and by masks, as in PyTorch. The indexed
// dimensions are walked together; each step moves the part of the tensor that the other dimensions span.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

using IndexList = ArrayRef<std::optional<Tensor>>;

constexpr DtypeSet kMasks = dtypes(ScalarType::Bool, ScalarType::Byte);
constexpr DtypeSet kIndices = dtypes(ScalarType::Int, ScalarType::Long) | kMasks;

// The true places of a mask, found in order; asking for the next one continues where the last search ended.
class MaskPlaces {
 public:
  void start(const View& mask) {
    mask_ = &mask;
    restart();
  }
  size_t count() {
    size_t n = 0;
    for (restart(); find();) {
      ++n;
    }
    restart();
    return n;
  }
  /// Coordinate `axis` of true place `i`, which exists.
  int64_t coordinate(size_t i, size_t axis) {
    if (i < found_) {
      restart();
    }
    while (found_ <= i) {
      find();
    }
    size_t rest = at_ - 1;
    for (size_t dim = mask_->dim() - 1; dim > axis; --dim) {
      rest /= static_cast<size_t>(mask_->shape[dim]);
    }
    return static_cast<int64_t>(rest % static_cast<size_t>(mask_->shape[axis]));
  }

 private:
  void restart() { at_ = found_ = 0; }
  // Moves behind the next true place; false at the end.
  bool find() {
    const size_t size = product(mask_->shape);
    while (at_ < size) {
      size_t rest = at_++;
      ptrdiff_t offset = 0;
      for (size_t dim = mask_->dim(); dim-- > 0;) {
        offset += static_cast<ptrdiff_t>(rest % static_cast<size_t>(mask_->shape[dim])) * mask_->strides[dim];
        rest /= static_cast<size_t>(mask_->shape[dim]);
      }
      if (mask_->data[offset] != 0) {
        ++found_;
        return true;
      }
    }
    return false;
  }

  const View* mask_ = nullptr;
  size_t at_ = 0;     // the place behind the last one found
  size_t found_ = 0;  // how many have been found
};

// An indexed tensor: which dimensions have an index, the shape the indices broadcast to, and the result's shape.
class Indexing {
 public:
  Indexing(KernelRuntimeContext& ctx, const Tensor& self, IndexList indices) : ctx_(ctx), view_(self) {
    valid_ = read(indices) && shape_result();
  }

  bool valid() const { return valid_; }
  const Shape& result() const { return result_; }

  /// For each place of the indices, calls function(part of self, part of other); `other` has the result's sizes.
  template <typename Function>
  void visit(char* self, const View& other, Function function) {
    Shape rest_shape;
    ptrdiff_t self_strides[kMaxDims];
    ptrdiff_t other_strides[kMaxDims];
    for (size_t dim = 0, at = 0; dim < view_.dim(); ++dim) {
      if (at == first_) {
        at += places_.dim;
      }
      if (!indexed(dim)) {
        self_strides[rest_shape.dim] = view_.strides[dim];
        other_strides[rest_shape.dim] = other.strides[at++];
        rest_shape.push(view_.shape[dim]);
      }
    }
    StridedLoop loop(rest_shape);
    loop.add(self, view_.element_size, self_strides);
    loop.add(other.data, other.element_size, other_strides);
    loop.start();
    const size_t count = product(places_);
    for (size_t place = 0; place < count; ++place) {
      ptrdiff_t self_at = 0;
      ptrdiff_t other_at = 0;
      if (!locate(place, self_at)) {
        return;
      }
      size_t rest = place;
      for (size_t i = places_.dim; i-- > 0;) {
        other_at += static_cast<ptrdiff_t>(rest % static_cast<size_t>(places_[i])) * other.strides[first_ + i];
        rest /= static_cast<size_t>(places_[i]);
      }
      loop.set_data(0, self + self_at * static_cast<ptrdiff_t>(view_.element_size));
      loop.set_data(1, other.data + other_at * static_cast<ptrdiff_t>(other.element_size));
      loop.restart();
      while (loop.next()) {
        function(loop);
      }
    }
  }

 private:
  struct Index {
    const Tensor* tensor = nullptr;
    size_t axis = 0;    // of a mask
    size_t mask = 0;    // which mask
    size_t length = 0;  // number of its true places
  };

  bool indexed(size_t dim) const { return index_[dim].tensor != nullptr; }

  bool read(IndexList indices) {
    size_t dim = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (!indices[i].has_value()) {
        ++dim;
        continue;
      }
      const Tensor& tensor = *indices[i];
      if (!require_dtype(ctx_, tensor, kIndices)) {
        return false;
      }
      const bool is_mask = is_in(tensor.scalar_type(), kMasks);
      const size_t axes = is_mask ? static_cast<size_t>(tensor.dim()) : 1;
      WICK_REQUIRE(ctx_, axes > 0 && dim + axes <= view_.dim(), false, "index: too many indices for %zu dimensions",
                   view_.dim());
      size_t length = 0;
      if (is_mask) {
        for (size_t axis = 0; axis < axes; ++axis) {
          WICK_REQUIRE(ctx_, tensor.size(static_cast<ssize_t>(axis)) == view_.shape[dim + axis], false,
                       "index: the mask does not have the size %d of dimension %zu",
                       static_cast<int>(view_.shape[dim + axis]), dim + axis);
        }
        WICK_REQUIRE(ctx_, masks_ < kMaxMasks, false, "index: more than %zu masks", kMaxMasks);
        new_mask(tensor);
        length = mask_places_[masks_ - 1].count();
        const SizesType sizes[1] = {static_cast<SizesType>(length)};
        if (!broadcast(ctx_, places_, Sizes(sizes, 1))) {
          return false;
        }
      } else if (!broadcast(ctx_, places_, tensor.sizes())) {
        return false;
      }
      for (size_t axis = 0; axis < axes; ++axis) {
        index_[dim + axis] = {&tensor, axis, is_mask ? masks_ - 1 : kMaxMasks, length};
      }
      dim += axes;
    }
    WICK_REQUIRE(ctx_, dim <= view_.dim(), false, "index: too many indices for %zu dimensions", view_.dim());
    return true;
  }

  void new_mask(const Tensor& tensor) {
    View& view = mask_views_[masks_];
    view = View(tensor);
    mask_places_[masks_].start(view);
    ++masks_;
  }

  bool shape_result() {
    size_t groups = 0;  // of neighbouring indexed dimensions
    first_ = kMaxDims;
    for (size_t dim = 0; dim < view_.dim(); ++dim) {
      if (indexed(dim)) {
        groups += dim == 0 || !indexed(dim - 1) ? 1 : 0;
        first_ = first_ == kMaxDims ? dim : first_;
      }
    }
    WICK_REQUIRE(ctx_, groups > 0, false, "index: no indices");
    first_ = groups > 1 ? 0 : first_;
    for (size_t dim = 0; dim <= view_.dim(); ++dim) {
      if (result_.dim == first_) {
        for (size_t i = 0; i < places_.dim; ++i) {
          result_.push(places_[i]);
        }
      }
      if (dim < view_.dim() && !indexed(dim)) {
        result_.push(view_.shape[dim]);
      }
    }
    WICK_REQUIRE(ctx_, result_.dim <= kMaxDims, false, "index: the result has too many dimensions");
    return true;
  }

  // Offset in self of a place of the indices; false if one is out of range.
  bool locate(size_t place, ptrdiff_t& offset) {
    for (size_t dim = 0; dim < view_.dim(); ++dim) {
      if (!indexed(dim)) {
        continue;
      }
      const Index& index = index_[dim];
      const int64_t size = view_.shape[dim];
      int64_t at = 0;
      if (index.mask < kMaxMasks) {
        const size_t last = static_cast<size_t>(places_[places_.dim - 1]);
        at = mask_places_[index.mask].coordinate(index.length == 1 ? 0 : place % last, index.axis);
      } else {
        at = item(*index.tensor, place);
      }
      at += at < 0 ? size : 0;
      WICK_REQUIRE(ctx_, at >= 0 && at < size, false, "index: %d is out of range for %d items", static_cast<int>(at),
                   static_cast<int>(size));
      offset += static_cast<ptrdiff_t>(at) * view_.strides[dim];
    }
    return true;
  }

  // An index tensor's item at a place of the broadcast shape.
  int64_t item(const Tensor& tensor, size_t place) const {
    const View view(tensor);
    ptrdiff_t offset = 0;
    for (size_t i = 0; i < view.dim(); ++i) {
      const size_t dim = view.dim() - 1 - i;
      const size_t size = static_cast<size_t>(places_[places_.dim - 1 - i]);
      offset += view.shape[dim] == 1 ? 0 : static_cast<ptrdiff_t>(place % size) * view.strides[dim];
      place /= size;
    }
    return load_one<int64_t>(tensor.scalar_type(), view.data + offset * static_cast<ptrdiff_t>(view.element_size));
  }

  static constexpr size_t kMaxMasks = 4;

  KernelRuntimeContext& ctx_;
  View view_;
  Index index_[kMaxDims];
  Shape places_;  // what the indices broadcast to
  Shape result_;
  size_t first_ = 0;  // where the indexed dimensions stand in the result
  size_t masks_ = 0;
  View mask_views_[kMaxMasks] = {view_, view_, view_, view_};
  MaskPlaces mask_places_[kMaxMasks];
  bool valid_;
};

Tensor& index_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, IndexList indices, Tensor& out) {
  if (!require_same_dtype(ctx, in, out)) {
    return out;
  }
  Indexing indexing(ctx, in, indices);
  if (indexing.valid() && resize(ctx, out, indexing.result())) {
    const View from(in);
    indexing.visit(from.data, View(out), [&](StridedLoop& loop) {
      copy_run(loop.data(1), loop.step(1), loop.data(0), loop.step(0), loop.run(), from.element_size);
    });
  }
  return out;
}

void add_run(ScalarType type, const StridedLoop& loop) {
  for (size_t i = 0; i < loop.run(); ++i) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(i);
    char* sum = loop.data(0) + at * loop.step(0);
    const char* value = loop.data(1) + at * loop.step(1);
    if (is_in(type, kIntegral)) {
      const uint64_t total =
          static_cast<uint64_t>(load_one<int64_t>(type, sum)) + static_cast<uint64_t>(load_one<int64_t>(type, value));
      store_one(type, sum, static_cast<int64_t>(total));
    } else {
      store_one(type, sum, load_one<double>(type, sum) + load_one<double>(type, value));
    }
  }
}

// Puts values, broadcast to the result's shape, into out.
void put(KernelRuntimeContext& ctx, Tensor& out, IndexList indices, const Tensor& values, bool accumulate) {
  if (!require_same_dtype(ctx, out, values) || (accumulate && !require_dtype(ctx, out, kRealHBBF16))) {
    return;
  }
  Indexing indexing(ctx, out, indices);
  if (!indexing.valid()) {
    return;
  }
  const Shape& shape = indexing.result();
  View source(values);
  WICK_REQUIRE(ctx, source.dim() <= shape.dim, , "index_put: the values have more dimensions than what is indexed");
  while (source.dim() < shape.dim) {
    source.insert(0, 1, 0);
  }
  for (size_t i = 0; i < shape.dim; ++i) {
    WICK_REQUIRE(ctx, source.shape[i] == shape[i] || source.shape[i] == 1, ,
                 "index_put: size %d of the values' dimension %zu does not broadcast to %d",
                 static_cast<int>(source.shape[i]), i, static_cast<int>(shape[i]));
    source.strides[i] = source.shape[i] == shape[i] ? source.strides[i] : 0;
  }
  const ScalarType type = out.scalar_type();
  indexing.visit(static_cast<char*>(out.mutable_data_ptr()), source, [&](StridedLoop& loop) {
    if (accumulate) {
      add_run(type, loop);
    } else {
      copy_run(loop.data(0), loop.step(0), loop.data(1), loop.step(1), loop.run(), source.element_size);
    }
  });
}

Tensor& index_put_out(KernelRuntimeContext& ctx, const Tensor& in, IndexList indices, const Tensor& values,
                      bool accumulate, Tensor& out) {
  if (require_same_dtype(ctx, in, out) && resize_as(ctx, out, in)) {
    copy_tensor(in, out);
    put(ctx, out, indices, values, accumulate);
  }
  return out;
}

Tensor& index_put_(KernelRuntimeContext& ctx, Tensor& in, IndexList indices, const Tensor& values, bool accumulate) {
  put(ctx, in, indices, values, accumulate);
  return in;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_index_Tensor_out, wick::portable::index_Tensor_out)
WICK_KERNEL(aten_index_put_out, wick::portable::index_put_out)
WICK_KERNEL(aten_index_put_, wick::portable::index_put_)
