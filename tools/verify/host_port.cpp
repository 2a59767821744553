// SPDX-License-Identifier: BSD-3-Clause
// Files, heap blocks and a pipe behind the case runner.
#include "tools/verify/host_port.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace wick::tools {
namespace {

// A malformed file may ask for any amount of planned memory; more than this is refused like on a device.
constexpr size_t kMostBytes = 1u << 30;
constexpr size_t kAlignment = 64;

void* aligned_block(size_t bytes, size_t alignment) {
  void* block = nullptr;
  const size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return posix_memalign(&block, least, bytes == 0 ? 1 : bytes) == 0 ? block : nullptr;
}

}  // namespace

void* HeapPool::allocate(size_t size, size_t alignment) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || size > limit_ - used_) {
    return nullptr;
  }
  void* block = aligned_block(size, alignment);
  if (block != nullptr) {
    // Nothing may depend on what lies in fresh memory.
    std::memset(block, 0xA5, size);
    blocks_.push_back(block);
    used_ += size;
    most_used_ = used_ > most_used_ ? used_ : most_used_;
  }
  return block;
}

void HeapPool::reset() {
  for (void* block : blocks_) {
    std::free(block);
  }
  blocks_.clear();
  used_ = 0;
}

void HeapPool::forget() {
  reset();
  most_used_ = 0;
}

HostPort::~HostPort() { HostPort::release(); }

int64_t HostPort::file_size(const char* path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? -1 : static_cast<int64_t>(size);
}

bool HostPort::read_file(const char* path, uint64_t offset, void* to, size_t bytes) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) {
    return false;
  }
  const bool read =
      std::fseek(file, static_cast<long>(offset), SEEK_SET) == 0 && std::fread(to, 1, bytes, file) == bytes;
  std::fclose(file);
  return read;
}

void* HostPort::allocate(size_t bytes) {
  if (bytes > kMostBytes - used_) {
    return nullptr;
  }
  void* block = aligned_block(bytes, kAlignment);
  if (block != nullptr) {
    std::memset(block, 0, bytes);
    blocks_.push_back(block);
    used_ += bytes;
  }
  return block;
}

void HostPort::release() {
  for (void* block : blocks_) {
    std::free(block);
  }
  blocks_.clear();
  used_ = 0;
  method_.forget();
  temp_.forget();
}

void HostPort::write(const void* data, size_t bytes) {
  const auto* at = static_cast<const uint8_t*>(data);
  pending_.insert(pending_.end(), at, at + bytes);
}

void HostPort::flush() {
  size_t done = 0;
  while (done < pending_.size()) {
    const ssize_t wrote = ::write(out_, pending_.data() + done, pending_.size() - done);
    if (wrote <= 0) {
      break;
    }
    done += static_cast<size_t>(wrote);
  }
  pending_.clear();
}

}  // namespace wick::tools
