// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the Ethos-U delegate: one function that runs an inference. The delegate itself needs no call.
//
//     extern "C" executorch::runtime::Error wick_ethos_u_invoke(const wick::ethos_u::Inference& inference) { ... }
#pragma once

#include <executorch/runtime/core/error.h>

#include <cstddef>
#include <cstdint>

namespace wick::ethos_u {

/// Read-only bytes, such as a block of a payload.
struct View {
  const uint8_t* data;
  size_t size;
};

/// One inference: a driver payload ("COP1" or "COP2") and the regions that its command stream addresses.
struct Inference {
  View command_data;
  View weights;      ///< region 0
  uint8_t* scratch;  ///< region 1, 16-aligned
  size_t scratch_size;
  uint8_t* fast_scratch;  ///< region 2 (Dedicated_Sram); null if the application defines none
  size_t fast_scratch_size;
};

}  // namespace wick::ethos_u

extern "C" {
/// Runs an inference to its end. Weak: the default says that there is no NPU. wick::ethos_u_model defines it by the
/// functional model; a board defines it by its driver.
executorch::runtime::Error wick_ethos_u_invoke(const wick::ethos_u::Inference& inference);

/// Region 2 of programs that were compiled for Dedicated_Sram. Weak: null and 0.
extern unsigned char* ethosu_fast_scratch;
extern size_t ethosu_fast_scratch_size;
}
