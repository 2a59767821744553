// SPDX-License-Identifier: BSD-3-Clause
// Values as text.

#include <executorch/extension/evalue_util/print_evalue.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include <cmath>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>

namespace executorch {
namespace {

using executorch::aten::ArrayRef;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;

constexpr size_t kItemsPerLine = 10;
constexpr size_t kDefaultEdgeItems = 3;

/// Where a stream keeps its number of edge items.
int edge_items_slot() {
  static const int slot = std::ios_base::xalloc();
  return slot;
}

size_t edge_items_of(std::ostream& os) {
  const long items = os.iword(edge_items_slot());
  return items <= 0 ? kDefaultEdgeItems : static_cast<size_t>(items);
}

/// Whole numbers end in a point, so that they are not taken for integers.
void print_number(std::ostream& os, double value) {
  os << value;
  if (std::isfinite(value) && std::fabs(value) < 9.2e18) {
    std::ostringstream text;
    text << value;
    if (value == 0 || text.str() == std::to_string(static_cast<int64_t>(value))) {
      os << ".";
    }
  }
}

void print_number(std::ostream& os, bool value) { os << (value ? "True" : "False"); }

void print_number(std::ostream& os, int64_t value) { os << value; }

template <typename T>
void print_element(std::ostream& os, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    print_number(os, value);
  } else if constexpr (std::is_integral_v<T>) {
    print_number(os, static_cast<int64_t>(value));
  } else {
    print_number(os, static_cast<double>(value));
  }
}

/// `count` numbers, at most `edge` of them at either end, in lines if they are many. The lines after a gap are laid out
/// so that the last one is full.
template <typename PrintItem>
void print_numbers(std::ostream& os, size_t count, size_t edge, PrintItem print_item) {
  const bool gap = edge < count && count - edge > edge;
  const bool wrap = (gap ? 2 * edge : count) > kItemsPerLine;
  size_t column = 0;
  os << "[";
  for (size_t i = 0; i < count; ++i) {
    if (gap && i == edge) {
      i = count - edge;
      column = (kItemsPerLine - edge % kItemsPerLine) % kItemsPerLine;
      os << (wrap ? "\n  ...," : "..., ");
      if (wrap && column != 0) {
        os << "\n  ";
      }
    }
    if (wrap && column % kItemsPerLine == 0) {
      os << "\n  ";
    }
    print_item(i);
    if (wrap || i + 1 < count) {
      os << ", ";
    }
    ++column;
  }
  os << (wrap ? "\n]" : "]");
}

template <typename List>
void print_number_list(std::ostream& os, const List& list) {
  os << "(len=" << list.size() << ")";
  print_numbers(os, list.size(), edge_items_of(os), [&](size_t i) { print_element(os, list[i]); });
}

void print_tensor(std::ostream& os, const Tensor& tensor) {
  os << "tensor(sizes=";
  const auto sizes = tensor.sizes();
  print_numbers(os, sizes.size(), sizes.size(), [&](size_t i) { print_element(os, sizes[i]); });
  os << ", ";
  const size_t numel = static_cast<size_t>(tensor.numel());
#define WICK_PRINT(ctype, name)                                                                                       \
  case ScalarType::name: {                                                                                            \
    const ctype* data = tensor.const_data_ptr<ctype>();                                                               \
    print_numbers(os, data == nullptr ? 0 : numel, edge_items_of(os), [&](size_t i) { print_element(os, data[i]); }); \
    break;                                                                                                            \
  }
  switch (tensor.scalar_type()) {
    ET_FORALL_REALHBBF16_TYPES(WICK_PRINT)
    default:
      os << "[<unhandled scalar type " << static_cast<int>(tensor.scalar_type()) << ">]";
  }
#undef WICK_PRINT
  os << ")";
}

void print_element(std::ostream& os, const Tensor& tensor) { print_tensor(os, tensor); }

void print_element(std::ostream& os, const std::optional<Tensor>& tensor) {
  if (tensor.has_value()) {
    print_tensor(os, *tensor);
  } else {
    os << "None";
  }
}

/// Tensors, one a line when there are several.
template <typename T>
void print_tensors(std::ostream& os, ArrayRef<T> list) {
  const bool lines = list.size() > 1;
  os << "(len=" << list.size() << ")[";
  for (size_t i = 0; i < list.size(); ++i) {
    if (lines) {
      os << "\n  [" << i << "]: ";
    }
    print_element(os, list[i]);
    if (lines) {
      os << ",";
    }
  }
  os << (lines ? "\n]" : "]");
}

}  // namespace

namespace extension {

void evalue_edge_items::set_edge_items(std::ostream& os, long edge_items) { os.iword(edge_items_slot()) = edge_items; }

}  // namespace extension

namespace runtime {

std::ostream& operator<<(std::ostream& os, const EValue& value) {
  switch (value.tag) {
    case Tag::None:
      os << "None";
      break;
    case Tag::Bool:
      print_number(os, value.toBool());
      break;
    case Tag::Int:
      print_number(os, value.toInt());
      break;
    case Tag::Double:
      print_number(os, value.toDouble());
      break;
    case Tag::String: {
      const auto text = value.toString();
      os << std::quoted(std::string(text.data(), text.size()));
      break;
    }
    case Tag::Tensor:
      print_tensor(os, value.toTensor());
      break;
    case Tag::ListBool:
      print_number_list(os, value.toBoolList());
      break;
    case Tag::ListInt:
      print_number_list(os, value.toIntList());
      break;
    case Tag::ListDouble:
      print_number_list(os, value.toDoubleList());
      break;
    case Tag::ListTensor:
      print_tensors(os, value.toTensorList());
      break;
    case Tag::ListOptionalTensor:
      print_tensors(os, value.toListOptionalTensor());
      break;
    default:
      os << "<Unknown EValue tag " << static_cast<int>(value.tag) << ">";
      break;
  }
  return os;
}

}  // namespace runtime
}  // namespace executorch
