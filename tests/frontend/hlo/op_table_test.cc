#include "frontend/hlo/ir/op_table.h"

#include <gtest/gtest.h>

#include <set>

namespace halyard::hlo {
namespace {

TEST(OpTableTest, EveryRowIsComplete) {
  std::set<absl::string_view> hlo_names, stablehlo_names;
  ASSERT_GT(AllOps().size(), 70u);
  for (size_t i = 0; i < AllOps().size(); ++i) {
    const OpRow& row = AllOps()[i];
    EXPECT_EQ(static_cast<size_t>(row.opcode), i);
    EXPECT_EQ(&RowOf(row.opcode), &row);
    EXPECT_TRUE(row.infer != nullptr && row.evaluate != nullptr) << row.hlo_name;
    EXPECT_TRUE(hlo_names.insert(row.hlo_name).second) << row.hlo_name;
    EXPECT_EQ(OpcodeFromHloName(row.hlo_name), row.opcode);
    if (!row.stablehlo_name.empty()) {
      EXPECT_TRUE(stablehlo_names.insert(row.stablehlo_name).second) << row.stablehlo_name;
      EXPECT_EQ(OpcodeFromStableHloName(row.stablehlo_name), row.opcode);
    }
    EXPECT_TRUE(row.max_operands < 0 || row.min_operands <= row.max_operands) << row.hlo_name;
    for (Attr attr : row.required) {
      for (Attr other : row.optional) EXPECT_NE(attr, other) << row.hlo_name;
    }
  }
  EXPECT_EQ(OpcodeFromHloName("no-such-op"), std::nullopt);
  EXPECT_EQ(OpcodeFromStableHloName(""), std::nullopt);
}

TEST(OpTableTest, CalledNames) {
  const OpRow& loop = RowOf(Opcode::kWhile);
  ASSERT_EQ(loop.called.size(), 2u);
  EXPECT_EQ(loop.called[0].name, "condition");
  EXPECT_FALSE(loop.called[0].list);
  const OpRow& branches = RowOf(Opcode::kConditional);
  ASSERT_EQ(branches.called.size(), 1u);
  EXPECT_EQ(branches.called[0].name, "branch_computations");
  EXPECT_TRUE(branches.called[0].list);
}

TEST(OpTableTest, Elementwise) {
  for (Opcode opcode : {Opcode::kAdd, Opcode::kExp, Opcode::kConvert, Opcode::kSelect,
                        Opcode::kClamp, Opcode::kCompare, Opcode::kComplex, Opcode::kMap}) {
    EXPECT_TRUE(RowOf(opcode).elementwise) << RowOf(opcode).hlo_name;
  }
  for (Opcode opcode : {Opcode::kBitcastConvert, Opcode::kIota, Opcode::kReduce, Opcode::kTuple,
                        Opcode::kBroadcast, Opcode::kWhile}) {
    EXPECT_FALSE(RowOf(opcode).elementwise) << RowOf(opcode).hlo_name;
  }
}

}  // namespace
}  // namespace halyard::hlo
