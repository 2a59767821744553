// SPDX-License-Identifier: BSD-3-Clause
// Scalar types: numbers, sizes, promotion, casts and the switch macros.

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using executorch::aten::ScalarType;
using executorch::runtime::Error;

// PyTorch's table of promoted types (documentation of torch.result_type, "Type promotion"; the same as
// torch.promote_types(row, column)).
constexpr char kPromotion[] = R"(
   u1 i1 i2 i4 i8 f2 f4 f8 c2 c4 c8 b1 bf
u1 u1 i2 i2 i4 i8 f2 f4 f8 c2 c4 c8 u1 bf
i1 i2 i1 i2 i4 i8 f2 f4 f8 c2 c4 c8 i1 bf
i2 i2 i2 i2 i4 i8 f2 f4 f8 c2 c4 c8 i2 bf
i4 i4 i4 i4 i4 i8 f2 f4 f8 c2 c4 c8 i4 bf
i8 i8 i8 i8 i8 i8 f2 f4 f8 c2 c4 c8 i8 bf
f2 f2 f2 f2 f2 f2 f2 f4 f8 c2 c4 c8 f2 f4
f4 f4 f4 f4 f4 f4 f4 f4 f8 c4 c4 c8 f4 f4
f8 f8 f8 f8 f8 f8 f8 f8 f8 c8 c8 c8 f8 f8
c2 c2 c2 c2 c2 c2 c2 c4 c8 c2 c4 c8 c2 c4
c4 c4 c4 c4 c4 c4 c4 c4 c8 c4 c4 c8 c4 c4
c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8
b1 u1 i1 i2 i4 i8 f2 f4 f8 c2 c4 c8 b1 bf
bf bf bf bf bf bf f4 f4 f8 c4 c4 c8 bf bf
)";

ScalarType named(const std::string& name) {
  static const std::map<std::string, ScalarType> types = {
      {"u1", ScalarType::Byte},         {"i1", ScalarType::Char},          {"i2", ScalarType::Short},
      {"i4", ScalarType::Int},          {"i8", ScalarType::Long},          {"f2", ScalarType::Half},
      {"f4", ScalarType::Float},        {"f8", ScalarType::Double},        {"c2", ScalarType::ComplexHalf},
      {"c4", ScalarType::ComplexFloat}, {"c8", ScalarType::ComplexDouble}, {"b1", ScalarType::Bool},
      {"bf", ScalarType::BFloat16}};
  return types.at(name);
}

TEST(ScalarType, PromotionFollowsPyTorchsTable) {
  std::istringstream text(kPromotion);
  std::vector<std::string> columns(13);
  for (std::string& column : columns) {
    text >> column;
  }
  int rows = 0;
  for (std::string row, result; text >> row; ++rows) {
    for (const std::string& column : columns) {
      text >> result;
      const ScalarType expected = named(result);
      EXPECT_EQ(executorch::runtime::promoteTypes(named(row), named(column)), expected) << row << " " << column;
      const bool reduced = result == "f2" || result == "bf";
      EXPECT_EQ(executorch::runtime::promoteTypes(named(row), named(column), /*half_to_float=*/true),
                reduced ? ScalarType::Float : expected)
          << row << " " << column;
    }
  }
  EXPECT_EQ(rows, 13);
  static_assert(std::is_same_v<executorch::runtime::promote_types<uint8_t, int8_t>::type, int16_t>);
  static_assert(std::is_same_v<executorch::runtime::promote_types<executorch::aten::Half, bool, true>::type, float>);
}

TEST(ScalarType, TypesOutsideArithmeticPromoteToThemselvesOnly) {
  for (const ScalarType type : {ScalarType::QInt8, ScalarType::Bits8, ScalarType::UInt16, ScalarType::Float8_e5m2}) {
    EXPECT_EQ(executorch::runtime::promoteTypes(type, type), type);
    EXPECT_DEATH(executorch::runtime::promoteTypes(type, ScalarType::Float), "");
    EXPECT_DEATH(executorch::runtime::promoteTypes(ScalarType::Float, type), "");
  }
  EXPECT_DEATH(executorch::runtime::promoteTypes(ScalarType::Undefined, ScalarType::Undefined), "");
}

TEST(ScalarType, NumbersNamesAndSizesAreThoseOfTheFormat) {
  EXPECT_EQ(static_cast<int>(ScalarType::Bool), 11);
  EXPECT_EQ(static_cast<int>(ScalarType::BFloat16), 15);
  EXPECT_EQ(static_cast<int>(ScalarType::UInt16), 27);
  EXPECT_STREQ(executorch::runtime::toString(ScalarType::Char), "Char");
  EXPECT_STREQ(executorch::runtime::toString(ScalarType::Undefined), "Undefined");
  EXPECT_STREQ(executorch::runtime::toString(static_cast<ScalarType>(-3)), "UNKNOWN_SCALAR");
#define CHECK_SIZE(ctype, name)                                                          \
  EXPECT_EQ(executorch::runtime::elementSize(ScalarType::name), sizeof(ctype)) << #name; \
  EXPECT_TRUE(executorch::runtime::isValid(ScalarType::name));
  ET_FORALL_SCALAR_TYPES(CHECK_SIZE)
#undef CHECK_SIZE
  EXPECT_EQ(executorch::runtime::elementSize(ScalarType::ComplexHalf), 4u);
  for (const int bad : {-128, -1, 30, 31, 127}) {
    EXPECT_FALSE(executorch::runtime::isValid(static_cast<ScalarType>(bad)));
    EXPECT_DEATH(executorch::runtime::elementSize(static_cast<ScalarType>(bad)), "");
  }
}

TEST(ScalarType, CastsGoUpTheKinds) {
  using executorch::runtime::canCast;
  EXPECT_TRUE(canCast(ScalarType::Int, ScalarType::Float));
  EXPECT_TRUE(canCast(ScalarType::Long, ScalarType::Byte));
  EXPECT_TRUE(canCast(ScalarType::Bool, ScalarType::Char));
  EXPECT_FALSE(canCast(ScalarType::Float, ScalarType::Int));
  EXPECT_FALSE(canCast(ScalarType::Int, ScalarType::Bool));
  EXPECT_FALSE(canCast(ScalarType::ComplexFloat, ScalarType::Float));
  EXPECT_EQ((executorch::runtime::convert<uint8_t, float>(-1.0f)), 255);
}

/// What a kernel's context does for the macros.
struct Context {
  void fail(Error error) { state = error; }
  Error state = Error::Ok;
};

TEST(ScalarType, SwitchesNestAndRefuseOtherTypes) {
  Context ctx;
  size_t sizes = 0;
  const auto run = [&](ScalarType in, ScalarType out) {
    ET_SWITCH_REALHBBF16_TYPES(in, ctx, "test.out", CTYPE_IN, [&]() {
      ET_SWITCH_FLOAT_TYPES_AND(Half, out, ctx, "test.out", CTYPE_OUT,
                                [&]() { sizes = sizeof(CTYPE_IN) * 100 + sizeof(CTYPE_OUT); });
    });
  };
  run(ScalarType::BFloat16, ScalarType::Double);
  EXPECT_EQ(sizes, 208u);
  EXPECT_EQ(ctx.state, Error::Ok);
  run(ScalarType::Bool, ScalarType::Int);
  EXPECT_EQ(sizes, 208u);
  EXPECT_EQ(ctx.state, Error::InvalidArgument);
  EXPECT_EQ(ET_SWITCH_THREE_TYPES(Byte, Int, Double, ScalarType::Int, ctx, "test.out", CTYPE,
                                  [&]() -> size_t { return sizeof(CTYPE); }),
            4u);
}

TEST(ScalarType, EveryWithMacroPassesItsArgumentsOn) {
  int count = 0;
#define COUNT(a, b, ctype, name)                        \
  static_assert(a == 1 && b == 2 && sizeof(ctype) > 0); \
  count += static_cast<int>(ScalarType::name) >= 0;
  ET_FORALL_REALHBBF16_TYPES_WITH2(1, 2, COUNT)
#undef COUNT
  EXPECT_EQ(count, 10);
}

}  // namespace
