// SPDX-License-Identifier: BSD-3-Clause
//
// Transposed constants, an optional part of the loader that the kernels of permute_copy, transpose_copy and t_copy
// bring: exporters write linear(x, w) as addmm(b, x, t_copy(w)). Where only matrix products read such a copy, it
// becomes a view of the constant at load, and its call does nothing.
#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/question.h"

namespace wick {

namespace {

void do_nothing(executorch::runtime::KernelRuntimeContext&, Span<EValue*>) {}

/// Operators whose kernels take a matrix in any dim order at no cost.
bool is_product(const char* name) {
  for (const char* product : {"aten::addmm", "aten::mm", "aten::linear"}) {
    if (name != nullptr && pte::same_text(name, product)) {
      return true;
    }
  }
  return false;
}

/// Whether the constants between a call's matrix and its result ask for its transposition: dims (1, 0), or two
/// different dims, or nothing (t_copy). Numbers from -2 on count from the end, so that parity tells.
bool swaps(const uintptr_t* operands, uint32_t count) {
  executorch::runtime::KernelRuntimeContext context;
  int64_t dims[2] = {1, 0};
  for (uint32_t i = 0; i < 2 && count > 0; ++i) {
    const Operand operand = Operand::from_bits(operands[count == 1 ? 0 : i]);
    const bool list = count == 1 && operand.is(Operand::kShortList) && operand.list_size() == 2;
    if (!list && !(count == 2 && operand.is(Operand::kInt))) {
      return false;
    }
    dims[i] = list ? operand.list_item(context, i) : operand.immediate_int();
    if (dims[i] < -2 || dims[i] > 1) {
      return false;
    }
  }
  return (dims[0] & 1) != (dims[1] & 1);
}

}  // namespace

void internal::view_constant(MethodLoader& loader, pte::Table call, Instruction* out) {
  loader.view_constant(call, out);
}

/// Makes the call's result a view of its first argument, if the call transposes a constant and nobody can tell.
void MethodLoader::view_constant(pte::Table call, Instruction* out) {
  const pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  const uint32_t last = out->count() - 1;
  uint32_t values[4] = {};  // in; dims, or dim0 and dim1, or nothing; out
  uintptr_t dims[2] = {};
  for (uint32_t i = 0; i <= last && last < 4; ++i) {
    values[i] = static_cast<uint32_t>(buffer_.i32_item(args, i));
    if (values[i] >= values_.count) {
      return;  // which the walk will say
    }
    if (i > 0 && i < last) {
      dims[i - 1] = operand(values[i]);
    }
  }
  const uint32_t input = values[0];
  const uint32_t result = values[last];
  if (!marked_uses_) {
    mark_uses(call);
  }
  const pte::Table from = tensor_table(input);
  const pte::Table to = tensor_table(result);
  if (!ok() || map_[result] != (kUnmade | kMayBeWritten | kWrittenOnce) || !swaps(dims, last - 1) ||
      !is_transposed(from, to) || (operand(input) & Operand::kTagMask) != Operand::kTensor) {
    return;
  }
  int32_t* shape = take_with_items<int32_t>(Shape::bytes(2, 2), Shape::bytes(2, 2));
  TensorImpl* view = take<TensorImpl>(1);
  if (!ok()) {
    return;
  }
  map_[result] = Operand::of_tensor(view).bits();
  if (rehearsing()) {
    return;
  }
  const TensorImpl& constant = *reinterpret_cast<TensorImpl*>(map_[input] & ~uintptr_t{Operand::kTagMask});
  auto* order = reinterpret_cast<uint8_t*>(shape + 4);
  for (size_t i = 0; i < 2; ++i) {
    shape[i] = constant.sizes_[1 - i];
    shape[2 + i] = constant.strides_[1 - i];
    order[i] = constant.dim_order_[i] ^ 1;
  }
  new (view) TensorImpl(constant.type_, 2, constant.numel_bound_, shape, constant.data_, order, shape + 2,
                        executorch::aten::TensorShapeDynamism::STATIC, constant.device_);
  out->function = do_nothing;
}

/// Whether the tensor `from` is a constant matrix, and `to` has its type and its sizes the other way round, is planned
/// and has no name that could show it.
bool MethodLoader::is_transposed(pte::Table from, pte::Table to) {
  const pte::Vector sizes = buffer_.vector_field(from, pte::tensor::kSizes, 4);
  const pte::Vector turned = buffer_.vector_field(to, pte::tensor::kSizes, 4);
  const pte::Table extra = buffer_.table_field(to, pte::tensor::kExtraTensorInfo);
  return sizes.count == 2 && turned.count == 2 && buffer_.i32_item(sizes, 0) == buffer_.i32_item(turned, 1) &&
         buffer_.i32_item(sizes, 1) == buffer_.i32_item(turned, 0) &&
         buffer_.u8_field(from, pte::tensor::kScalarType) == buffer_.u8_field(to, pte::tensor::kScalarType) &&
         buffer_.u8_field(to, pte::tensor::kShapeDynamism) == pte::tensor::kStatic &&
         buffer_.string_field(extra, pte::extra::kFullyQualifiedName) == nullptr &&
         buffer_.table_field(to, pte::tensor::kAllocationInfo) &&
         !buffer_.table_field(from, pte::tensor::kAllocationInfo);
}

/// Marks values that are not made yet: results of one call, and what anything but a product touches. Values that calls
/// before `first` touch are made.
void MethodLoader::mark_uses(pte::Table first) {
  for (uint32_t c = 0; c < chains_.count; ++c) {
    const pte::Vector list = buffer_.vector_field(buffer_.table_item(chains_, c), pte::chain::kInstructions, 4);
    for (uint32_t i = 0; i < list.count; ++i) {
      const pte::Table instruction = buffer_.table_item(list, i);
      const pte::Table call = buffer_.table_field(instruction, pte::instruction::kArguments);
      marked_uses_ |= call.at == first.at;
      if (!marked_uses_) {
        continue;
      }
      const uint8_t type = buffer_.u8_field(instruction, pte::instruction::kType);
      const uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
      if (type > pte::instruction::kDelegateCall) {
        mark_use(index, kTouched);
        mark_use(buffer_.u32_field(call, pte::call::kMoveTo), kTouched);
        continue;
      }
      const pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
      const Binding* kernel = type == pte::instruction::kKernelCall ? &bindings_[index] : nullptr;
      const uint32_t count = kernel == nullptr ? args.count : argument_count(*kernel, args);
      const bool product = kernel != nullptr && !kernel->registered &&
                           is_product(buffer_.string_field(buffer_.table_item(operators_, index), pte::op::kName));
      for (uint32_t k = 0; k < count; ++k) {
        const bool written = kernel != nullptr && k == count - 1;
        if (written || !product) {
          mark_use(static_cast<uint32_t>(buffer_.i32_item(args, k)), written ? kWrittenOnce : kTouched);
        }
      }
    }
  }
}

void MethodLoader::mark_use(uint32_t value, uintptr_t mark) {
  if (value < values_.count && !is_made(map_[value])) {
    map_[value] |= (map_[value] & mark & kWrittenOnce) != 0 ? uintptr_t{kTouched} : mark;
  }
}

/// The table of a value that is a tensor; empty for others.
pte::Table MethodLoader::tensor_table(uint32_t index) {
  const pte::Table content = look_at(index);
  return type_ == pte::evalue::kTensor ? content : pte::Table{};
}

}  // namespace wick
