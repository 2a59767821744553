// SPDX-License-Identifier: BSD-3-Clause
// UF2: the file format of the USB drive as which a Raspberry Pi Pico without a program appears.
#pragma once

#include <string>
#include <vector>

#include "tools/firmware/image.h"

namespace wick::tools {

/// A UF2 file of 256-byte pages. `family`: rp2040 or rp2350-arm-s. Checks what the boot ROM will check: the CRC of the
/// RP2040's second stage, the image block of the RP2350, and the vector table. Throws ToolError.
Bytes make_uf2(const std::vector<Segment>& parts, const std::string& family);

/// CRC of the RP2040's second boot stage: polynomial 0x04C11DB7 from 0xFFFFFFFF, most significant bit first.
uint32_t boot2_crc(const uint8_t* data, size_t bytes);

}  // namespace wick::tools
