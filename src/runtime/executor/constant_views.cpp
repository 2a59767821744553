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
bool swaps(const Operand* operands, uint32_t count) {
  int32_t dims[2] = {1, 0};
  for (uint32_t i = 0; i < 2 && count > 0; ++i) {
    const Operand operand = operands[count == 1 ? 0 : i];
    if (count == 1 ? !operand.is_short_list(2) : !operand.is(Operand::kInt)) {
      return false;
    }
    dims[i] = count == 1 ? operand.short_item(i) : static_cast<int32_t>(operand.immediate_int());
    if (dims[i] < -2 || dims[i] > 1) {
      return false;
    }
  }
  return ((dims[0] ^ dims[1]) & 1) != 0;
}

}  // namespace

void internal::view_constant(MethodLoader& loader, pte::Table call, Instruction* out) {
  loader.view_constant(call, out);
}

/// Makes the call's result a view of its first argument, if the call transposes a constant and nobody can tell. A
/// result that the program declares to be anything else than the transposition is left to those who read it.
void MethodLoader::view_constant(pte::Table call, Instruction* out) {
  const pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  const uint32_t last = out->count() - 1;
  uint32_t values[4];  // in; dims, or dim0 and dim1, or nothing; out
  Operand dims[4] = {Operand::of_int(0), Operand::of_int(0), Operand::of_int(0), Operand::of_int(0)};
  for (uint32_t i = 0; i <= last; ++i) {
    values[i] = static_cast<uint32_t>(buffer_.i32_item(args, i));
    if (last > 3 || values[i] >= values_.count) {
      return;  // which the walk will say
    }
    if (i > 0 && i < last) {
      dims[i - 1] = Operand::from_bits(operand(values[i]));
    }
  }
  const uint32_t input = values[0];
  const uint32_t result = values[last];
  if (!marked_uses_) {
    mark_uses(call);
  }
  const pte::Table from = tensor_table(input);
  const pte::Table to = tensor_table(result);
  const pte::Table extra = buffer_.table_field(to, pte::tensor::kExtraTensorInfo);
  if (map_[result] != (kUnmade | kMayBeWritten | kTouched) || !swaps(dims, last - 1) || !to ||
      buffer_.string_field(extra, pte::extra::kFullyQualifiedName) != nullptr ||
      buffer_.vector_field(from, pte::tensor::kSizes, 4).count != 2 ||
      buffer_.field(from, pte::tensor::kAllocationInfo) != 0 ||
      (operand(input) & Operand::kTagMask) != Operand::kTensor) {
    return;
  }
  constexpr size_t kShape = Shape::bytes(2, 2);
  TensorImpl* view = take_with_items<TensorImpl>(sizeof(TensorImpl) + kShape, Target<TensorImpl>::kBytes + kShape);
  if (!ok()) {
    return;
  }
  map_[result] = Operand::of_tensor(view).bits();
  if (rehearsing()) {
    ++request_.rehearsal->views;
    return;
  }
  const TensorImpl& constant = *reinterpret_cast<TensorImpl*>(map_[input] & ~uintptr_t{Operand::kTagMask});
  int32_t* shape = reinterpret_cast<int32_t*>(view + 1);
  auto* order = reinterpret_cast<uint8_t*>(shape + 4);
  for (size_t i = 0; i < 2; ++i) {
    shape[i] = constant.sizes_[1 - i];
    shape[2 + i] = constant.strides_[1 - i];
    order[i] = constant.dim_order_[i] ^ 1;
  }
  new (view) TensorImpl(constant);
  view->sizes_ = shape;
  view->strides_ = shape + 2;
  view->dim_order_ = order;
  out->function = do_nothing;
}

/// Marks values that are not made yet and that calls touch otherwise than as a product's operand: results of one call
/// and nothing else are marked once. What calls before `first` touch is made.
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
        mark_use(index);
        mark_use(buffer_.u32_field(call, pte::call::kMoveTo));
        continue;
      }
      const pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
      uint32_t count = args.count;
      uint32_t k = 0;
      if (type == pte::instruction::kKernelCall) {
        count = argument_count(bindings_[index], args);
        const char* name = buffer_.string_field(buffer_.table_item(operators_, index), pte::op::kName);
        if (!bindings_[index].registered && is_product(name)) {
          k = count - 1;
        }
      }
      for (; k < count; ++k) {
        mark_use(static_cast<uint32_t>(buffer_.i32_item(args, k)));
      }
    }
  }
}

void MethodLoader::mark_use(uint32_t value) {
  if (value < values_.count && !is_made(map_[value])) {
    map_[value] |= (map_[value] & kTouched) != 0 ? kTouchedAgain : kTouched;
  }
}

/// The table of a value that is a tensor; empty for others.
pte::Table MethodLoader::tensor_table(uint32_t index) {
  const pte::Table content = look_at(index);
  return type_ == pte::evalue::kTensor ? content : pte::Table{};
}

}  // namespace wick
