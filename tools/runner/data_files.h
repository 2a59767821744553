// SPDX-License-Identifier: BSD-3-Clause
// Data files (.ptd) of a program, loaded into port memory.
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/named_data_map.h>

#include "tools/runner/tensors.h"

namespace wick::runner {

/// True when this build can read data files.
bool data_files_supported();

/// Builds the map over a file's bytes; its loader and itself live in port memory.
executorch::runtime::Result<executorch::runtime::NamedDataMap*> load_data_file(Port& port, const FileImage& file);

/// Ends the life of a map; its memory goes with the port's release().
void unload_data_file(executorch::runtime::NamedDataMap* map);

}  // namespace wick::runner
