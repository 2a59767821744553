// SPDX-License-Identifier: BSD-3-Clause
// Pieces of the operation decoder that all products share.
#pragma once

#include <cstdint>

#include "context.h"
#include "operation.h"

namespace wick::npu {

// Tiles, strides, type and region of the IFM or (offset reg::kIfm2Offset) the IFM2.
bool decode_ifm_map(Context& context, std::uint16_t offset, FeatureMap& map);
bool decode_ofm(Context& context, Operation& operation);
void decode_kernel(const Context& context, Operation& operation);
// Derives the visible IFM size of a windowed operation from the OFM size, kernel and padding.
bool derive_ifm_shape(Context& context, Operation& operation);
// A weight or scale stream: `base` and `length` register codes, `region` register code.
bool decode_stream(Context& context, std::uint16_t region, std::uint16_t base, std::uint16_t length, Bytes& out,
                   Channel channel);
std::int64_t sign_or_zero_extend(std::uint32_t value, bool is_signed);
// Clamp limits of the activation stage without a table, from the MIN and MAX registers and the OFM's type.
void decode_limits(const Context& context, const FeatureMap& ofm, bool use_registers, Activation& activation);
bool decode_u55(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation);
// Checks that every operand lies in its region.
bool check_bounds(Context& context, const Operation& operation);
bool is_unary(Elementwise mode);

}  // namespace wick::npu
