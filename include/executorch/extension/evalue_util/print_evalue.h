// SPDX-License-Identifier: BSD-3-Clause
//
// Values as text, for host programs: numbers as PyTorch writes them, tensors as their sizes and the flat list of their
// elements, long lists with their middle left out.
//
//   std::cout << method->get_output(0);                          // tensor(sizes=[1, 3], [0.5, 1., 2.])
//   std::cout << evalue_edge_items(1) << method->get_output(0);  // at most 1 element at either end, from here on
#pragma once

#include <executorch/runtime/core/evalue.h>

#include <ostream>
#include <sstream>  // which runners take from here

namespace executorch {
namespace runtime {

std::ostream& operator<<(std::ostream& os, const EValue& value);

}  // namespace runtime
}  // namespace executorch

namespace executorch {
namespace extension {

/// A stream manipulator: how many elements of a list are printed at either end before its middle is left out. Lasts
/// until changed; 3 by default, and for 0 or less.
class evalue_edge_items final {
 public:
  explicit evalue_edge_items(long edge_items) : edge_items_(edge_items < 0 ? 0 : edge_items) {}

  friend std::ostream& operator<<(std::ostream& os, const evalue_edge_items& e) {
    set_edge_items(os, e.edge_items_);
    return os;
  }

 private:
  static void set_edge_items(std::ostream& os, long edge_items);

  const long edge_items_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::evalue_edge_items;
}  // namespace util
}  // namespace executor
}  // namespace torch
