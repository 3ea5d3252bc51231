// Tests every form of location.
#include "tests/frontend/mlir/reading.h"

namespace halyard::mlir {
namespace {

class LocationReading : public Reading {
 public:
  explicit LocationReading(const std::string& location, const std::string& after = "")
      : Reading(absl::StrCat("\"d.op\"() : () -> () loc(", location, ")", after)) {}
  const Location* operator->() const { return op()->location; }
};

TEST(Locations, Unknown) {
  EXPECT_EQ(LocationReading("unknown")->kind, Location::Kind::kUnknown);
  EXPECT_EQ(Reading("\"d.op\"() : () -> ()").op()->location, nullptr);
}

TEST(Locations, Files) {
  LocationReading place("\"a b.py\":12:3");
  ASSERT_EQ(place.error, "");
  EXPECT_EQ(place->kind, Location::Kind::kFile);
  EXPECT_EQ(place->text, "a b.py");
  EXPECT_EQ(place->line, 12);
  EXPECT_EQ(place->column, 3);
  EXPECT_EQ(LocationReading("\"a.py\":12:3 to 14:5")->line, 12);
  EXPECT_EQ(LocationReading("\"a.py\":12:3 to :5")->column, 3);
}

TEST(Locations, Names) {
  LocationReading name("\"jit(f)/add\"(\"a.py\":1:2)");
  ASSERT_EQ(name.error, "");
  EXPECT_EQ(name->kind, Location::Kind::kName);
  EXPECT_EQ(name->text, "jit(f)/add");
  EXPECT_EQ(name->children[0]->line, 1);
  EXPECT_TRUE(LocationReading("\"x\"")->children.empty());
}

TEST(Locations, CallSitesAndFusions) {
  LocationReading site("callsite(\"f\" at callsite(\"g\" at \"a.py\":1:2))");
  ASSERT_EQ(site.error, "");
  EXPECT_EQ(site->kind, Location::Kind::kCallSite);
  EXPECT_EQ(site->children[1]->kind, Location::Kind::kCallSite);
  LocationReading fused("fused<\"why\">[\"a\", unknown, loc(\"b\")]");
  ASSERT_EQ(fused.error, "");
  EXPECT_EQ(fused->kind, Location::Kind::kFused);
  EXPECT_EQ(fused->children.size(), 3u);
  EXPECT_EQ(LocationReading("fused[]")->children.size(), 0u);
}

TEST(Locations, AliasesMayComeLater) {
  LocationReading alias("#loc3", "\n#loc = loc(\"a.py\":4:5)\n#loc3 = loc(\"n\"(#loc))");
  ASSERT_EQ(alias.error, "");
  EXPECT_EQ(alias->kind, Location::Kind::kAlias);
  const Location* name = alias->children[0];
  EXPECT_EQ(name->text, "n");
  EXPECT_EQ(name->children[0]->children[0]->line, 4);
}

TEST(Locations, OnArguments) {
  Reading reading("func.func @f(%a: tensor<f32> loc(\"x\")) { return loc(\"r\") } loc(\"f\")");
  ASSERT_EQ(reading.error, "");
  const Block& block = *reading.op()->regions[0].blocks[0];
  EXPECT_EQ(block.arguments[0]->location->text, "x");
  EXPECT_EQ(block.operations[0]->location->text, "r");
  EXPECT_EQ(reading.op()->location->text, "f");
}

TEST(Locations, Wrong) {
  EXPECT_EQ(LocationReading("#nope").error,
            "f.mlir:1:25: error: location alias '#nope' is not defined");
  EXPECT_EQ(LocationReading("fused[\"a\"").error, "f.mlir:1:34: error: expected ']', got ')'");
  EXPECT_EQ(LocationReading("callsite(\"a\")").error, "f.mlir:1:37: error: expected 'at', got ')'");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "fused[";
  EXPECT_NE(LocationReading(deep).error.find("nested more than 200 deep"), std::string::npos);
}

}  // namespace
}  // namespace halyard::mlir
