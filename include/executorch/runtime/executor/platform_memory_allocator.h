// SPDX-License-Identifier: BSD-3-Clause
//
// An allocator over et_pal_allocate/et_pal_free, for platforms that have a heap. Everything it gave is freed by
// reset() or destruction. On bare metal, where et_pal_allocate returns null, every request fails with a message.
//
//   PlatformMemoryAllocator temp;  void* p = temp.allocate(100);  temp.reset();
#pragma once

#include <cstddef>
#include <cstdint>

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {
namespace internal {

class PlatformMemoryAllocator final : public MemoryAllocator {
 public:
  PlatformMemoryAllocator() : MemoryAllocator(0, nullptr) {}
  ~PlatformMemoryAllocator() override { release(); }

  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    constexpr size_t kLimit = SIZE_MAX / 2;
    if (!isPowerOf2(alignment) || size > kLimit || alignment > kLimit - sizeof(Node)) {
      ET_LOG(Error, "cannot allocate %" ET_PRIsize_t " bytes aligned to %" ET_PRIsize_t, size, alignment);
      return nullptr;
    }
    void* memory = runtime::pal_allocate(sizeof(Node) + size + alignment - 1);
    if (memory == nullptr) {
      ET_LOG(Error, "the platform's heap has no %" ET_PRIsize_t " bytes: give the MemoryManager a temp allocator", size);
      return nullptr;
    }
    Node* node = static_cast<Node*>(memory);
    node->next = head_;
    head_ = node;
    return alignPointer(static_cast<uint8_t*>(memory) + sizeof(Node), alignment);
  }

  void reset() override { release(); }

 private:
  struct Node {
    Node* next;
  };
  void release() {
    while (head_ != nullptr) {
      Node* next = head_->next;
      runtime::pal_free(head_);
      head_ = next;
    }
  }
  PlatformMemoryAllocator(const PlatformMemoryAllocator&) = delete;
  PlatformMemoryAllocator& operator=(const PlatformMemoryAllocator&) = delete;
  PlatformMemoryAllocator(PlatformMemoryAllocator&&) noexcept = delete;
  PlatformMemoryAllocator& operator=(PlatformMemoryAllocator&&) noexcept = delete;

  Node* head_ = nullptr;
};

}  // namespace internal
}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
