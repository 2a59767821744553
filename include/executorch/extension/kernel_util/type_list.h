// SPDX-License-Identifier: BSD-3-Clause
// Lists of types, for templates that take a function's signature apart.
// Part of make_boxed_from_unboxed_functor.h; the names are internal.
//
//     using kernel_util_internal::typelist;
//     static_assert(kernel_util_internal::size<typelist<int, double>>::value == 2);

#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace executorch::extension::kernel_util_internal {

/// A list of types.
template <class... Items>
struct typelist final {
  typelist() = delete;
};

/// The number of types in a list.
template <class TypeList>
struct size;
template <class... Types>
struct size<typelist<Types...>> final {
  static constexpr size_t value = sizeof...(Types);
};

/// The type at an index of a list.
template <size_t Index, class TypeList>
struct element;
template <size_t Index, class... Types>
struct element<Index, typelist<Types...>> {
  static_assert(Index < sizeof...(Types), "Index is out of bounds in typelist::element");
  using type = std::tuple_element_t<Index, std::tuple<Types...>>;
};
template <size_t Index, class TypeList>
using element_t = typename element<Index, TypeList>::type;

/// The first type of a list, or Default if the list is empty.
template <class Default, class TypeList>
struct head_with_default final {
  using type = Default;
};
template <class Default, class Head, class... Tail>
struct head_with_default<Default, typelist<Head, Tail...>> final {
  using type = Head;
};
template <class Default, class TypeList>
using head_with_default_t = typename head_with_default<Default, TypeList>::type;

/// A list without its first `num` types; empty if it has no more than that.
template <class TypeList, size_t num, class Enable = void>
struct drop_if_nonempty {
  using type = TypeList;
};
template <class Head, class... Tail, size_t num>
struct drop_if_nonempty<typelist<Head, Tail...>, num, std::enable_if_t<(num > 0)>>
    : drop_if_nonempty<typelist<Tail...>, num - 1> {};
template <class TypeList, size_t num>
using drop_if_nonempty_t = typename drop_if_nonempty<TypeList, num>::type;

}  // namespace executorch::extension::kernel_util_internal
