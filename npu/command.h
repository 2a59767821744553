// SPDX-License-Identifier: BSD-3-Clause
// Codes of the command stream: operations, registers, and on which products each exists (docs/npu.md, "Command
// stream"). One table serves the decoder (which codes are legal) and the disassembler (what they are called).
#pragma once

#include <cstdint>

#include "npu/config.h"

namespace wick::npu {

// A command word: bits 9:0 code, 13:10 zero, 15:14 kind, 31:16 parameter. Kind 1 has a second word, the payload.
constexpr std::uint32_t command_code(std::uint32_t word) { return word & 0x3FF; }
constexpr std::uint32_t command_kind(std::uint32_t word) { return (word >> 14) & 3; }
constexpr std::uint32_t command_reserved(std::uint32_t word) { return (word >> 10) & 0xF; }
constexpr std::uint32_t command_parameter(std::uint32_t word) { return word >> 16; }

namespace op {
enum : std::uint16_t {
  kStop = 0,
  kIrq = 1,
  kConv = 2,
  kDepthwise = 3,
  kPool = 5,
  kElementwise = 6,
  kResize = 7,
  kDmaStart = 16,
  kDmaWait = 17,
  kKernelWait = 18,
  kPmuMask = 19,
  kBranch = 256,  // kind 1
};
}  // namespace op

// Registers set by commands of kind 0 (16-bit parameter).
namespace reg {
enum : std::uint16_t {
  kIfmPadTop = 256,
  kIfmPadLeft,
  kIfmPadRight,
  kIfmPadBottom,
  kIfmDepthM1,
  kIfmPrecision,
  kIfmUpscale = 263,
  kIfmBroadcast,
  kIfmZeroPoint,
  kIfmWidth0M1,
  kIfmHeight0M1,
  kIfmHeight1M1,
  kIfmIbEnd,
  kIfmRegion = 271,
  kOfmWidthM1 = 273,
  kOfmHeightM1,
  kOfmDepthM1,
  kOfmPrecision,
  kOfmBlkWidthM1,
  kOfmBlkHeightM1,
  kOfmBlkDepthM1,
  kOfmZeroPoint,
  kOfmWidth0M1 = 282,
  kOfmHeight0M1,
  kOfmHeight1M1,
  kOfmRegion = 287,
  kKernelWidthM1,
  kKernelHeightM1,
  kKernelStride,
  kParallelMode,
  kAccFormat,
  kActivation,
  kActivationMin,
  kActivationMax,
  kWeightRegion,
  kScaleRegion,
  kResizeXScaleNM1,
  kResizeYScaleNM1,
  kResizeXOffset,
  kResizeYOffset,  // AB_START on U55 and U65
  kWeightFormat,
  kBlockdep,
  kDma0SrcRegion,
  kDma0DstRegion,
  kDma0Size0,
  kDma0Size1,
  kDma0IdxRegion,
  kIfm2Broadcast = 384,
  kIfm2Scalar,
  kIfm2Precision = 389,
  kIfm2ZeroPoint = 393,
  kIfm2Width0M1,
  kIfm2Height0M1,
  kIfm2Height1M1,
  kIfm2IbStart,
  kIfm2Region = 399,
};
constexpr std::uint16_t kFirst = 256, kEnd = 400;
constexpr std::uint16_t kIfm2Offset = 128;  // from an IFM register to the IFM2 register of the same meaning, both kinds
}  // namespace reg

// Registers set by commands of kind 1 (payload of 32 bits, parameter as the bits above).
namespace wide {
enum : std::uint16_t {
  kIfmBase0 = 0,
  kIfmStrideX = 4,
  kIfmStrideY,
  kIfmStrideC,
  kOfmBase0 = 16,
  kOfmStrideX = 20,
  kOfmStrideY,
  kOfmStrideC,
  kWeightBase = 32,
  kWeightLength,
  kScaleBase,
  kScaleLength,
  kOfmScale,
  kOpaScale,  // IFM_SCALE on U85
  kOpbScale,  // IFM2_SCALE on U85
  kOpScalar,
  kDma0Src = 48,
  kDma0Dst,
  kDma0Len,
  kDma0Skip0,  // DMA0_SRC_STRIDE0 on U85
  kDma0Skip1,  // DMA0_SRC_STRIDE1
  kDma0DstStride0,
  kDma0DstStride1,
  kDma0Idx,
  kDma0IdxMax,
  kDma0IdxSkip1,
  kIfm2Base0 = 128,
  kIfm2StrideX = 132,
  kIfm2StrideY,
  kIfm2StrideC,
  kWeight1Base = 144,
  kWeight1Length,
  kScale1Base,  // WEIGHT2_BASE on U85
  kScale1Length,
  kWeight3Base,
  kWeight3Length,
  kResizeX,
  kResizeY,
  kUserDefined0 = 160,
};
constexpr std::uint16_t kEnd = 168;
}  // namespace wide

struct CommandInfo {
  std::uint16_t code;
  std::uint8_t kind;
  std::uint8_t products;  // bit per Product
  const char* name;
};

namespace detail {
constexpr std::uint8_t kU55Bit = 1, kU65Bit = 2, kU85Bit = 4, kU5 = 3, kU6 = 6, kAll = 7;
}

constexpr CommandInfo kCommands[] = {
    {op::kStop, 0, detail::kAll, "OP_STOP"},
    {op::kIrq, 0, detail::kAll, "OP_IRQ"},
    {op::kConv, 0, detail::kAll, "OP_CONV"},
    {op::kDepthwise, 0, detail::kAll, "OP_DEPTHWISE"},
    {op::kPool, 0, detail::kAll, "OP_POOL"},
    {op::kElementwise, 0, detail::kAll, "OP_ELEMENTWISE"},
    {op::kResize, 0, detail::kU85Bit, "OP_RESIZE"},
    {op::kDmaStart, 0, detail::kAll, "OP_DMA_START"},
    {op::kDmaWait, 0, detail::kAll, "OP_DMA_WAIT"},
    {op::kKernelWait, 0, detail::kAll, "OP_KERNEL_WAIT"},
    {op::kPmuMask, 0, detail::kAll, "OP_PMU_MASK"},
    {op::kBranch, 1, detail::kU85Bit, "OP_BRANCH"},
    {reg::kIfmPadTop, 0, detail::kAll, "IFM_PAD_TOP"},
    {reg::kIfmPadLeft, 0, detail::kAll, "IFM_PAD_LEFT"},
    {reg::kIfmPadRight, 0, detail::kAll, "IFM_PAD_RIGHT"},
    {reg::kIfmPadBottom, 0, detail::kAll, "IFM_PAD_BOTTOM"},
    {reg::kIfmDepthM1, 0, detail::kAll, "IFM_DEPTH_M1"},
    {reg::kIfmPrecision, 0, detail::kAll, "IFM_PRECISION"},
    {reg::kIfmUpscale, 0, detail::kAll, "IFM_UPSCALE"},
    {reg::kIfmBroadcast, 0, detail::kU85Bit, "IFM_BROADCAST"},
    {reg::kIfmZeroPoint, 0, detail::kAll, "IFM_ZERO_POINT"},
    {reg::kIfmWidth0M1, 0, detail::kAll, "IFM_WIDTH0_M1"},
    {reg::kIfmHeight0M1, 0, detail::kAll, "IFM_HEIGHT0_M1"},
    {reg::kIfmHeight1M1, 0, detail::kAll, "IFM_HEIGHT1_M1"},
    {reg::kIfmIbEnd, 0, detail::kU5, "IFM_IB_END"},
    {reg::kIfmRegion, 0, detail::kAll, "IFM_REGION"},
    {reg::kOfmWidthM1, 0, detail::kAll, "OFM_WIDTH_M1"},
    {reg::kOfmHeightM1, 0, detail::kAll, "OFM_HEIGHT_M1"},
    {reg::kOfmDepthM1, 0, detail::kAll, "OFM_DEPTH_M1"},
    {reg::kOfmPrecision, 0, detail::kAll, "OFM_PRECISION"},
    {reg::kOfmBlkWidthM1, 0, detail::kAll, "OFM_BLK_WIDTH_M1"},
    {reg::kOfmBlkHeightM1, 0, detail::kAll, "OFM_BLK_HEIGHT_M1"},
    {reg::kOfmBlkDepthM1, 0, detail::kAll, "OFM_BLK_DEPTH_M1"},
    {reg::kOfmZeroPoint, 0, detail::kAll, "OFM_ZERO_POINT"},
    {reg::kOfmWidth0M1, 0, detail::kAll, "OFM_WIDTH0_M1"},
    {reg::kOfmHeight0M1, 0, detail::kAll, "OFM_HEIGHT0_M1"},
    {reg::kOfmHeight1M1, 0, detail::kAll, "OFM_HEIGHT1_M1"},
    {reg::kOfmRegion, 0, detail::kAll, "OFM_REGION"},
    {reg::kKernelWidthM1, 0, detail::kAll, "KERNEL_WIDTH_M1"},
    {reg::kKernelHeightM1, 0, detail::kAll, "KERNEL_HEIGHT_M1"},
    {reg::kKernelStride, 0, detail::kAll, "KERNEL_STRIDE"},
    {reg::kParallelMode, 0, detail::kU65Bit, "PARALLEL_MODE"},
    {reg::kAccFormat, 0, detail::kAll, "ACC_FORMAT"},
    {reg::kActivation, 0, detail::kAll, "ACTIVATION"},
    {reg::kActivationMin, 0, detail::kAll, "ACTIVATION_MIN"},
    {reg::kActivationMax, 0, detail::kAll, "ACTIVATION_MAX"},
    {reg::kWeightRegion, 0, detail::kAll, "WEIGHT_REGION"},
    {reg::kScaleRegion, 0, detail::kAll, "SCALE_REGION"},
    {reg::kResizeXScaleNM1, 0, detail::kU85Bit, "RESIZE_X_SCALE_N_M1"},
    {reg::kResizeYScaleNM1, 0, detail::kU85Bit, "RESIZE_Y_SCALE_N_M1"},
    {reg::kResizeXOffset, 0, detail::kU85Bit, "RESIZE_X_OFFSET"},
    {reg::kResizeYOffset, 0, detail::kU85Bit, "RESIZE_Y_OFFSET"},
    {reg::kResizeYOffset, 0, detail::kU5, "AB_START"},
    {reg::kWeightFormat, 0, detail::kU85Bit, "WEIGHT_FORMAT"},
    {reg::kBlockdep, 0, detail::kAll, "BLOCKDEP"},
    {reg::kDma0SrcRegion, 0, detail::kAll, "DMA0_SRC_REGION"},
    {reg::kDma0DstRegion, 0, detail::kAll, "DMA0_DST_REGION"},
    {reg::kDma0Size0, 0, detail::kU6, "DMA0_SIZE0"},
    {reg::kDma0Size1, 0, detail::kU6, "DMA0_SIZE1"},
    {reg::kDma0IdxRegion, 0, detail::kU85Bit, "DMA0_IDX_REGION"},
    {reg::kIfm2Broadcast, 0, detail::kAll, "IFM2_BROADCAST"},
    {reg::kIfm2Scalar, 0, detail::kU5, "IFM2_SCALAR"},
    {reg::kIfm2Precision, 0, detail::kAll, "IFM2_PRECISION"},
    {reg::kIfm2ZeroPoint, 0, detail::kAll, "IFM2_ZERO_POINT"},
    {reg::kIfm2Width0M1, 0, detail::kAll, "IFM2_WIDTH0_M1"},
    {reg::kIfm2Height0M1, 0, detail::kAll, "IFM2_HEIGHT0_M1"},
    {reg::kIfm2Height1M1, 0, detail::kAll, "IFM2_HEIGHT1_M1"},
    {reg::kIfm2IbStart, 0, detail::kU5, "IFM2_IB_START"},
    {reg::kIfm2Region, 0, detail::kAll, "IFM2_REGION"},
    {wide::kIfmBase0, 1, detail::kAll, "IFM_BASE0"},
    {wide::kIfmBase0 + 1, 1, detail::kAll, "IFM_BASE1"},
    {wide::kIfmBase0 + 2, 1, detail::kAll, "IFM_BASE2"},
    {wide::kIfmBase0 + 3, 1, detail::kAll, "IFM_BASE3"},
    {wide::kIfmStrideX, 1, detail::kAll, "IFM_STRIDE_X"},
    {wide::kIfmStrideY, 1, detail::kAll, "IFM_STRIDE_Y"},
    {wide::kIfmStrideC, 1, detail::kAll, "IFM_STRIDE_C"},
    {wide::kOfmBase0, 1, detail::kAll, "OFM_BASE0"},
    {wide::kOfmBase0 + 1, 1, detail::kAll, "OFM_BASE1"},
    {wide::kOfmBase0 + 2, 1, detail::kAll, "OFM_BASE2"},
    {wide::kOfmBase0 + 3, 1, detail::kAll, "OFM_BASE3"},
    {wide::kOfmStrideX, 1, detail::kAll, "OFM_STRIDE_X"},
    {wide::kOfmStrideY, 1, detail::kAll, "OFM_STRIDE_Y"},
    {wide::kOfmStrideC, 1, detail::kAll, "OFM_STRIDE_C"},
    {wide::kWeightBase, 1, detail::kAll, "WEIGHT_BASE"},
    {wide::kWeightLength, 1, detail::kAll, "WEIGHT_LENGTH"},
    {wide::kScaleBase, 1, detail::kAll, "SCALE_BASE"},
    {wide::kScaleLength, 1, detail::kAll, "SCALE_LENGTH"},
    {wide::kOfmScale, 1, detail::kAll, "OFM_SCALE"},
    {wide::kOpaScale, 1, detail::kU5, "OPA_SCALE"},
    {wide::kOpbScale, 1, detail::kU5, "OPB_SCALE"},
    {wide::kOpaScale, 1, detail::kU85Bit, "IFM_SCALE"},
    {wide::kOpbScale, 1, detail::kU85Bit, "IFM2_SCALE"},
    {wide::kOpScalar, 1, detail::kU85Bit, "OP_SCALAR"},
    {wide::kDma0Src, 1, detail::kAll, "DMA0_SRC"},
    {wide::kDma0Dst, 1, detail::kAll, "DMA0_DST"},
    {wide::kDma0Len, 1, detail::kAll, "DMA0_LEN"},
    {wide::kDma0Skip0, 1, detail::kU65Bit, "DMA0_SKIP0"},
    {wide::kDma0Skip1, 1, detail::kU65Bit, "DMA0_SKIP1"},
    {wide::kDma0Skip0, 1, detail::kU85Bit, "DMA0_SRC_STRIDE0"},
    {wide::kDma0Skip1, 1, detail::kU85Bit, "DMA0_SRC_STRIDE1"},
    {wide::kDma0DstStride0, 1, detail::kU85Bit, "DMA0_DST_STRIDE0"},
    {wide::kDma0DstStride1, 1, detail::kU85Bit, "DMA0_DST_STRIDE1"},
    {wide::kDma0Idx, 1, detail::kU85Bit, "DMA0_IDX"},
    {wide::kDma0IdxMax, 1, detail::kU85Bit, "DMA0_IDX_MAX"},
    {wide::kDma0IdxSkip1, 1, detail::kU85Bit, "DMA0_IDX_SKIP1"},
    {wide::kIfm2Base0, 1, detail::kAll, "IFM2_BASE0"},
    {wide::kIfm2Base0 + 1, 1, detail::kAll, "IFM2_BASE1"},
    {wide::kIfm2Base0 + 2, 1, detail::kAll, "IFM2_BASE2"},
    {wide::kIfm2Base0 + 3, 1, detail::kAll, "IFM2_BASE3"},
    {wide::kIfm2StrideX, 1, detail::kAll, "IFM2_STRIDE_X"},
    {wide::kIfm2StrideY, 1, detail::kAll, "IFM2_STRIDE_Y"},
    {wide::kIfm2StrideC, 1, detail::kAll, "IFM2_STRIDE_C"},
    {wide::kWeight1Base, 1, detail::kU6, "WEIGHT1_BASE"},
    {wide::kWeight1Length, 1, detail::kU6, "WEIGHT1_LENGTH"},
    {wide::kScale1Base, 1, detail::kU65Bit, "SCALE1_BASE"},
    {wide::kScale1Length, 1, detail::kU65Bit, "SCALE1_LENGTH"},
    {wide::kScale1Base, 1, detail::kU85Bit, "WEIGHT2_BASE"},
    {wide::kScale1Length, 1, detail::kU85Bit, "WEIGHT2_LENGTH"},
    {wide::kWeight3Base, 1, detail::kU85Bit, "WEIGHT3_BASE"},
    {wide::kWeight3Length, 1, detail::kU85Bit, "WEIGHT3_LENGTH"},
    {wide::kResizeX, 1, detail::kU85Bit, "RESIZE_X"},
    {wide::kResizeY, 1, detail::kU85Bit, "RESIZE_Y"},
    {wide::kUserDefined0, 1, detail::kU55Bit, "USER_DEFINED0"},
    {wide::kUserDefined0 + 1, 1, detail::kU55Bit, "USER_DEFINED1"},
    {wide::kUserDefined0 + 2, 1, detail::kU55Bit, "USER_DEFINED2"},
    {wide::kUserDefined0 + 3, 1, detail::kU55Bit, "USER_DEFINED3"},
    {wide::kUserDefined0 + 4, 1, detail::kU55Bit, "USER_DEFINED4"},
    {wide::kUserDefined0 + 5, 1, detail::kU55Bit, "USER_DEFINED5"},
    {wide::kUserDefined0 + 6, 1, detail::kU55Bit, "USER_DEFINED6"},
    {wide::kUserDefined0 + 7, 1, detail::kU55Bit, "USER_DEFINED7"},
};

// Whether `product` knows the command `code` of `kind`.
bool command_exists(std::uint32_t kind, std::uint32_t code, Product product);

}  // namespace wick::npu
