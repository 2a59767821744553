// SPDX-License-Identifier: BSD-3-Clause
// A data loader that reads a file by its name.

#include <executorch/extension/data_loader/file_data_loader.h>

namespace executorch {
namespace extension {

using executorch::runtime::Result;
using wick::internal::OpenFile;

Result<FileDataLoader> FileDataLoader::from(const char* file_name, size_t alignment) {
  ET_CHECK_OK_OR_RETURN_ERROR(OpenFile::check_alignment(alignment));
  ET_CHECK_OR_RETURN_ERROR(file_name != nullptr, InvalidArgument, "no file name was given");
  Result<OpenFile> file = OpenFile::open(file_name);
  if (!file.ok()) {
    return file.error();
  }
  return FileDataLoader(std::move(*file), alignment);
}

}  // namespace extension
}  // namespace executorch
