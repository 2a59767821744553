// SPDX-License-Identifier: BSD-3-Clause
// Elementwise operations: two operands brought to one scale, combined, scaled to the OFM.
#include <algorithm>

#include "context.h"
#include "decode.h"
#include "feature_map.h"
#include "output.h"
#include "scaling.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kLine = 1024;  // elements worked on together

// Loads a line of one operand, repeating it along broadcast axes.
void load_operand(const Operand& operand, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                  std::int32_t nc, std::int64_t* out) {
  const std::ptrdiff_t count = std::ptrdiff_t{nx} * nc;
  if (operand.scalar) {
    std::fill_n(out, count, operand.scalar_value - operand.map.zero_point);
    return;
  }
  if (operand.broadcast_h) y = 0;
  const std::int32_t positions = operand.broadcast_w ? 1 : nx;
  if (operand.broadcast_w) x = 0;
  if (!operand.broadcast_c) {
    load_line(operand.map, y, x, positions, c, nc, out);
  } else {
    load_line(operand.map, y, x, positions, 0, 1, out);
    for (std::int32_t p = positions; p-- > 0;) {
      const std::int64_t value = out[p];
      std::fill_n(out + std::ptrdiff_t{p} * nc, nc, value);
    }
  }
  if (operand.broadcast_w) {
    for (std::int32_t p = 1; p < nx; ++p) std::copy_n(out, nc, out + std::ptrdiff_t{p} * nc);
  }
}

std::int64_t leading_zeros(std::int64_t value) {
  std::uint32_t bits = static_cast<std::uint32_t>(value);
  std::int64_t count = 0;
  while (count < 32 && (bits & 0x80000000u) == 0) {
    bits <<= 1;
    ++count;
  }
  return count;
}

std::int64_t shift_right(std::int64_t a, std::int64_t b, Rounding rounding) {
  if (b <= 0) return a;
  if (b > 31) b = 31;
  if (rounding == Rounding::kNatural) a = wrapping_add(a, std::int64_t{1} << (b - 1));
  return a >> b;
}

std::int64_t shift_left(std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 31) return 0;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << b);
}

std::int64_t divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return a < 0 ? INT32_MIN : INT32_MAX;
  return b == -1 ? wrapping_subtract(0, a) : a / b;
}

std::int64_t combine(Elementwise mode, std::int64_t a, std::int64_t b, Rounding rounding) {
  switch (mode) {
    case Elementwise::kMul:
      return wrapping_multiply(a, b);
    case Elementwise::kAdd:
      return wrapping_add(a, b);
    case Elementwise::kSub:
      return wrapping_subtract(a, b);
    case Elementwise::kMin:
      return std::min(a, b);
    case Elementwise::kMax:
      return std::max(a, b);
    case Elementwise::kAbs:
      return a < 0 ? wrapping_subtract(0, a) : a;
    case Elementwise::kClz:
      return leading_zeros(a);
    case Elementwise::kShr:
      return shift_right(a, b, rounding);
    case Elementwise::kShl:
      return shift_left(a, b);
    case Elementwise::kLsr:
      return b < 0 || b > 31 ? 0 : static_cast<std::int64_t>(static_cast<std::uint32_t>(a) >> b);
    case Elementwise::kDiv:
      return divide(a, b);
    case Elementwise::kEqual:
      return a == b;
    case Elementwise::kNotEqual:
      return a != b;
    case Elementwise::kGreaterEqual:
      return a >= b;
    case Elementwise::kGreater:
      return a > b;
    case Elementwise::kAnd:
      return a & b;
    case Elementwise::kOr:
      return a | b;
    case Elementwise::kXor:
      return a ^ b;
    case Elementwise::kNot:
      return ~a;
    case Elementwise::kAndNot:
      return a & ~b;
    default:
      return a;
  }
}

// The mode is chosen per line, so that the common loops stay free of a switch.
void combine_line(Elementwise mode, std::int64_t* a, const std::int64_t* b, std::size_t n, Rounding rounding) {
  switch (mode) {
    case Elementwise::kMul:
      for (std::size_t i = 0; i < n; ++i) a[i] = wrapping_multiply(a[i], b[i]);
      return;
    case Elementwise::kAdd:
      for (std::size_t i = 0; i < n; ++i) a[i] = wrapping_add(a[i], b[i]);
      return;
    case Elementwise::kSub:
      for (std::size_t i = 0; i < n; ++i) a[i] = wrapping_subtract(a[i], b[i]);
      return;
    default:
      for (std::size_t i = 0; i < n; ++i) a[i] = combine(mode, a[i], b[i], rounding);
      return;
  }
}

void scale_line(std::int64_t* line, std::size_t n, const Scaler& scaler) {
  for (std::size_t i = 0; i < n; ++i) line[i] = scale_value(line[i], scaler);
}

void shift_line(std::int64_t* line, std::size_t n, std::uint8_t shift) {
  for (std::size_t i = 0; i < n; ++i) line[i] = wrapping_multiply(line[i], std::int64_t{1} << shift);
}

class Scales {
 public:
  explicit Scales(const Operation& operation)
      : operation_(operation), a_(make_scaler(operation.scale_a)), b_(make_scaler(operation.scale_b)) {
    ScaleParameters ofm = operation.ofm_scale;
    if (operation.shift_only) ofm.scale = 1;
    ofm_ = make_scaler(ofm);
    ofm_is_identity_ = ofm.scale == 1 && ofm.shift == 0;
  }

  void operands(std::int64_t* a, std::int64_t* b, std::size_t n) const {
    switch (operation_.operand_scaling) {
      case OperandScaling::kNone:
        return;
      case OperandScaling::kMultiply:
        if (a_.scale != 1) {
          for (std::size_t i = 0; i < n; ++i) a[i] = wrapping_multiply(a[i], a_.scale);
        }
        if (b_.scale != 1) {
          for (std::size_t i = 0; i < n; ++i) b[i] = wrapping_multiply(b[i], b_.scale);
        }
        return;
      case OperandScaling::kScaleA:
        scale_line(a, n, a_);
        shift_line(b, n, operation_.fixed_shift);
        return;
      case OperandScaling::kScaleB:  // the register is still OPA_SCALE
        shift_line(a, n, operation_.fixed_shift);
        scale_line(b, n, a_);
        return;
      case OperandScaling::kBoth:
        scale_line(a, n, a_);
        if (!is_unary(operation_.elementwise)) scale_line(b, n, b_);
        return;
    }
  }

  void result(std::int64_t* line, std::size_t n) const {
    if (!ofm_is_identity_) scale_line(line, n, ofm_);
  }

  // LRELU: negative values are scaled, positive ones are not (U55), or each has its own operand scale (U85).
  void leaky(std::int64_t* line, std::size_t n, bool u85) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (u85) {
        line[i] = scale_value(line[i], line[i] < 0 ? b_ : a_);
      } else if (line[i] < 0) {
        line[i] = scale_value(line[i], ofm_);
      }
    }
  }

 private:
  const Operation& operation_;
  Scaler a_, b_, ofm_;
  bool ofm_is_identity_ = false;
};

bool is_scaled(Elementwise mode, bool u85) {
  if (u85) return true;
  return mode == Elementwise::kMul || mode == Elementwise::kAdd || mode == Elementwise::kSub ||
         mode == Elementwise::kAbs;
}

}  // namespace

bool execute_elementwise(Context& context, const Operation& operation) {
  const Shape& ofm = operation.ofm_shape;
  const Output output(context, operation);
  const Scales scales(operation);
  const bool u85 = context.config.product == Product::kU85, unary = is_unary(operation.elementwise);
  const bool leaky = operation.elementwise == Elementwise::kLrelu;
  const std::int32_t step_c = std::min(ofm.depth, kLine),
                     step_x = std::clamp<std::int32_t>(kLine / step_c, 1, ofm.width);
  const std::size_t room = static_cast<std::size_t>(step_c) * static_cast<std::size_t>(step_x);
  std::int64_t* first = context.arena.take<std::int64_t>(room);
  std::int64_t* second = unary ? first : context.arena.take<std::int64_t>(room);
  if (first == nullptr || second == nullptr) return context.out_of_workspace();
  std::int64_t* a = operation.swapped ? second : first;
  std::int64_t* b = operation.swapped ? first : second;

  for (std::int32_t y = 0; y < ofm.height; ++y) {
    for (std::int32_t x = 0; x < ofm.width; x += step_x) {
      const std::int32_t nx = std::min(step_x, ofm.width - x);
      for (std::int32_t c = 0; c < ofm.depth; c += step_c) {
        const std::int32_t nc = std::min(step_c, ofm.depth - c);
        const std::size_t n = static_cast<std::size_t>(nx) * static_cast<std::size_t>(nc);
        load_operand(operation.ifm, y, x, nx, c, nc, first);
        if (!unary) load_operand(operation.ifm2, y, x, nx, c, nc, second);
        if (leaky) {
          scales.leaky(a, n, u85);
          if (u85) scales.result(a, n);
        } else {
          scales.operands(a, b, n);
          combine_line(operation.elementwise, a, b, n, operation.ofm_scale.rounding);
          if (is_scaled(operation.elementwise, u85)) scales.result(a, n);
        }
        output.store(a, y, x, nx, c, nc);
      }
    }
  }
  return true;
}

}  // namespace wick::npu
