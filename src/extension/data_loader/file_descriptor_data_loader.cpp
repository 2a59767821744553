// SPDX-License-Identifier: BSD-3-Clause
// A data loader that reads a file by a descriptor that someone else opened.

#include <executorch/extension/data_loader/file_descriptor_data_loader.h>

#include <cstdlib>
#include <cstring>

namespace executorch {
namespace extension {

using executorch::runtime::Result;
using wick::internal::OpenFile;

namespace {

constexpr char kPrefix[] = "fd:///";
constexpr size_t kPrefixLength = sizeof(kPrefix) - 1;

}  // namespace

Result<FileDescriptorDataLoader> FileDescriptorDataLoader::fromFileDescriptorUri(const char* file_descriptor_uri,
                                                                                 size_t alignment) {
  ET_CHECK_OK_OR_RETURN_ERROR(OpenFile::check_alignment(alignment));
  ET_CHECK_OR_RETURN_ERROR(
      file_descriptor_uri != nullptr && std::strncmp(file_descriptor_uri, kPrefix, kPrefixLength) == 0, InvalidArgument,
      "%s is no file descriptor: write %s and its number",
      file_descriptor_uri == nullptr ? "null" : file_descriptor_uri, kPrefix);
  char* end = nullptr;
  const long descriptor = std::strtol(file_descriptor_uri + kPrefixLength, &end, 10);
  ET_CHECK_OR_RETURN_ERROR(end != file_descriptor_uri + kPrefixLength && *end == '\0' && descriptor >= 0 &&
                               static_cast<long>(static_cast<int>(descriptor)) == descriptor,
                           InvalidArgument, "%s: no number of a file descriptor follows %s", file_descriptor_uri,
                           kPrefix);
  Result<OpenFile> file = OpenFile::adopt(static_cast<int>(descriptor), file_descriptor_uri);
  if (!file.ok()) {
    return file.error();
  }
  return FileDescriptorDataLoader(std::move(*file), alignment);
}

}  // namespace extension
}  // namespace executorch
