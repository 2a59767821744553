// SPDX-License-Identifier: BSD-3-Clause
// One decoded operation: what the registers mean at an OP_ command, independent of the product. The decoder fills it
// and checks every address range; the executors rely on that and check nothing again.
#pragma once

#include <cstdint>

#include "npu/machine.h"

namespace wick::npu {

enum class Kind : std::uint8_t { kConv, kDepthwise, kPool, kElementwise, kResize };
enum class Layout : std::uint8_t { kNhwc, kBrick };  // kBrick: NHCWB16
enum class Storage : std::uint8_t { kTile2x2, kTile3x1, kChained, kNone };
enum class Upscale : std::uint8_t { kNone, kNearest, kZeros };
enum class Pool : std::uint8_t { kMax, kAverage, kReduceSum, kSum, kNone, kMin, kArgmaxX, kArgmaxY };
enum class Resize : std::uint8_t { kBilinear, kReplicate, kNearest };

enum class Elementwise : std::uint8_t {
  kMul = 0,
  kAdd = 1,
  kSub = 2,
  kMin = 3,
  kMax = 4,
  kLrelu = 5,
  kAbs = 6,
  kClz = 7,
  kShr = 8,
  kShl = 9,
  kLsr = 10,
  kDiv = 11,
  kEqual = 16,
  kNotEqual = 17,
  kGreaterEqual = 18,
  kGreater = 19,
  kAnd = 33,
  kOr = 34,
  kXor = 35,
  kNot = 36,
  kAndNot = 42,
};

// The six rounding modes of U85; U55 and U65 have the first, second and fifth.
enum class Rounding : std::uint8_t { kDoubleSymmetric, kNatural, kDoubleAsymmetric, kSymmetric, kToZero, kFloor };

struct ScaleParameters {
  std::uint32_t scale = 1;
  std::uint8_t shift = 0;
  std::uint8_t double_round = 0;  // U85's dbl_rnd
  Rounding rounding = Rounding::kNatural;
};

// A tensor in a region: element (y, x, c) lies in one of up to four tiles, each with its own base.
struct FeatureMap {
  const std::uint8_t* read = nullptr;
  std::uint8_t* write = nullptr;
  std::uint64_t size = 0;  // of the region
  std::uint64_t base[4] = {0, 0, 0, 0};
  std::int64_t stride_y = 0, stride_x = 0, stride_c = 0;
  std::int32_t width0 = 0, height0 = 0, height1 = 0;
  std::int32_t zero_point = 0;
  Layout layout = Layout::kNhwc;
  Storage storage = Storage::kTile2x2;
  std::uint8_t bytes = 1;  // per element: 1, 2, 4 or 8
  bool is_signed = true;
  std::uint8_t chain = 0;  // buffer number when chained
};

struct Operand {
  FeatureMap map;
  bool scalar = false;
  std::int64_t scalar_value = 0;  // before the zero point
  bool broadcast_h = false, broadcast_w = false, broadcast_c = false;
};

struct Kernel {
  std::int32_t height = 1, width = 1;  // taps
  std::int32_t stride_y = 1, stride_x = 1;
  std::int32_t dilation_y = 1, dilation_x = 1;
  std::int32_t pad_top = 0, pad_left = 0, pad_right = 0, pad_bottom = 0;
  std::int32_t decomposition = 8;  // largest sub-kernel edge before dilation
  bool part_kernel_first = false;
  bool padded() const { return (pad_top | pad_left | pad_right | pad_bottom) != 0; }
};

enum class Function : std::uint8_t { kNone, kTanh, kSigmoid, kTable8, kTable8To16, kTable8To32, kTable16 };

struct Activation {
  Function function = Function::kNone;
  bool index_signed = true;
  std::uint32_t table = 0;  // byte offset in the table memory
  std::int64_t low = 0, high = 0;
};

// How operands are brought to one scale before ADD, SUB and, on U85, any elementwise operation.
enum class OperandScaling : std::uint8_t { kNone, kMultiply, kScaleA, kScaleB, kBoth };

struct Operation {
  Kind kind = Kind::kPool;
  Pool pool = Pool::kMax;
  Elementwise elementwise = Elementwise::kMul;
  Resize resize = Resize::kBilinear;
  std::uint32_t command_offset = 0;

  Operand ifm, ifm2;
  bool swapped = false;  // IFM is operand B
  FeatureMap ofm;
  Shape ifm_shape;  // visible, in upscaled coordinates
  Shape ifm2_shape;
  Shape ofm_shape;
  Shape block;
  std::uint8_t ofm_transpose = 0, ofm_reverse = 0;
  Upscale upscale = Upscale::kNone;
  Kernel kernel;

  OperandScaling operand_scaling = OperandScaling::kNone;
  ScaleParameters scale_a, scale_b;
  std::uint8_t fixed_shift = 0;  // left shift of the operand that is not scaled (U55)
  bool global_scale = true;
  bool records = false;  // per-channel bias, scale and shift from scales[]
  bool shift_only = false;
  ScaleParameters ofm_scale;
  Activation activation;

  bool matmul = false;
  Bytes weights[4];
  Bytes scales[2];
  std::uint8_t streams = 1;  // weight streams in use
  std::uint8_t scale_streams = 1;
  bool fast_weights = false;    // U85 FWD format
  bool sparse_weights = false;  // U85: at most two of four are not zero, which changes the order
  std::uint8_t microblock_depth = 8;
  std::int32_t ifm_block_depth = 32;
  bool long_records = false;  // U85 int48 record layout
  bool acc_keep = false, acc_from_ifm2 = false, ofm_disabled = false;

  std::int32_t resize_n_y = 1, resize_n_x = 1, resize_offset_y = 0, resize_offset_x = 0, resize_d_y = 1, resize_d_x = 1;
};

}  // namespace wick::npu
