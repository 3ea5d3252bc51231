// Canonical text must be equal for graphs that differ only in names, listing order and metadata.
#include <gtest/gtest.h>

#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_text {
namespace {

std::string Canonical(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseModule(text, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status().message();
  return module.ok() ? Print(**module, {.canonical = true}) : "";
}

constexpr absl::string_view kOne = R"(HloModule one
%unused (q: f32[]) -> f32[] {
  ROOT %q = f32[] parameter(0)
}
%max (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %m = f32[] maximum(%a, %b)
}
%sum (c: f32[], d: f32[]) -> f32[] {
  %c = f32[] parameter(0)
  %d = f32[] parameter(1)
  ROOT %s = f32[] add(%c, %d)
}
ENTRY %main (x: f32[4,8], y: f32[4]) -> f32[4] {
  %y = f32[4] parameter(1), metadata={op_name="y"}
  %x = f32[4,8] parameter(0), sharding={replicated}
  %dead = f32[4] negate(%y)
  %zero = f32[] constant(0)
  %total = f32[4] reduce(%x, %zero), dimensions={1}, to_apply=%sum, metadata={op_name="total"}
  %low = f32[] constant(-inf)
  %top = f32[4] reduce(%x, %low), dimensions={1}, to_apply=%max
  %scaled = f32[4] divide(%total, %top), frontend_attributes={a="b"}
  ROOT %result = f32[4] add(%scaled, %y)
}
)";

// The same graph with other names, another order and other metadata.
constexpr absl::string_view kOther = R"(HloModule other
sum.7 {
  d.1 = f32[] parameter(1)
  c.1 = f32[] parameter(0)
  ROOT s.1 = f32[] add(c.1, d.1)
}
max.9 {
  a.1 = f32[] parameter(0)
  b.1 = f32[] parameter(1)
  ROOT m.1 = f32[] maximum(a.1, b.1)
}
ENTRY go {
  arg0 = f32[4,8]{1,0} parameter(0)
  low = f32[] constant(-inf)
  top = f32[4]{0} reduce(arg0, low), dimensions={1}, to_apply=max.9, metadata={source_file="f" source_line=2}
  zero = f32[] constant(0)
  total = f32[4]{0} reduce(arg0, zero), dimensions={1}, to_apply=sum.7
  scaled = f32[4]{0} divide(total, top)
  arg1 = f32[4]{0} parameter(1)
  ROOT result = f32[4]{0} add(scaled, arg1)
}
)";

TEST(Canonical, RenamedAndReorderedGraphsPrintEqual) {
  EXPECT_EQ(Canonical(kOne), Canonical(kOther));
  EXPECT_EQ(Canonical(kOne), R"(HloModule m

%c0 (p0: f32[], p1: f32[]) -> f32[] {
  %p0 = f32[] parameter(0)
  %p1 = f32[] parameter(1)
  ROOT %v0 = f32[] add(%p0, %p1)
}

%c1 (p0: f32[], p1: f32[]) -> f32[] {
  %p0 = f32[] parameter(0)
  %p1 = f32[] parameter(1)
  ROOT %v0 = f32[] maximum(%p0, %p1)
}

ENTRY %c2 (p0: f32[4,8], p1: f32[4]) -> f32[4] {
  %p0 = f32[4,8] parameter(0)
  %p1 = f32[4] parameter(1)
  %v0 = f32[] constant(0)
  %v1 = f32[4] reduce(%p0, %v0), dimensions={1}, to_apply=%c0
  %v2 = f32[] constant(-inf)
  %v3 = f32[4] reduce(%p0, %v2), dimensions={1}, to_apply=%c1
  %v4 = f32[4] divide(%v1, %v3)
  ROOT %v5 = f32[4] add(%v4, %p1)
}
)");
}

TEST(Canonical, IsItsOwnCanonicalText) {
  for (absl::string_view text : {kOne, kOther, kEverything}) {
    std::string canonical = Canonical(text);
    EXPECT_EQ(Canonical(canonical), canonical);
  }
}

// Returns whether the canonical texts of `a` and `b` differ.
bool Differ(absl::string_view a, absl::string_view b) {
  return Canonical(Program(a)) != Canonical(Program(b));
}

TEST(Canonical, WhatMattersIsTold) {
  constexpr absl::string_view kX = "  x = f32[4,4] parameter(0)\n  y = f32[4,4] parameter(1)\n";
  auto body = [&](absl::string_view line) { return absl::StrCat(kX, "  ROOT r = ", line, "\n"); };
  EXPECT_TRUE(Differ(body("f32[4,4] subtract(x, y)"), body("f32[4,4] subtract(y, x)")));
  EXPECT_TRUE(Differ(body("f32[4,4] add(x, x)"), body("f32[4,4] add(x, y)")));
  EXPECT_TRUE(Differ(body("f32[4,4] copy(x)"), body("f32[4,4]{0,1} copy(x)")));
  EXPECT_TRUE(Differ(body("f32[4,4] transpose(x), dimensions={1,0}"),
                     body("f32[4,4] transpose(x), dimensions={0,1}")));
  EXPECT_TRUE(Differ(body("f32[] constant(nan)"), body("f32[] constant(-nan)")));
  EXPECT_TRUE(Differ(body("f32[] constant(nan)"), body("f32[] constant(nan(0x1))")));
  EXPECT_TRUE(Differ(body("f32[] constant(0)"), body("f32[] constant(-0)")));
  EXPECT_TRUE(Differ(body("f32[4] custom-call(x), custom_call_target=\"a\""),
                     body("f32[4] custom-call(x), custom_call_target=\"a\", backend_config={b}")));
  auto sent = [&](absl::string_view pairs) {
    return absl::StrCat(kX, "  t = token[] after-all()\n  ROOT s = (f32[4,4], u32[], token[]) ",
                        "send(x, t), channel_id=1, frontend_attributes={",
                        "_xla_send_recv_source_target_pairs=", pairs, "}\n");
  };
  EXPECT_TRUE(Differ(sent("{{0,1}}"), sent("{{1,0}}")));
}

TEST(Canonical, DefaultsAreNotTold) {
  constexpr absl::string_view kX = "  x = f32[4,4] parameter(0)\n";
  auto dot = [&](absl::string_view rest) {
    return absl::StrCat(kX,
                        "  ROOT r = f32[4,4] dot(x, x), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}",
                        rest, "\n");
  };
  EXPECT_FALSE(Differ(dot(""), dot(", operand_precision={default,default}")));
  EXPECT_FALSE(Differ(dot(""), dot(", lhs_batch_dims={}, rhs_batch_dims={}")));
  EXPECT_TRUE(Differ(dot(""), dot(", operand_precision={highest,default}")));
}

TEST(Canonical, SideEffectsStay) {
  constexpr absl::string_view kBody =
      "  x = f32[4] parameter(0)\n  c = f32[] custom-call(x), custom_call_target=\"print\", "
      "custom_call_has_side_effect=true\n  ROOT r = f32[4] negate(x)\n";
  EXPECT_NE(Canonical(Program(kBody)).find("custom_call_target=\"print\""), std::string::npos);
}

TEST(Canonical, SharedOperandsAreVisitedOnce) {
  // A ladder of 64 steps has 2^64 paths.
  std::string body = "  v0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 64; ++i) {
    absl::StrAppend(&body, "  v", i, " = f32[] add(v", i - 1, ", v", i - 1, ")\n");
  }
  EXPECT_NE(Canonical(Program(body)).find("ROOT %v63 = f32[] add(%v62, %v62)"), std::string::npos);
}

}  // namespace
}  // namespace halyard::hlo_text
