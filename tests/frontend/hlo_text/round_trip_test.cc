// Parse, print, parse: every op of the table, the module's own parts, and what is kept of
// provenance.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frontend/hlo/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_text {
namespace {

using hlo::Opcode;

// Parses `text`, prints it, and checks that the printed text gives itself again. Null after a
// failure.
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

constexpr absl::string_view kAdd = R"(
%add_f32 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
%less (c: f32[], d: f32[]) -> pred[] {
  %c = f32[] parameter(0)
  %d = f32[] parameter(1)
  ROOT %lt = pred[] compare(%c, %d), direction=LT
}
%twice (e: f32[4]) -> f32[4] {
  %e = f32[4] parameter(0)
  ROOT %two = f32[4] add(%e, %e)
}
%state_less (s: (s32[], f32[4])) -> pred[] {
  %s = (s32[], f32[4]) parameter(0)
  %n = s32[] get-tuple-element(%s), index=0
  ROOT %more = pred[] compare(%n, %n), direction=LT, type=SIGNED
}
%state_same (s1: (s32[], f32[4])) -> (s32[], f32[4]) {
  ROOT %s1 = (s32[], f32[4]) parameter(0)
}
)";

constexpr absl::string_view kParameters = R"(
  %x = f32[4] parameter(0)
  %m = f32[4,6] parameter(1)
  %k = f32[6,5] parameter(2)
  %image = f32[2,8,8,4] parameter(3)
  %filter = f32[3,3,2,6] parameter(4)
  %scalar = f32[] parameter(5)
  %i = s32[] parameter(6)
  %p = pred[] parameter(7)
  %state = (s32[], f32[4]) parameter(8)
  %t = token[] parameter(9)
  %indices = s32[3,1] parameter(10)
  %pred4 = pred[4] parameter(11)
  %table = s32[3,3] parameter(12)
)";

// Ops that are more than operands and a type: one line each, what follows `%r = `.
constexpr absl::string_view kLines[] = {
    "f32[] parameter(13)",
    "f32[2,2] constant({ {1, -0}, {nan, 1e-40} })",
    "(f32[4], s32[]) tuple(%x, %i)",
    "f32[4] get-tuple-element(%state), index=1",
    "f32[4] call(%x), to_apply=%twice, is_composite=true, "
    "frontend_attributes={composite.name=\"a.b\"}",
    "f32[4] fusion(%x), kind=kLoop, calls=%twice",
    "(s32[], f32[4]) while(%state), condition=%state_less, body=%state_same",
    "(s32[], f32[4]) while(%state), condition=%state_less, body=%state_same, "
    "backend_config={\"known_trip_count\":{\"n\":\"12\"}}",
    "f32[4] conditional(%p, %x, %x), true_computation=%twice, false_computation=%twice",
    "f32[4] conditional(%i, %x, %x, %x), branch_computations={%twice, %twice, %twice}",
    "(f32[4], f32[]) custom-call(%x, %scalar), custom_call_target=\"a\\n\\\"b\\\\\", "
    "custom_call_has_side_effect=true, api_version=API_VERSION_STATUS_RETURNING, "
    "called_computations={%twice, %less}, backend_config=\"x y {\"",
    "f32[4] custom-call(), custom_call_target=\"none\", backend_config={a = {b = \"}\"}}",
    "f32[4] opt-barrier(%x)",
    "token[] after-all(%t, %t)",
    "token[] after-all()",
    "f32[4,6]{0,1} copy(%m)",
    "bf16[4] convert(%x)",
    "s32[4] bitcast-convert(%x)",
    "f32[4] reduce-precision(%x), exponent_bits=5, mantissa_bits=10",
    "f32[4] clamp(%scalar, %x, %scalar)",
    "pred[4] compare(%x, %x), direction=GE, type=TOTALORDER",
    "f32[4] select(%pred4, %x, %x)",
    "c64[4] complex(%x, %x)",
    "s32[3,4] iota(), iota_dimension=1",
    "f32[4,7] broadcast(%x), dimensions={0}",
    "f32[7] broadcast(%scalar), dimensions={}",
    "f32[2,12] reshape(%m)",
    "f32[24] bitcast(%m)",
    "f32[6,4] transpose(%m), dimensions={1,0}",
    "f32[6,4]{0,1} transpose(%m), dimensions={1,0}",
    "f32[4,6] reverse(%m), dimensions={0,1}",
    "f32[2,2] slice(%m), slice={[1:3], [0:6:3]}",
    "f32[8,6] concatenate(%m, %m), dimensions={0}",
    "f32[8,5] pad(%m, %scalar), padding=0_1_1x-1_0_0",
    "f32[5,6] pad(%m, %scalar), padding=0_1x0_0",
    "f32[] pad(%scalar, %scalar), padding=",
    "f32[2,3] dynamic-slice(%m, %i, %i), dynamic_slice_sizes={2,3}",
    "f32[4,6] dynamic-update-slice(%m, %m, %i, %i)",
    "f32[3,6] gather(%m, %indices), offset_dims={1}, collapsed_slice_dims={0}, "
    "start_index_map={0}, "
    "index_vector_dim=1, slice_sizes={1,6}, indices_are_sorted=true",
    "f32[4,5] dot(%m, %k), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
    "operand_precision={highest,default}",
    "f32[4,6,6] dot(%m, %m), lhs_batch_dims={0}, rhs_batch_dims={0}, algorithm=dot_f32_f32_f32",
    "f32[2,16,8,6] convolution(%image, %filter), window={size=3x3 pad=2_1x0_2 lhs_dilate=2x1 "
    "rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2",
    "f32[2,8,8,6] convolution(%image, %filter), window={size=3x3 pad=1_1x2_2 rhs_dilate=1x2}, "
    "dim_labels=b01f_01io->b01f, feature_group_count=2, operand_precision={high,high}",
    "f32[4] reduce(%m, %scalar), dimensions={1}, to_apply=%add_f32",
    "f32[2,3] reduce-window(%m, %scalar), window={size=2x2 stride=2x2}, to_apply=%add_f32",
    "f32[2,6] reduce-window(%m, %scalar), window={size=3x1 pad=-1_1x0_0}, to_apply=%add_f32",
    "f32[4,6] sort(%m), dimensions={1}, is_stable=true, to_apply=%less",
    "f32[4] sort-pass(%x, %table, %i), to_apply=%less",
    "f32[4] map(%x, %x), dimensions={0}, to_apply=%add_f32",
};

TEST(RoundTrip, OpsWithAttributes) {
  for (absl::string_view line : kLines) {
    RoundTrip(Program(absl::StrCat(kParameters, "  ROOT %r = ", line, "\n"), kAdd));
  }
}

// Ops of operands and types alone, for whichever of these types they take.
bool RoundTripPlain(const hlo::OpRow& row) {
  bool any = false;
  for (absl::string_view type : {"f32", "s32", "u8", "pred", "c64"}) {
    for (absl::string_view result : {"f32", "s32", "u8", "pred", "c64"}) {
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
    bool listed = std::any_of(std::begin(kLines), std::end(kLines), [&](absl::string_view line) {
      return line.find(call) != absl::string_view::npos;
    });
    bool plain = row.min_operands >= 1 && row.min_operands <= 2 && row.required.empty();
    EXPECT_TRUE(listed || (plain && RoundTripPlain(row)))
        << row.hlo_name << " has no line in kLines, and is not of one or two operands alone";
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
  // Through the tables of newer XLA.
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
  main->set_root(main->Add(Opcode::kAdd, shape, {a, b}, {}, {}, "x->y"));
  module.set_entry(main);
  std::string printed = Print(module);
  absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseModule(printed, "printed.hlo");
  ASSERT_TRUE(again.ok()) << again.status().message() << "\n" << printed;
  EXPECT_EQ(Print(**again), printed);
  EXPECT_NE((*again)->entry()->root()->operand(0), (*again)->entry()->root()->operand(1));
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
