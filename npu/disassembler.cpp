// SPDX-License-Identifier: BSD-3-Clause
// Text of commands: name, value, and the fields of the packed registers in words.
#include "npu/disassembler.h"

#include <cstdint>

#include "command.h"

namespace wick::npu {
namespace {

// Appends to a buffer and cuts off at its end.
class Writer {
 public:
  Writer(char* text, std::size_t size) : text_(text), left_(size) {
    if (left_ > 0) *text_ = 0;
  }
  Writer& put(const char* s) {
    for (; *s != 0 && left_ > 1; ++s, --left_) *text_++ = *s;
    if (left_ > 0) *text_ = 0;
    return *this;
  }
  Writer& number(std::int64_t value) {
    char digits[24];
    int n = 23;
    digits[n] = 0;
    const bool negative = value < 0;
    std::uint64_t rest = negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    do {
      digits[--n] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) digits[--n] = '-';
    return put(digits + n);
  }
  Writer& hex(std::uint64_t value, int width) {
    char digits[20];
    int n = 19;
    digits[n] = 0;
    do {
      digits[--n] = "0123456789abcdef"[value & 15];
      value >>= 4;
    } while (value != 0 || 19 - n < width);
    return put("0x").put(digits + n);
  }

 private:
  char* text_;
  std::size_t left_;
};

const char* name_of(std::uint32_t kind, std::uint32_t code, Product product) {
  for (const CommandInfo& info : kCommands) {
    if (info.kind == kind && info.code == code && (info.products >> static_cast<int>(product) & 1) != 0) {
      return info.name;
    }
  }
  return "?";
}

template <std::size_t N>
const char* pick(const char* const (&names)[N], std::uint32_t index) {
  return index < N ? names[index] : "?";
}

constexpr const char* kSizes[] = {"8", "16", "32", "64"};
constexpr const char* kLayouts[] = {"NHWC", "NHWCB16"};
constexpr const char* kStorages[] = {"tiles 2x2", "tiles 3x1", "chained", "none"};
constexpr const char* kRoundings55[] = {"double", "truncate", "natural"};
constexpr const char* kRoundings85[] = {"double", "natural", "double asymmetric", "symmetric", "to zero", "floor"};
constexpr const char* kPools[] = {"MAX", "AVERAGE", "REDUCE_SUM", "SUM", "NONE", "MIN", "ARGMAX_X", "ARGMAX_Y"};
constexpr const char* kElementwise[] = {"MUL", "ADD", "SUB", "MIN", "MAX", "LRELU", "ABS", "CLZ", "SHR", "SHL",
                                        "LSR", "DIV", "?",   "?",   "?",   "?",     "EQ",  "NE",  "GE",  "GT"};
constexpr const char* kLogic[] = {"AND", "OR", "XOR", "NOT"};
constexpr const char* kTransposes[] = {"HWC", "WHC", "HCW", "WCH", "?", "?", "CHW", "CWH"};

void write_type(Writer& out, std::uint32_t bits, std::uint32_t size) {
  out.put((bits & 1) != 0 ? " int" : " uint").put(pick(kSizes, size & 3)).put(" ").put(pick(kLayouts, bits >> 6 & 3));
}

void write_ifm_precision(Writer& out, std::uint32_t bits, bool u85, bool second) {
  write_type(out, bits, bits >> 2);
  if (u85) {
    out.put(", ").put(pick(kStorages, bits >> 14 & 3));
  } else if (!second) {
    constexpr const char* kModes[] = {"both 16 bits", "A 32 bits", "B 32 bits"};
    out.put(", operand scaling ").put(pick(kModes, bits >> 8 & 3));
    out.put(" ").put(pick(kRoundings55, bits >> 14 & 3));
  }
}

void write_ofm_precision(Writer& out, std::uint32_t bits, bool u85) {
  write_type(out, bits, bits >> 1);
  out.put((bits >> 8 & 1) != 0 ? ", global scale" : ", scale per channel");
  if (u85) {
    out.put(", ").put(pick(kStorages, bits >> 14 & 3)).put(", ").put(pick(kTransposes, bits >> 11 & 7));
    constexpr const char* kReverse[] = {"", ", reversed H", ", reversed W", ", reversed C"};
    out.put(pick(kReverse, bits >> 9 & 3));
  } else {
    out.put(", rounding ").put(pick(kRoundings55, bits >> 14 & 3));
  }
}

void write_kernel_stride(Writer& out, std::uint32_t bits) {
  out.put(" stride ").number(1 + (bits >> 1 & 1) + (bits >> 9 & 1) * 2).put("x");
  out.number(1 + (bits & 1) + (bits >> 6 & 1) * 2);
  out.put(", dilation ").number(1 + (bits >> 4 & 1)).put("x").number(1 + (bits >> 3 & 1));
  out.put((bits >> 2 & 1) != 0 ? ", part-kernel first" : ", depth first");
}

void write_activation(Writer& out, std::uint32_t bits, bool u85) {
  const std::uint32_t function = bits & 31;
  if (u85) {
    out.put(" function ").number(function).put(", table ").number(bits >> 5 & 7);
    out.put((bits >> 12 & 1) != 0 ? ", no clip" : ", clip");
    return;
  }
  if (function >= 16) {
    out.put(" table ").number(function - 16);
  } else {
    out.put(function == 0 ? " none" : function == 3 ? " tanh" : function == 4 ? " sigmoid" : " ?");
  }
  constexpr const char* kRanges[] = {"of the OFM", "?", "uint8", "int8", "?", "int16", "?", "?"};
  out.put(", range ").put(pick(kRanges, bits >> 12 & 7));
}

void write_operation(Writer& out, std::uint32_t code, std::uint32_t parameter) {
  switch (code) {
    case op::kPool:
      out.put(" ").put(pick(kPools, parameter & 7));
      break;
    case op::kElementwise: {
      const std::uint32_t mode = parameter & 63;
      out.put(" ");
      out.put(mode == 42 ? "AND_NOT" : mode >= 33 && mode < 37 ? kLogic[mode - 33] : pick(kElementwise, mode));
      break;
    }
    case op::kConv:
      if ((parameter & 1) != 0) out.put(" weights from IFM2");
      break;
    case op::kStop:
    case op::kIrq:
      out.put(" mask ").hex(parameter, 4);
      break;
    default:
      if (parameter != 0) out.put(" ").number(parameter);
      break;
  }
}

bool is_size(std::uint32_t code) {
  switch (code) {
    case reg::kIfmDepthM1:
    case reg::kIfmWidth0M1:
    case reg::kIfmHeight0M1:
    case reg::kIfmHeight1M1:
    case reg::kOfmWidthM1:
    case reg::kOfmHeightM1:
    case reg::kOfmDepthM1:
    case reg::kOfmBlkWidthM1:
    case reg::kOfmBlkHeightM1:
    case reg::kOfmBlkDepthM1:
    case reg::kOfmWidth0M1:
    case reg::kOfmHeight0M1:
    case reg::kOfmHeight1M1:
    case reg::kKernelWidthM1:
    case reg::kKernelHeightM1:
    case reg::kIfm2Width0M1:
    case reg::kIfm2Height0M1:
    case reg::kIfm2Height1M1:
      return true;
    default:
      return false;
  }
}

void write_register(Writer& out, std::uint32_t code, std::uint32_t parameter, bool u85) {
  switch (code) {
    case reg::kIfmPrecision:
    case reg::kIfm2Precision:
      return write_ifm_precision(out, parameter, u85, code == reg::kIfm2Precision);
    case reg::kOfmPrecision:
      return write_ofm_precision(out, parameter, u85);
    case reg::kKernelStride:
      return write_kernel_stride(out, parameter);
    case reg::kActivation:
      return write_activation(out, parameter, u85);
    case reg::kIfmZeroPoint:
    case reg::kIfm2ZeroPoint:
    case reg::kOfmZeroPoint:
    case reg::kActivationMin:
    case reg::kActivationMax:
    case reg::kIfm2Scalar:
      out.put(" ").number(static_cast<std::int16_t>(parameter));
      return;
    case reg::kIfm2Broadcast:
    case reg::kDma0SrcRegion:
    case reg::kDma0DstRegion:
    case reg::kAccFormat:
      out.put(" ").hex(parameter, 4);
      return;
    default:
      out.put(" ").number(parameter);
      if (is_size(code)) out.put("  (").number(parameter + 1).put(")");
      return;
  }
}

bool is_scale(std::uint32_t code) {
  return code == wide::kOfmScale || code == wide::kOpaScale || code == wide::kOpbScale;
}

void write_wide(Writer& out, std::uint32_t code, std::uint32_t parameter, std::uint32_t payload, Product product) {
  const bool stride = (code & 0x7F) == wide::kIfmStrideX || (code & 0x7F) == wide::kIfmStrideY ||
                      (code & 0x7F) == wide::kIfmStrideC || (code >= wide::kOfmStrideX && code <= wide::kOfmStrideC);
  if (is_scale(code)) {
    out.put(" ").hex(payload, 8).put(" shift ").number(parameter & 63);
    if (product == Product::kU85) out.put(", rounding ").put(pick(kRoundings85, parameter >> 13 & 7));
    return;
  }
  const std::uint64_t value = payload | static_cast<std::uint64_t>(parameter & 0xFF) << 32;
  if (stride) {
    const int drop = product == Product::kU55 ? 32 : 24;
    out.put(" ").number(static_cast<std::int64_t>(value << drop) >> drop);
    return;
  }
  out.put(" ").hex(product == Product::kU55 ? payload : value, 8);
}

}  // namespace

std::size_t disassemble(const Config& config, Bytes stream, std::size_t offset, char* text, std::size_t size) {
  Writer out(text, size);
  const auto word_at = [&](std::size_t at) {
    const std::uint8_t* p = stream.data + at;
    return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
           static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
  };
  if (offset >= stream.size) return stream.size;
  out.hex(offset, 6).put("  ");
  if (stream.size - offset < 4) {
    out.put("(cut off)");
    return stream.size;
  }
  const std::uint32_t word = word_at(offset), code = command_code(word), kind = command_kind(word);
  const std::uint32_t parameter = command_parameter(word);
  offset += 4;
  if (command_reserved(word) != 0 || !command_exists(kind, code, config.product)) {
    out.put("(no command: ").hex(word, 8).put(")");
    return offset;
  }
  out.put(name_of(kind, code, config.product));
  if (kind == 0) {
    if (code < reg::kFirst) {
      write_operation(out, code, parameter);
    } else {
      write_register(out, code, parameter, config.product == Product::kU85);
    }
    return offset;
  }
  if (stream.size - offset < 4) {
    out.put(" (cut off)");
    return stream.size;
  }
  write_wide(out, code, parameter, word_at(offset), config.product);
  return offset + 4;
}

}  // namespace wick::npu
