// Each wrong program gives one error with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_text {
namespace {

std::string ErrorOf(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseModule(text, "bad.hlo");
  return module.ok() ? "no error" : std::string(module.status().message());
}

struct Case {
  absl::string_view text;
  absl::string_view error;  // the beginning of the message
};

// Each `text` is a whole file.
constexpr Case kFiles[] = {
    {"", "bad.hlo:1:1: error: expected 'HloModule'"},
    {"module @m {}", "bad.hlo:1:1: error: expected 'HloModule'"},
    {"HloModule", "bad.hlo:1:10: error: expected the module's name"},
    {"HloModule m\n", "bad.hlo:2:1: error: the module has no computation"},
    {"HloModule m, input_output_alias={ {0}: (0, {}, perhaps) }",
     "bad.hlo:1:48: error: expected may-alias or must-alias"},
    {"HloModule m, replica_count=0\n", "bad.hlo:1:14: error: replica_count is not positive"},
    {"HloModule m, frontend_attributes={a=\"\n", "bad.hlo:1:34: error: '{' is not closed"},
    {"HloModule m /* never closed", "bad.hlo:1:13: error: comment is not closed"},
    {"HloModule m\nENTRY e {\n", "bad.hlo:3:1: error: expected an instruction or '}'"},
    {"HloModule m\nENTRY e {\n}\n", "bad.hlo:2:7: error: computation 'e' is empty"},
    {"HloModule m\nENTRY e (x: f32[2] -> f32[2] {\n}\n",
     "bad.hlo:2:20: error: expected ')', found '-'"},
    {"HloModule m\na { ROOT x = f32[] parameter(0) }\nb { ROOT y = f32[] parameter(0) }\n",
     "bad.hlo:4:1: error: no computation is marked ENTRY"},
    {"HloModule m\nENTRY a { ROOT x = f32[] parameter(0) }\nENTRY b { ROOT y = f32[] parameter(0) "
     "}\n",
     "bad.hlo:3:7: error: a second ENTRY computation"},
    {"HloModule m\na { ROOT x = f32[] parameter(0) }\nENTRY a { ROOT y = f32[] parameter(0) }\n",
     "bad.hlo:3:7: error: computation 'a' is defined twice"},
    {"HloModule m\nENTRY a (p: s32[]) -> f32[] { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:2:9: error: parameter 0 is f32[], in the signature s32[]"},
    {"HloModule m\nENTRY a (p: f32[]) -> f32[1] { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:2:9: error: the result is f32[], in the signature f32[1]"},
    {"HloModule m\nENTRY a () -> f32[] { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:2:9: error: the signature has 0 parameters, the computation 1"},
    {"HloModule m, entry_computation_layout={()->f32[]}\nENTRY a { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:1:39: error: entry_computation_layout has 0 parameters, the entry 1"},
    {"HloModule m, entry_computation_layout={(f32[])->f32[2]}\nENTRY a { ROOT x = f32[] "
     "parameter(0) }\n",
     "bad.hlo:1:39: error: entry_computation_layout says f32[2] for the result, which is f32[]"},
    {"HloModule m, input_output_alias={ {0}: (0, {}) }\nENTRY a { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:1:35: error: input_output_alias names no array of the entry"},
    {"HloModule m, input_output_alias={ {}: (1, {}) }\nENTRY a { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:1:35: error: input_output_alias names no array of the entry"},
    {"HloModule m, input_output_alias={ {1}: (0, {}) }\nENTRY a {\n p = f32[2] parameter(0)\n"
     " c = f32[] constant(0)\n ROOT t = (f32[2], f32[]) tuple(p, c)\n}\n",
     "bad.hlo:1:35: error: input_output_alias of f32[] with a parameter of f32[2]"},
    {"HloModule m, buffer_donor={ (7, {}) }\nENTRY a { ROOT x = f32[] parameter(0) }\n",
     "bad.hlo:1:29: error: buffer_donor: the entry has no parameter 7"},
    {"HloModule m\nENTRY a { ROOT x = f32[] parameter(0) }, thread\n",
     "bad.hlo:3:1: error: expected '='"},
    {"HloModule m\nFileLocations\n1 {line=x}\n", "bad.hlo:3:9: error: expected an integer"},
};

TEST(Malformed, Files) {
  for (const Case& c : kFiles) {
    std::string error = ErrorOf(c.text);
    EXPECT_TRUE(absl::StartsWith(error, c.error)) << c.text << "\n"
                                                  << error << "\nwant " << c.error;
  }
}

// Each `text` is one line of the entry, after `%x = f32[4] parameter(0)`, and is line 11.
constexpr Case kLines[] = {
    {"ROOT", "12:1: error: expected an instruction or '}'"},
    {"r = f32[4] frobnicate(%x)", "11:12: error: op 'frobnicate' is unknown or not supported"},
    {"r = f32[4] recv-start(%x)", "11:12: error: op 'recv-start' is unknown or not supported"},
    {"r = f33[4] negate(%x)", "11:5: error: unknown element type 'f33'"},
    {"r = f32[4 negate(%x)", "11:11: error: expected ']', found 'negate'"},
    {"r = f32[-4] negate(%x)", "11:9: error: dimension size -4 is negative"},
    {"r = f32[<=3] negate(%x)",
     "11:1: error: negate r: C1: the result must be f32[4], is f32[<=3]"},
    {"r = f32[<4] negate(%x)", "11:10: error: expected '=', found '4'"},
    {"r = f32[4] all-reduce(%x), replica_groups=mesh['a'=2] {'b'}, to_apply=%add_f32",
     "11:56: error: the mesh has no axis 'b'"},
    {"r = f32[4] all-reduce(%x), replica_groups=mesh['a'=4] {'a':(1)3}, to_apply=%add_f32",
     "11:43: error: expected groups of devices like mesh['x'=2,'y'=4] {'x'}"},
    {"r = f32[4] all-reduce(%x), replica_groups=mesh['a'=4] {'a','a'}, to_apply=%add_f32",
     "11:43: error: expected groups of devices like mesh['x'=2,'y'=4] {'x'}"},
    {"r = f32[4] all-reduce(%x), replica_groups=mesh['a'=4], device_ids=(1,0) {'a'}, "
     "to_apply=%add_f32",
     "11:43: error: expected groups of devices like mesh['x'=2,'y'=4] {'x'}"},
    {"r = f32[4] all-reduce(%x), replica_groups=mesh['a'=4], to_apply=%add_f32",
     "11:56: error: expected 'device_ids='"},
    {"r = f32[<=-4] negate(%x)", "11:9: error: dimension size -4 is negative"},
    {"r = f32[<=?] negate(%x)", "11:11: error: expected an integer"},
    {"r = f32[?,?] negate(%x)",
     "11:1: error: negate r: C1: the result must be f32[4], is f32[?,?]"},
    {"r = f32[9223372036854775807,9] negate(%x)", "11:5: error: the array's size in bytes"},
    {"r = f32[99999999999999999999] negate(%x)", "11:9: error: integer does not fit 64 bits"},
    {"r = f32[4]{1} negate(%x)", "11:11: error: layout is no permutation of the 1 dimensions"},
    {"r = f32[4,4]{0,0} negate(%x)", "11:13: error: layout is no permutation"},
    {"r = f32[4]{} negate(%x)", "11:11: error: layout is no permutation"},
    {"r = token[2] negate(%x)", "11:5: error: a token has no dimensions"},
    {"r = f32[4] negate(%y)", "11:19: error: operand 'y' is not defined before its use"},
    {"r = f32[4] negate(%r)", "11:19: error: operand 'r' is not defined before its use"},
    {"r = f32[4] negate(s32[4] %x)", "11:19: error: operand 'x' is f32[4], not s32[4]"},
    {"r = f32[4] negate(%x", "12:1: error: expected ')', found '}'"},
    {"r = f32[4] negate %x", "11:19: error: expected '(', found '%'"},
    {"x = f32[4] negate(%x)", "11:1: error: instruction 'x' is defined twice"},
    {"r = f32[4] parameter(0)", "11:1: error: parameter 0 is defined twice"},
    {"r = f32[4] parameter(2)", "9:7: error: computation 'main' has no parameter 1"},
    {"r = f32[4] parameter(-1)", "11:22: error: parameter number -1 is out of range"},
    {"r = f32[4] parameter(99999999999)",
     "11:22: error: parameter number 99999999999 is out of range"},
    {"r = f32[4] negate(%x), colour=red",
     "11:24: error: unknown attribute 'colour' of op 'negate'"},
    {"r = f32[4] negate(%x), dimensions={0}", "11:24: error: unknown attribute 'dimensions'"},
    {"r = f32[4] negate(%x), metadata={op_name=3}", "11:42: error: expected '\"', found '3'"},
    {"r = f32[4] negate(%x), sharding={\"", "11:33: error: '{' is not closed"},
    {"r = f32[4] negate(%x),", "12:1: error: expected an attribute"},
    {"r = f32[4] negate(%x), sharding={a}, sharding={b}",
     "11:38: error: attribute 'sharding' is given twice"},
    {"r = f32[4,4] broadcast(%x), dimensions=0", "11:40: error: expected '{', found '0'"},
    {"r = f32[] reduce(%x, %zero), dimensions={0}", "11:1: error: reduce 'r' has no to_apply"},
    {"r = f32[] reduce(%x, %zero), dimensions={0}, to_apply=%nothing",
     "11:55: error: computation 'nothing' is not defined before its use"},
    {"r = f32[] reduce(%x, %zero), dimensions={0}, to_apply=main",
     "11:55: error: computation 'main' is not defined before its use"},
    {"r = f32[] reduce(%x, %zero), to_apply=%add, to_apply=%add",
     "11:45: error: 'to_apply' is given twice"},
    {"r = f32[4] conditional(%p, %x, %x), false_computation=%add",
     "11:37: error: expected true_computation, then false_computation"},
    {"r = f32[2] constant({1, 2, 3})",
     "11:28: error: dimension 0 has more values than f32[2] says"},
    {"r = f32[2] constant({1})", "11:21: error: dimension 0 has fewer values than f32[2] says"},
    {"r = f32[2,2] constant({ {1, 2}, {3} })", "11:33: error: dimension 1 has fewer values"},
    {"r = f32[2] constant(1)", "11:21: error: expected '{', found '1'"},
    {"r = f32[2] constant({...})", "11:21: error: the constant's value is elided"},
    {"r = f32[3,4] constant({ {...}, ", "11:25: error: the constant's value is elided"},
    {"r = s8[] constant(128)", "11:19: error: 128 does not fit s8"},
    {"r = token[] constant(0)", "11:22: error: a token is no constant"},
    {"r = (f32[], f32[]) constant((1))", "11:31: error: expected ',', found ')'"},
    {"ROOT r = f32[4] reduce-window(%x, %zero), window={size=1 pad=9223372036854775807_9}, "
     "to_apply=%add",
     "11:6: error: reduce-window r: "},
    // The syntax is correct, but the verifier finds an error at the instruction.
    {"ROOT r = f32[5] negate(%x)",
     "11:6: error: negate r: C1: the result must be f32[4], is f32[5]"},
    {"ROOT r = f32[4] negate(%x, %x)", "11:6: error: negate r: "},
    {"ROOT r = f32[4,4] broadcast(%x)", "11:6: error: broadcast r: "},
    {"ROOT r = s32[4] and(%x, %x)", "11:6: error: and r: "},
};

std::string WithLine(absl::string_view line) {
  return Program(absl::StrCat("  %zero = f32[] constant(0) %x = f32[4] parameter(0)\n", line, "\n"),
                 "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n"
                 "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n");
}

TEST(Malformed, Lines) {
  for (const Case& c : kLines) {
    std::string text = absl::StrReplaceAll(WithLine(c.text), {{"(%p", "(%x"}});
    std::string error = ErrorOf(text);
    EXPECT_TRUE(absl::StartsWith(error, absl::StrCat("bad.hlo:", c.error)))
        << text << "\n"
        << error << "\nwant " << c.error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << "one line: " << error;
  }
}

TEST(Malformed, DeepNestingIsRefused) {
  auto nested = [](int depth) {
    return absl::StrCat(std::string(depth, '('), "f32[]", std::string(depth, ')'));
  };
  auto parameter = [&](int depth) {
    return ErrorOf(Program(absl::StrCat("ROOT x = ", nested(depth), " parameter(0)\n")));
  };
  EXPECT_EQ(parameter(64), "no error");
  EXPECT_NE(parameter(65).find("error: tuples are nested more than 64 deep"), std::string::npos);
  EXPECT_NE(parameter(1000000).find("error: tuples are nested more than 64 deep"),
            std::string::npos);

  std::string dims = "1";
  for (int i = 1; i < 300; ++i) dims += ",1";
  EXPECT_NE(ErrorOf(Program(absl::StrCat("ROOT x = f32[", dims, "] parameter(0)\n")))
                .find("error: more than 255 dimensions"),
            std::string::npos);

  std::string calls = "HloModule m\nc0 { ROOT x0 = f32[] parameter(0) }\n";
  for (int i = 1; i < 20000; ++i) {
    absl::StrAppend(&calls, "c", i, " { p", i, " = f32[] parameter(0)\nROOT x", i,
                    " = f32[] call(p", i, "), to_apply=c", i - 1, " }\n");
  }
  EXPECT_NE(ErrorOf(calls).find("error: calls are nested more than 512 deep"), std::string::npos);

  std::string braces =
      Program(absl::StrCat("ROOT x = f32[] parameter(0), sharding=", std::string(1000000, '{'),
                           std::string(1000000, '}')));
  EXPECT_EQ(ErrorOf(braces), "no error");
}

// Any text must give a module that prints and reads back, or an error with its place.
void ExpectModuleOrError(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseModule(text, "bad.hlo");
  if (!module.ok()) {
    EXPECT_TRUE(absl::StartsWith(module.status().message(), "bad.hlo:"))
        << module.status().message() << "\n"
        << text;
    return;
  }
  std::string printed = Print(**module);
  absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseModule(printed, "printed.hlo");
  ASSERT_TRUE(again.ok()) << again.status().message() << "\n" << text;
  EXPECT_EQ(Print(**again), printed);
  EXPECT_EQ(Print(**again, {.canonical = true}), Print(**module, {.canonical = true}));
}

int Rounds() { return std::getenv("HALYARD_NIGHTLY") != nullptr ? 300000 : 2000; }

// Returns texts that XLA wrote, and the sample with most of the syntax.
std::vector<std::string> Seeds() {
  std::vector<std::string> seeds = {std::string(kEverything)};
  std::filesystem::path folder =
      std::filesystem::path(HALYARD_SOURCE_DIR) / "tests/frontend/hlo_text/testdata";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hlo") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    seeds.push_back(text.str());
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

TEST(Malformed, FlippedBytes) {
  std::mt19937 random(7);
  std::vector<std::string> seeds = Seeds();
  for (int round = 0; round < Rounds(); ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (uint32_t flips = random() % 3 + 1; flips > 0; --flips) {
      char& byte = text[random() % text.size()];
      byte = static_cast<char>(round % 2 == 0 ? byte ^ (1 << random() % 8) : random());
    }
    ExpectModuleOrError(text);
  }
}

TEST(Malformed, CutText) {
  for (size_t size = 0; size < kEverything.size(); size += 3) {
    ExpectModuleOrError(std::string(kEverything.substr(0, size)));
  }
}

TEST(Malformed, SplicedText) {
  std::mt19937 random(8);
  std::vector<std::string> seeds = Seeds();
  for (int round = 0; round < Rounds(); ++round) {
    std::string text = seeds[random() % seeds.size()];
    const std::string& other = seeds[random() % seeds.size()];
    size_t from = random() % other.size(), to = random() % text.size();
    ExpectModuleOrError(text.replace(to, random() % 30, other.substr(from, random() % 60)));
  }
}

TEST(Malformed, InsertedWords) {
  constexpr absl::string_view kWords[] = {
      "{",      "}",        "(",      ")",     "{...}", "-1",   "9223372036854775807",
      "=",      "nan",      "0x",     "ROOT ", "%",     "\"",   "/*",
      "f32[",   "[",        "]",      "->",    ",",     "pred", "s4",
      "c64[2]", "constant", "token[]"};
  std::mt19937 random(9);
  std::vector<std::string> seeds = Seeds();
  for (int round = 0; round < Rounds(); ++round) {
    std::string text = seeds[random() % seeds.size()];
    absl::string_view word = kWords[random() % std::size(kWords)];
    ExpectModuleOrError(text.insert(random() % text.size(), word.data(), word.size()));
  }
}

}  // namespace
}  // namespace halyard::hlo_text
