// SPDX-License-Identifier: BSD-3-Clause
//
// Reading of arguments with their checks, out of line: shared by all kernels of this room.
#include "src/kernels/cortex_m/arguments.h"

#include <wick/dynamic_shapes.h>

#include "src/runtime/kernel/question.h"

namespace wick::cortex_m {

void call(KernelRuntimeContext& ctx, Span<EValue*> args, const Operator& op) {
  size_t count = args.size();
  const bool question = args.data() == internal::question_arguments();
  if (!question && count > op.least && args[count - 1] == args[count - 2]) {
    --count;
  }
  if (count < op.least || count > op.most + (question ? 1u : 0u)) {  // asked without arguments: the output may be twice
    if (!question) {
      ET_LOG(Error, "%s: %d arguments, want %d to %d: was the program exported by another release?", op.name,
             static_cast<int>(count), op.least, op.most);
    }
    ctx.fail(Error::InvalidProgram);
  } else if (!question) {
    Arguments arguments(ctx, args.data(), count, op);
    op.run(arguments);
  }
}

void Arguments::log(const char* what) const {
  (void)what;
  ET_LOG(Error, "%s: %s", operator_.name, what);
}

int32_t Arguments::integer(size_t i) {
  const int64_t v = operand(i).to_int(ctx_);
  require(v >= INT32_MIN && v <= INT32_MAX, "an integer does not fit 32 bits");
  return static_cast<int32_t>(v);
}

int32_t Arguments::small(size_t i) {
  const int32_t v = integer(i);
  return require(v >= -128 && v <= 127, "a zero point or limit is outside of int8") ? v : 0;
}

int32_t Arguments::offset(size_t i) {
  const int32_t v = integer(i);
  require(v >= -127 && v <= 128, "a zero point is outside of int8");
  return v;
}

int32_t Arguments::item(size_t i, int32_t at) {
  if (!require(at < list_size(i), "a list of integers is too short")) {
    return 0;
  }
  const int64_t v = operand(i).list_item(ctx_, static_cast<size_t>(at));
  require(v >= INT32_MIN && v <= INT32_MAX, "an integer does not fit 32 bits");
  return static_cast<int32_t>(v);
}

int32_t Arguments::pair(size_t i, int32_t at) { return item(i, list_size(i) == 1 ? 0 : at); }

const Tensor& Arguments::tensor(size_t i) {
  TensorArgument& room = rooms_[taken_++];
  operand(i).to_tensor(ctx_, room);
  return room.get();
}

const Tensor& Arguments::int8(size_t i, ssize_t dims) {
  const Tensor& t = tensor(i);
  require(t.scalar_type() == ScalarType::Char && (dims < 0 || t.dim() == dims),
          "tensors must be int8, and images of 4 dimensions");
  return t;
}

const int32_t* Arguments::vector(size_t i, int32_t n) {
  TensorArgument room;
  operand(i).to_tensor(ctx_, room);
  const Tensor& t = room.get();
  if (!ok() || !require(t.scalar_type() == ScalarType::Int && t.numel() >= n,
                        "bias, multipliers or shifts: not an int32 tensor with a value per channel")) {
    return nullptr;
  }
  return t.const_data_ptr<int32_t>();
}

Workspace Arguments::workspace(size_t i) {
  TensorArgument room;
  operand(i).to_tensor(ctx_, room);
  const Tensor& t = room.get();
  uint8_t* data = static_cast<uint8_t*>(t.mutable_data_ptr());
  if (!ok() || data == nullptr) {
    return {nullptr, 0};
  }
  const size_t skip = (16 - reinterpret_cast<uintptr_t>(data) % 16) % 16;
  return {data + skip, t.nbytes() > skip ? t.nbytes() - skip : 0};
}

bool same_layout(const Tensor& a, const Tensor& b) {
  if (a.dim() != b.dim()) {
    return false;
  }
  for (size_t d = 0; d < a.sizes().size(); ++d) {
    if (a.sizes()[d] != b.sizes()[d] || (a.sizes()[d] > 1 && a.strides()[d] != b.strides()[d])) {
      return false;
    }
  }
  return true;
}

Image image_of(const Tensor& t, bool nhwc) {
  const size_t y = nhwc ? 1 : 2, x = nhwc ? 2 : 3, c = nhwc ? 3 : 1;
  Image image;
  image.height = static_cast<int32_t>(t.sizes()[y]);
  image.width = static_cast<int32_t>(t.sizes()[x]);
  image.channels = static_cast<int32_t>(t.sizes()[c]);
  const auto stride = [&t](size_t d, int32_t dense) {
    return t.sizes()[d] == 1 ? dense : static_cast<int32_t>(t.strides()[d]);
  };
  image.stride_c = stride(c, 1);
  image.stride_x = stride(x, image.channels);
  image.stride_y = stride(y, image.width * image.channels);
  image.stride_n = stride(0, image.height * image.width * image.channels);
  return image;
}

namespace {

bool resize(Arguments& args, const Tensor& out, executorch::aten::ArrayRef<executorch::aten::SizesType> sizes) {
  return args.require(out.sizes().equals(sizes) ||
                          (has_dynamic_shapes() && executorch::runtime::resize_tensor(out, sizes) == Error::Ok),
                      "the output tensor has other sizes than the result");
}

}  // namespace

bool resize_image(Arguments& args, const Tensor& out, bool nhwc, int32_t batch, const Image& sizes) {
  executorch::aten::SizesType wanted[4] = {batch, sizes.height, sizes.width, sizes.channels};
  if (!nhwc) {
    wanted[1] = sizes.channels;
    wanted[2] = sizes.height;
    wanted[3] = sizes.width;
  }
  return args.require(sizes.height > 0 && sizes.width > 0, "the result would be empty") &&
         resize(args, out, {wanted, 4});
}

bool resize_like(Arguments& args, const Tensor& out, const Tensor& like) { return resize(args, out, like.sizes()); }

bool make_alike(Arguments& args, const Tensor& out, const Tensor& like) {
  return args.ok() && resize_like(args, out, like) &&
         args.require(same_layout(out, like), "input and output must have the same sizes and memory order");
}

}  // namespace wick::cortex_m
