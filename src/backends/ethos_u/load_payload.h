// SPDX-License-Identifier: BSD-3-Clause
// A payload with all of its records checked and its external blocks found. What is wrong goes to the log.
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/named_data_map.h>

#include "src/backends/ethos_u/payload.h"

namespace wick::ethos_u {

/// Data of external blocks, which a map may have allocated.
struct ExternalBlocks {
  executorch::runtime::FreeableBuffer command;
  executorch::runtime::FreeableBuffer weights;
};

executorch::runtime::Error load_payload(View bytes, Payload& payload);

/// Replaces keys of `payload` by what they name. `map` may be null if nothing is external.
executorch::runtime::Error load_external_blocks(const executorch::runtime::NamedDataMap* map, Payload& payload,
                                                ExternalBlocks& blocks);

}  // namespace wick::ethos_u
