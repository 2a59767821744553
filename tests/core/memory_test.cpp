// SPDX-License-Identifier: BSD-3-Clause
// Allocators and buffers, most of all with sizes and offsets that overflow.

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/device_memory_buffer.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/tensor_layout.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace {

using executorch::aten::ScalarType;
using executorch::runtime::DeviceAllocator;
using executorch::runtime::DeviceMemoryBuffer;
using executorch::runtime::Error;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::Result;
using executorch::runtime::Span;
using executorch::runtime::TensorLayout;
using executorch::runtime::etensor::DeviceIndex;
using executorch::runtime::etensor::DeviceType;

constexpr size_t kMost = std::numeric_limits<size_t>::max();

TEST(MemoryAllocator, AlignsAndCounts) {
  alignas(16) uint8_t pool[64];
  MemoryAllocator allocator(sizeof(pool), pool);
  EXPECT_EQ(allocator.allocate(1, 1), pool);
  EXPECT_EQ(allocator.allocate(8, 16), pool + 16);
  EXPECT_EQ(allocator.used_size(), 24u);
  EXPECT_EQ(allocator.free_size(), 40u);
  EXPECT_EQ(allocator.allocate(41, 1), nullptr);
  EXPECT_EQ(allocator.allocate(40, 1), pool + 24) << "a request that failed takes nothing";
  EXPECT_EQ(allocator.allocate(1, 1), nullptr);
  EXPECT_NE(allocator.allocate(0, 1), nullptr);
  allocator.reset();
  EXPECT_EQ(allocator.allocate(1), pool);
}

TEST(MemoryAllocator, NoSizeOrAlignmentWraps) {
  alignas(16) uint8_t pool[64];
  MemoryAllocator allocator(sizeof(pool), pool);
  allocator.allocate(3, 1);
  for (size_t size : {kMost, kMost - 1, kMost - 15, kMost / 2 + 1}) {
    for (size_t alignment = 1; alignment != 0; alignment <<= 1) {
      ASSERT_EQ(allocator.allocate(size, alignment), nullptr);
    }
  }
  EXPECT_EQ(allocator.allocate(0, kMost / 2 + 1), nullptr) << "the padding alone does not fit";
  for (size_t alignment : {size_t{0}, size_t{3}, kMost}) {
    EXPECT_EQ(allocator.allocate(1, alignment), nullptr);
  }
  EXPECT_EQ(allocator.allocateList<uint64_t>(kMost / 8 + 1), nullptr);
  EXPECT_EQ(allocator.allocateList<uint64_t>(kMost), nullptr);
  EXPECT_EQ(allocator.used_size(), 3u);
}

TEST(MemoryAllocator, NeedsABuffer) {
  MemoryAllocator nothing(0, nullptr);
  EXPECT_EQ(nothing.allocate(0), nullptr);
  EXPECT_DEATH(MemoryAllocator(1, nullptr), "");
  EXPECT_DEATH(MemoryAllocator(32, reinterpret_cast<uint8_t*>(kMost - 16)), "");
}

TEST(HierarchicalAllocator, ChecksEveryAddress) {
  uint8_t first[4];
  uint8_t second[8];
  Span<uint8_t> buffers[] = {first, second};
  HierarchicalAllocator allocator({buffers, 2});
  EXPECT_EQ(*allocator.get_offset_address(1, 4, 4), second + 4);
  EXPECT_EQ(*allocator.get_offset_address(1, 8, 0), second + 8);
  EXPECT_EQ(allocator.get_offset_address(1, 4, 5).error(), Error::MemoryAllocationFailed);
  EXPECT_EQ(allocator.get_offset_address(1, 9, 0).error(), Error::MemoryAllocationFailed);
  EXPECT_EQ(allocator.get_offset_address(1, kMost, 1).error(), Error::InvalidArgument);
  EXPECT_EQ(allocator.get_offset_address(1, 4, kMost).error(), Error::InvalidArgument);
  EXPECT_EQ(allocator.get_offset_address(1, kMost, 0).error(), Error::MemoryAllocationFailed);
  EXPECT_EQ(allocator.get_offset_address(2, 0, 0).error(), Error::InvalidArgument);
  EXPECT_EQ(allocator.get_offset_address(UINT32_MAX, 0, 0).error(), Error::InvalidArgument);
}

struct Freed {
  int times = 0;
  const void* data = nullptr;
  size_t size = 0;
  static void free(void* context, void* data, size_t size) {
    Freed& freed = *static_cast<Freed*>(context);
    ++freed.times;
    freed.data = data;
    freed.size = size;
  }
  static void free_address(void* context, uint64_t address, size_t) {
    Freed& freed = *static_cast<Freed*>(context);
    ++freed.times;
    freed.size = static_cast<size_t>(address);
  }
};

TEST(FreeableBuffer, IsFreedOnce) {
  Freed freed;
  const uint8_t bytes[4] = {};
  {
    FreeableBuffer buffer(bytes, sizeof(bytes), Freed::free, &freed);
    FreeableBuffer other(std::move(buffer));
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_EQ(other.data(), bytes);
    other.Free();
    EXPECT_EQ(other.data(), nullptr);
  }
  EXPECT_EQ(freed.times, 1);
  EXPECT_EQ(freed.data, bytes);
  EXPECT_EQ(freed.size, sizeof(bytes));
}

TEST(FreeableBuffer, MayHoldAnAddressThatIsNoPointer) {
  Freed freed;
  {
    const FreeableBuffer buffer(uint64_t{77}, 1, Freed::free_address, &freed);
    EXPECT_EQ(*buffer.data_uint64_type(), 77u);
    EXPECT_EQ(buffer.data_safe().error(), Error::InvalidType);
    EXPECT_DEATH(buffer.data(), "");
  }
  EXPECT_EQ(freed.times, 1);
  EXPECT_EQ(freed.size, 77u);
  EXPECT_EQ(FreeableBuffer().data_uint64_type().error(), Error::InvalidType);
}

TEST(TensorLayout, IsCheckedWhenItIsMade) {
  const int32_t sizes[] = {2, 3};
  const uint8_t order[] = {1, 0};
  Result<const TensorLayout> layout = TensorLayout::create(sizes, order, ScalarType::Short);
  ASSERT_TRUE(layout.ok());
  EXPECT_EQ(layout->nbytes(), 12u);
  EXPECT_EQ(layout->dim_order()[0], 1);
  const int32_t negative[] = {2, -3};
  const uint8_t twice[] = {0, 0};
  const uint8_t out_of_range[] = {0, 2};
  const uint8_t one[] = {0};
  const int32_t huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
  const uint8_t three[] = {0, 1, 2};
  EXPECT_EQ(TensorLayout::create(negative, order, ScalarType::Short).error(), Error::InvalidArgument);
  EXPECT_EQ(TensorLayout::create(sizes, twice, ScalarType::Short).error(), Error::InvalidArgument);
  EXPECT_EQ(TensorLayout::create(sizes, out_of_range, ScalarType::Short).error(), Error::InvalidArgument);
  EXPECT_EQ(TensorLayout::create(sizes, one, ScalarType::Short).error(), Error::InvalidArgument);
  EXPECT_EQ(TensorLayout::create(huge, three, ScalarType::Byte).error(), Error::InvalidArgument);
  EXPECT_EQ(TensorLayout::create(sizes, order, ScalarType::Undefined).error(), Error::InvalidArgument);
}

class OtherMemory final : public DeviceAllocator {
 public:
  Result<void*> allocate(size_t nbytes, DeviceIndex, size_t) override {
    if (nbytes > sizeof(memory)) {
      return Error::MemoryAllocationFailed;
    }
    ++live;
    return static_cast<void*>(memory);
  }
  void deallocate(void*, DeviceIndex) override { --live; }
  Error copy_host_to_device(void*, const void*, size_t, DeviceIndex) override { return Error::Ok; }
  Error copy_device_to_host(void*, const void*, size_t, DeviceIndex) override { return Error::Ok; }
  DeviceType device_type() const override { return DeviceType::CUDA; }

  uint8_t memory[16];
  int live = 0;
};

TEST(DeviceMemoryBuffer, GivesItsMemoryBack) {
  EXPECT_EQ(DeviceMemoryBuffer::create(8, DeviceType::CPU).error(), Error::NotFound);
  EXPECT_EQ(executorch::runtime::get_device_allocator(static_cast<DeviceType>(-1)), nullptr);
  static OtherMemory other;
  executorch::runtime::register_device_allocator(&other);
  EXPECT_DEATH(executorch::runtime::register_device_allocator(&other), "");
  EXPECT_EQ(DeviceMemoryBuffer::create(32, DeviceType::CUDA).error(), Error::MemoryAllocationFailed);
  {
    Result<DeviceMemoryBuffer> buffer = DeviceMemoryBuffer::create(8, DeviceType::CUDA);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(buffer->as_span().size(), 8u);
    DeviceMemoryBuffer moved(std::move(*buffer));
    EXPECT_EQ(other.live, 1);
    Result<DeviceMemoryBuffer> second = DeviceMemoryBuffer::create(4, DeviceType::CUDA);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(other.live, 2);
    moved = std::move(*second);
    EXPECT_EQ(other.live, 1) << "what it held before is given back";
    EXPECT_EQ(moved.size(), 4u);
  }
  EXPECT_EQ(other.live, 0);
}

}  // namespace
