// Asynchronous pairs: what they become, and which are wrong.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"

namespace halyard::hlo_text {
namespace {

constexpr absl::string_view kAdd =
    "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %c = f32[] add(%a, %b)\n}\n";

std::string Entry(absl::string_view lines) {
  return absl::StrCat("HloModule m, replica_count=2\n", kAdd, "ENTRY %e {\n", lines, "}\n");
}

// Returns the module as text, or the error.
std::string Read(absl::string_view lines) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseModule(Entry(lines), "p.hlo");
  return module.ok() ? Print(**module) : std::string(module.status().message());
}

// Each pair is what the op itself would be, with the name of the start.
TEST(Async, PairsAreTheirOps) {
  const struct {
    absl::string_view pair, op;
  } cases[] = {
      {"%s = f32[4] all-reduce-start(%x), replica_groups={}, to_apply=%add\n"
       "ROOT %r = f32[4] all-reduce-done(%s)\n",
       "ROOT %s = f32[4] all-reduce(%x), replica_groups={}, to_apply=%add\n"},
      {"%s = (f32[4], f32[8]) all-gather-start(f32[4] %x), dimensions={0}\n"
       "ROOT %r = f32[8] all-gather-done((f32[4], f32[8]) %s), metadata={op_name=\"g\"}\n",
       "ROOT %s = f32[8] all-gather(%x), dimensions={0}\n"},
      {"%s = ((f32[4], f32[4]), (f32[8], f32[8])) all-gather-start(%x, %x), dimensions={0}\n"
       "ROOT %r = (f32[8], f32[8]) all-gather-done(%s)\n",
       "ROOT %s = (f32[8], f32[8]) all-gather(%x, %x), dimensions={0}\n"},
      {"%s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(%x), "
       "source_target_pairs={{0,1}}\n"
       "ROOT %r = f32[4] collective-permute-done(%s)\n",
       "ROOT %s = f32[4] collective-permute(%x), source_target_pairs={{0,1}}\n"},
      {"%s = ((f32[4]), f32[2], s32[]) reduce-scatter-start(%x), dimensions={0}, "
       "replica_groups={{0,1}}, to_apply=%add\n"
       "%u = ((f32[4]), f32[2], s32[]) reduce-scatter-update(%s)\n"
       "ROOT %r = f32[2] reduce-scatter-done(%u)\n",
       "ROOT %s = f32[2] reduce-scatter(%x), dimensions={0}, replica_groups={{0,1}}, "
       "to_apply=%add\n"},
      {"%s = (f32[4], f32[4], u32[]) copy-start(%x)\nROOT %r = f32[4] copy-done(%s)\n",
       "ROOT %s = f32[4] copy(%x)\n"},
      {"%s = ((f32[], f32[]), f32[]) async-start(%y, %y), calls=%add, "
       "async_execution_thread=\"parallel\"\n"
       "%u = ((f32[], f32[]), f32[]) async-update(%s), calls=%add\n"
       "ROOT %r = f32[] async-done(%u), calls=%add\n",
       "ROOT %s = f32[] call(%y, %y), to_apply=%add\n"},
  };
  for (const auto& [pair, op] : cases) {
    const absl::string_view parameters = "%x = f32[4] parameter(0)\n%y = f32[] parameter(1)\n";
    // Places are those of the text.
    EXPECT_EQ(Read(absl::StrCat(parameters, pair)), Read(absl::StrCat(parameters, op))) << pair;
  }
}

TEST(Async, TheStartMayHaveUsersOfItsDone) {
  const std::string text = Read(
      "%x = f32[4] parameter(0)\n"
      "%s = f32[4] all-reduce-start(%x), to_apply=%add\n"
      "%w = f32[4] negate(%x)\n"
      "%d = f32[4] all-reduce-done(%s)\n"
      "ROOT %r = f32[4] subtract(%d, %w)\n");
  EXPECT_NE(text.find("subtract(%s, %w)"), std::string::npos) << text;
}

TEST(Async, WrongPairs) {
  const struct {
    absl::string_view lines, error;
  } cases[] = {
      {"ROOT %s = f32[4] all-reduce-start(%x), to_apply=%add\n",
       "p.hlo:9:6: error: an asynchronous start cannot be the ROOT"},
      {"%s = f32[4] all-reduce-start(%x), to_apply=%add\nROOT %r = f32[4] negate(%x)\n",
       "p.hlo:7:7: error: the asynchronous start 's' has no done"},
      {"%s = f32[4] all-reduce-start(%x), to_apply=%add\nROOT %r = f32[4] negate(%s)\n",
       "p.hlo:10:25: error: operand 's' is an asynchronous start, whose result its done gives"},
      {"%s = f32[4] all-reduce-start(%x), to_apply=%add\n%d = f32[4] all-reduce-done(%s)\n"
       "ROOT %r = f32[4] all-reduce-done(%s)\n",
       "p.hlo:11:34: error: 's' has been used already"},
      {"%s = f32[4] all-reduce-start(%x), to_apply=%add\nROOT %d = f32[4] all-gather-done(%s)\n",
       "p.hlo:10:34: error: 's' is the start of another op: all-reduce"},
      {"ROOT %d = f32[4] all-reduce-done(%x)\n",
       "p.hlo:9:34: error: operand 'x' is no asynchronous start before it"},
      {"%s = f32[8] all-gather-start(%x), dimensions={0}\nROOT %d = f32[8] all-gather-done(%s)\n",
       "p.hlo:9:1: error: the shape of an asynchronous start must be a tuple of its operands and "
       "its result, is f32[8]"},
      {"%s = (f32[4], f32[8]) all-gather-start(%x), dimensions={0}\n"
       "ROOT %d = f32[4] all-gather-done(%s)\n",
       "p.hlo:10:6: error: the result must be f32[8], is f32[4]"},
      {"%s = (f32[4], f32[8]) all-gather-start(%x), dimensions={0}\n"
       "ROOT %d = f32[8] all-gather-done(f32[8] %s)\n",
       "p.hlo:10:34: error: operand 's' is (f32[4], f32[8]), not f32[8]"},
      {"%s = (f32[4], f32[7]) all-gather-start(%x), dimensions={0}, replica_groups={{0,1}}\n"
       "ROOT %d = f32[7] all-gather-done(%s)\n",
       "p.hlo:9:1: error: all-gather s: C"},
      {"%s = ((f32[4]), f32[4]) async-start(%x)\nROOT %d = f32[4] async-done(%s)\n",
       "p.hlo:9:1: error: call 's' has no to_apply"},
      {"%s = f32[4] all-reduce-start(%x), to_apply=%add\n%s = f32[4] negate(%x)\n",
       "p.hlo:10:1: error: instruction 's' is defined twice"},
      {"ROOT %s = f32[4] infeed-start(%x)\n",
       "p.hlo:9:18: error: op 'infeed-start' is unknown or not supported"},
      {"ROOT %s = f32[4] parameter-start(0)\n",
       "p.hlo:9:18: error: op 'parameter-start' is unknown or not supported"},
  };
  for (const auto& [lines, error] : cases) {
    const std::string got = Read(absl::StrCat("%x = f32[4] parameter(0)\n", lines));
    EXPECT_EQ(got.substr(0, error.size()), error) << lines << got;
  }
}

}  // namespace
}  // namespace halyard::hlo_text
