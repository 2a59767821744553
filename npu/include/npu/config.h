// SPDX-License-Identifier: BSD-3-Clause
// Which NPU is modelled: product, MACs per cycle, cores, on-chip memory. Everything that changes a result follows from
// the CONFIG word that a compiled payload carries, so a caller hands that word over and never names a part himself:
//   wick::npu::Config config;
//   if (!wick::npu::config_from_word(payload.config_word, config)) { ... }
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::npu {

enum class Product : std::uint8_t { kU55 = 0, kU65 = 1, kU85 = 2 };

struct Config {
  Product product = Product::kU55;
  std::uint8_t cores = 1;            // MAC engines; 2 only on U65-512
  std::uint8_t weight_decoders = 1;  // weight streams per operation (U65: one per core)
  std::uint16_t macs = 128;          // multiply-accumulates per cycle of the whole NPU, 8-bit
  std::uint16_t shram_banks = 24;    // 1 KiB banks per core (U55 and U65; 0 on U85)
  std::uint32_t config_word = 0x1807;
  std::uint32_t id_word = 0x10104201;  // what the ID register answers
};

// Fills `config` from a CONFIG register value. False for a word that names no part of the family.
bool config_from_word(std::uint32_t word, Config& config);

// Fills `config` from a name such as "ethos-u55-128". False when there is no such part.
bool config_from_name(const char* name, Config& config);

// The part's name, such as "ethos-u55-128"; "unknown" for a configuration that is none of the family's.
const char* config_name(const Config& config);

}  // namespace wick::npu
