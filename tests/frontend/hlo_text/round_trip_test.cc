// Parse, print, parse: every op of the table, the parts of the module itself, and the provenance
// that is kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/op_lines.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_text {
namespace {

using hlo::Opcode;

// Parses `text`, prints it, and checks that the printed text reads and prints the same again.
// Returns null on failure.
std::unique_ptr<hlo::Module> RoundTrip(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseModule(text, "test.hlo");
  if (!module.ok()) {
    ADD_FAILURE() << module.status().message() << "\n" << text;
    return nullptr;
  }
  std::string printed = Print(**module);
  absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseModule(printed, "printed.hlo");
  if (!again.ok()) {
    ADD_FAILURE() << again.status().message() << "\n" << printed;
    return nullptr;
  }
  EXPECT_EQ(Print(**again), printed);
  const auto& before = (*module)->entry()->instructions();
  const auto& after = (*again)->entry()->instructions();
  EXPECT_EQ(before.size(), after.size());
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    EXPECT_EQ(before[i]->opcode, after[i]->opcode);
    EXPECT_TRUE(before[i]->attrs == after[i]->attrs) << PrintInstruction(*before[i]);
    EXPECT_TRUE(before[i]->shape == after[i]->shape) << PrintInstruction(*before[i]);
  }
  return *std::move(module);
}

TEST(RoundTrip, OpsWithAttributes) {
  for (absl::string_view line : kOpLines) {
    RoundTrip(OneOp(line));
  }
}

// Tests ops that only have operands and a type, with each of these types that they accept.
bool RoundTripPlain(const hlo::OpRow& row) {
  bool any = false;
  constexpr absl::string_view kTypes[] = {
      "f32", "s32", "u8", "pred", "c64", "s8<-128:127:f32, {0.5:3}>", "u8<1:9:f32:0, {2,0.1:3,4}>"};
  for (absl::string_view type : kTypes) {
    for (absl::string_view result : kTypes) {
      std::string text =
          Program(absl::StrCat("  %x = ", type, "[3] parameter(0)\n  ROOT %r = ", result, "[3] ",
                               row.hlo_name, "(%x", row.min_operands == 2 ? ", %x" : "", ")\n"));
      if (!ParseModule(text, "test.hlo").ok()) continue;
      RoundTrip(text);
      any = true;
    }
  }
  return any;
}

TEST(RoundTrip, EveryOpOfTheTable) {
  for (const hlo::OpRow& row : hlo::AllOps()) {
    std::string call = absl::StrCat(" ", row.hlo_name, "(");
    bool listed = std::any_of(
        std::begin(kOpLines), std::end(kOpLines),
        [&](absl::string_view line) { return line.find(call) != absl::string_view::npos; });
    bool plain = row.min_operands >= 1 && row.min_operands <= 2 && row.required.empty();
    EXPECT_TRUE(listed || (plain && RoundTripPlain(row)))
        << row.hlo_name << " has no line in kOpLines, and is not of one or two operands alone";
  }
}

TEST(RoundTrip, EverythingInOneModule) {
  std::unique_ptr<hlo::Module> module = RoundTrip(kEverything);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->name(), "jit_f.3");
  EXPECT_EQ(module->num_replicas, 4);
  EXPECT_EQ(module->num_partitions, 2);
  ASSERT_EQ(module->aliases.size(), 2u);
  EXPECT_EQ(module->aliases[1].result_leaf, 1);
  EXPECT_EQ(module->aliases[1].parameter_number, 1);
  EXPECT_FALSE(module->aliases[0].must);
  EXPECT_TRUE(module->aliases[1].must);
  EXPECT_EQ(module->donors, std::vector<int64_t>({2}));
  std::string printed = Print(*module);
  EXPECT_NE(
      printed.find("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias) }"),
      std::string::npos);
  EXPECT_NE(printed.find("buffer_donor={ (2, {}) }"), std::string::npos);
}

const hlo::Instruction* Find(const hlo::Module& module, absl::string_view name) {
  for (const auto& inst : module.entry()->instructions()) {
    if (inst->name == name) return inst.get();
  }
  return nullptr;
}

TEST(RoundTrip, Provenance) {
  std::unique_ptr<hlo::Module> module = RoundTrip(kEverything);
  ASSERT_NE(module, nullptr);
  const hlo::Provenance& sum = Find(*module, "sum.1")->provenance;
  EXPECT_EQ(sum.op_names, std::vector<std::string>({"jit(f)/add"}));
  ASSERT_EQ(sum.locations.size(), 2u);
  EXPECT_EQ(sum.Place(), "test.hlo:52:3");
  EXPECT_EQ(sum.locations[1], (hlo::SourceLocation{"a b.py", 7, 0}));
  // From the location tables of newer XLA versions.
  const hlo::Provenance& rows = Find(*module, "rows")->provenance;
  ASSERT_EQ(rows.locations.size(), 2u);
  EXPECT_EQ(rows.locations[1], (hlo::SourceLocation{"model.py", 11, 23}));
  EXPECT_EQ(PrintInstruction(*Find(*module, "rows")),
            "%rows = f32[4] reduce(%sum.1, %zero), dimensions={1}, to_apply=%add_f32, "
            "metadata={op_name=\"jit(f)/sum\" source_file=\"model.py\" source_line=11 "
            "source_column=23}");
  EXPECT_EQ(PrintInstruction(*Find(*module, "rows"), {.metadata = false}),
            "%rows = f32[4] reduce(%sum.1, %zero), dimensions={1}, to_apply=%add_f32");
}

TEST(RoundTrip, WhatIsKeptAndWhatIsNot) {
  std::unique_ptr<hlo::Module> module = RoundTrip(kEverything);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(Find(*module, "x")->GetString(hlo::Attr::kSharding), "{devices=[2,1]0,1}");
  EXPECT_EQ(Find(*module, "wide")->GetString(hlo::Attr::kFrontendAttributes), R"({a="}",b="\"{"})");
  EXPECT_EQ(Find(*module, "loop")->GetInt(hlo::Attr::kKnownTripCount), 7);
  EXPECT_EQ(Find(*module, "call")->GetString(hlo::Attr::kCustomCallTarget), "my\"target");
  EXPECT_EQ(Find(*module, "call")->GetString(hlo::Attr::kBackendConfig), "{uplo = 76 : ui8}");
  EXPECT_TRUE(Find(*module, "x")->shape.HasDefaultLayout());
}

TEST(RoundTrip, NamesThatTextCannotHold) {
  hlo::Module module("a module/with spaces");
  hlo::Computation* main = module.AddComputation("main<>");
  hlo::Shape shape = hlo::Shape::Array(hlo::ElementType::kF32, {2});
  hlo::Instruction* a = main->AddParameter(0, shape, "a/b");
  hlo::Instruction* b = main->AddParameter(1, shape, "a_b");
  main->AddParameter(2, shape, "u1");
  main->AddParameter(3, shape, "f32");
  main->set_root(main->Add(Opcode::kAdd, shape, {a, b}, {}, {}, "x->y"));
  module.set_entry(main);
  std::string printed = Print(module);
  absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseModule(printed, "printed.hlo");
  ASSERT_TRUE(again.ok()) << again.status().message() << "\n" << printed;
  EXPECT_EQ(Print(**again), printed);
  EXPECT_NE(printed.find("%u1_ = "), std::string::npos) << printed;
  EXPECT_NE(printed.find("%f32_ = "), std::string::npos) << printed;
  EXPECT_NE((*again)->entry()->root()->operand(0), (*again)->entry()->root()->operand(1));
}

TEST(RoundTrip, WhatXlaWritesOtherwise) {
  std::unique_ptr<hlo::Module> module =
      RoundTrip(OneOp("token[] outfeed(%x, %t), outfeed_shape=f32[4]{0}, outfeed_config=\"a\""));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(PrintInstruction(*module->entry()->root()),
            "%r = token[] outfeed(%x, %t), outfeed_config=\"a\"");
  module =
      RoundTrip(OneOp("f32[4] all-reduce(%x), constrain_layout=true, "
                      "replica_groups=[2,4]<=[4,2]T(1,0), to_apply=%add_f32"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->entry()->root()->GetIntLists(hlo::Attr::kReplicaGroups),
            hlo::IntLists({{0, 2, 4, 6}, {1, 3, 5, 7}}));
  const std::pair<const char*, hlo::IntLists> meshes[] = {
      {"mesh['a'=2,'b'=4] {'b'}", {{0, 1, 2, 3}, {4, 5, 6, 7}}},
      {"mesh['a'=2,'b'=4] {'a'}", {{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
      {"mesh['a'=8] {'a':(2)2}", {{0, 2}, {1, 3}, {4, 6}, {5, 7}}},
      {"mesh['a'=2,'b'=4] {'b':(1)2,'a'}", {{0, 4, 2, 6}, {1, 5, 3, 7}}},
      {"mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}", {{0, 2, 4, 6}, {1, 3, 5, 7}}},
      {"mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0) {'b'}", {{7, 6, 5, 4}, {3, 2, 1, 0}}},
  };
  for (const auto& [text, groups] : meshes) {
    module = RoundTrip(
        OneOp(absl::StrCat("f32[4] all-reduce(%x), replica_groups=", text, ", to_apply=%add_f32")));
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->entry()->root()->GetIntLists(hlo::Attr::kReplicaGroups), groups) << text;
  }
  module = RoundTrip(OneOp("f32[2,2] broadcast(%scalar)"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(PrintInstruction(*module->entry()->root()),
            "%r = f32[2,2] broadcast(%scalar), dimensions={}");
  module = RoundTrip(OneOp("f32[4,6] map(%m, %m), to_apply=%add_f32"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(PrintInstruction(*module->entry()->root()),
            "%r = f32[4,6] map(%m, %m), dimensions={0,1}, to_apply=%add_f32");
  // XLA reads -0 as an integer.
  module = RoundTrip(Program("  ROOT %c = c64[2] constant({(-0.0, 1e-05), (-0, 0)})\n"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(PrintInstruction(*module->entry()->root()),
            "%c = c64[2] constant({(-0.0, 1e-05), (-0.0, 0)})");
}

TEST(RoundTrip, LargeConstantsMayBeElided) {
  std::unique_ptr<hlo::Module> module = RoundTrip(
      Program("  %c = s8[11] constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})\n"
              "  %d = s8[2] constant({1, 2})\n  ROOT %t = (s8[11], s8[2]) tuple(%c, %d)\n"));
  ASSERT_NE(module, nullptr);
  std::string printed = Print(*module, {.large_constants = false});
  EXPECT_NE(printed.find("%c = s8[11] constant({...})"), std::string::npos) << printed;
  EXPECT_NE(printed.find("%d = s8[2] constant({1, 2})"), std::string::npos) << printed;
}

TEST(RoundTrip, OneComputationWithoutEntryIsTheEntry) {
  RoundTrip("HloModule m\nc { ROOT x = f32[] parameter(0) }");
}

TEST(RoundTrip, LongChains) {
  std::string body = "  %v0 = f32[] parameter(0)\n";
  constexpr int kLength = 50000;
  for (int i = 1; i <= kLength; ++i) {
    absl::StrAppend(&body, "  %v", i, " = f32[] add(%v", i - 1, ", %v", i - 1, ")\n");
  }
  std::unique_ptr<hlo::Module> module = RoundTrip(Program(body));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->entry()->instructions().size(), kLength + 1);
  EXPECT_FALSE(Print(*module, {.canonical = true}).empty());
}

}  // namespace
}  // namespace halyard::hlo_text
