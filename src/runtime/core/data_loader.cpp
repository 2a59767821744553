// SPDX-License-Identifier: BSD-3-Clause
// DataLoader: the answer of loaders that do not copy.

#include <executorch/runtime/core/data_loader.h>

namespace executorch::runtime {

Error DataLoader::no_load_into() {
  ET_LOG(Error, "this data loader has no load_into(): call load() and copy");
  return Error::NotImplemented;
}

}  // namespace executorch::runtime
