// sort and topk as whole programs: on x86 and Vulkan compared with the evaluator, for CUDA
// compiled. The evaluator's fast method is compared with its general one, and long lines with
// std::stable_sort.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/sort_order.h"
#include "frontend/hlo_text/parser.h"
#include "tests/client/clients.h"
#include "tests/sample.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using testing::ClientFor;

std::unique_ptr<hlo::Module> Parse(const std::string& text) {
  auto module = hlo_text::ParseModule(text, "sort");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

// Returns numbers with many ties, for floats also the special values.
Literal RandomLiteral(const Shape& shape, std::mt19937_64& random) {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::nan("")};
  Literal literal(shape);
  const ElementType type = shape.element_type();
  auto number = [&]() -> double {
    if (random() % 4 == 0) return special[random() % std::size(special)];
    return (static_cast<double>(random() % 41) - 20) / 4;
  };
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    if (hlo::IsFloat(type)) {
      literal.SetFloat(i, number());
    } else if (hlo::IsComplex(type)) {
      literal.SetComplex(i, {number(), number()});
    } else {
      const int64_t value = static_cast<int64_t>(random() % 61) - 30;
      literal.SetInt(i, random() % 8 == 0 ? static_cast<int64_t>(random()) : value);
    }
  }
  return literal;
}

std::vector<Literal> RandomInputs(const hlo::Module& module) {
  std::mt19937_64 random(7);
  std::vector<Literal> inputs;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    inputs.push_back(RandomLiteral(parameter->shape, random));
  }
  return inputs;
}

std::string Text(const std::vector<Literal>& results) {
  std::string text;
  for (const Literal& result : results) absl::StrAppend(&text, result.ToString(), ";\n");
  return text;
}

std::string RunProgram(Client& client, const hlo::Module& module,
                       const std::vector<Literal>& inputs, bool fuse = true) {
  CompileOptions options;
  options.fuse = fuse;
  auto executable = client.Compile(module, options);
  if (!executable.ok()) return executable.status().ToString();
  auto results = (*executable)->RunLiterals(inputs);
  return results.ok() ? Text(*results) : results.status().ToString();
}

std::string Reference(const hlo::Module& module, const std::vector<Literal>& inputs) {
  auto result = hlo::Evaluator().Run(module, inputs);
  if (!result.ok()) return result.status().ToString();
  if (!result->shape().IsTuple()) return Text({*result});
  return Text({result->elements().begin(), result->elements().end()});
}

// Returns a comparator with parameters a0, b0, a1, b1, … of these types. `body` computes its root.
std::string Comparator(const std::vector<std::string>& types, const std::string& body) {
  std::string text = "before {\n";
  for (size_t i = 0; i < types.size(); ++i) {
    absl::StrAppend(&text, "  a", i, " = ", types[i], "[] parameter(", 2 * i, ")\n  b", i, " = ",
                    types[i], "[] parameter(", 2 * i + 1, ")\n");
  }
  return absl::StrCat(text, body, "\n}\n");
}

// Returns a sort of arrays with these types and `dims`, along `dim`.
std::string SortProgram(const std::vector<std::string>& types, const std::string& dims, int dim,
                        const std::string& body) {
  std::string entry = "ENTRY e {\n", shapes, names;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string shape = absl::StrCat(types[i], "[", dims, "]");
    absl::StrAppend(&entry, "  x", i, " = ", shape, " parameter(", i, ")\n");
    absl::StrAppend(&shapes, i ? ", " : "", shape);
    absl::StrAppend(&names, i ? ", " : "", "x", i);
  }
  if (types.size() > 1) shapes = "(" + shapes + ")";
  return absl::StrCat("HloModule m\n", Comparator(types, body), entry, "  ROOT s = ", shapes,
                      " sort(", names, "), dimensions={", dim,
                      "}, is_stable=true, to_apply=before\n}\n");
}

const char kLess[] = "ROOT r = pred[] compare(a0, b0), direction=LT";
const char kGreater[] = "ROOT r = pred[] compare(b0, a0), direction=LT";
const char kTotal[] = "ROOT r = pred[] compare(a0, b0), direction=GT, type=TOTALORDER";
// Returns the comparator that JAX exports to sort floats.
std::string Canonical(const std::string& type) {
  return absl::StrReplaceAll(
      "z = @[] constant(0) n = @[] constant(nan)\n"
      "c = pred[] compare(a0, z), direction=EQ d = @[] select(c, z, a0)\n"
      "e = pred[] compare(a0, a0), direction=NE f = @[] select(e, n, d)\n"
      "g = pred[] compare(b0, z), direction=EQ h = @[] select(g, z, b0)\n"
      "i = pred[] compare(b0, b0), direction=NE j = @[] select(i, n, h)\n"
      "ROOT r = pred[] compare(f, j), direction=LT, type=TOTALORDER",
      {{"@", type}});
}
// Sorts by key 0, then by key 1 in descending order.
const char kTwoKeys[] =
    "l0 = pred[] compare(a0, b0), direction=LT, type=TOTALORDER\n"
    "e0 = pred[] compare(a0, b0), direction=EQ, type=TOTALORDER\n"
    "g1 = pred[] compare(a1, b1), direction=GT\n"
    "n = pred[] and(e0, g1) ROOT r = pred[] or(l0, n)";
const char kSelectedKeys[] =
    "l0 = pred[] compare(a0, b0), direction=LT\n"
    "e0 = pred[] compare(a0, b0), direction=EQ\n"
    "l1 = pred[] compare(a1, b1), direction=LT\n"
    "ROOT r = pred[] select(e0, l1, l0)";
const char kComplex[] =
    "p = f32[] real(a0) q = f32[] real(b0) u = f32[] imag(a0) v = f32[] imag(b0)\n"
    "l0 = pred[] compare(p, q), direction=LT, type=TOTALORDER\n"
    "e0 = pred[] compare(p, q), direction=EQ, type=TOTALORDER\n"
    "l1 = pred[] compare(u, v), direction=LT, type=TOTALORDER\n"
    "n = pred[] and(e0, l1) ROOT r = pred[] or(l0, n)";
// An order in a form that is not recognized: by the last two bits, then by the number.
const char kOdd[] =
    "three = s32[] constant(3) p = s32[] and(a0, three) q = s32[] and(b0, three)\n"
    "l0 = pred[] compare(p, q), direction=LT g0 = pred[] compare(p, q), direction=GT\n"
    "n0 = pred[] not(g0) l1 = pred[] compare(a0, b0), direction=LT\n"
    "n = pred[] and(n0, l1) ROOT r = pred[] or(l0, n)";

// Returns `depth` additions of numbers to themselves: x, 2 * x, …; each is used twice.
std::string Doubled(const std::string& type, const std::string& of, const std::string& name,
                    int depth) {
  std::string text, last = of;
  for (int i = 0; i < depth; ++i) {
    const std::string next = i + 1 == depth ? name : absl::StrCat(name, i);
    absl::StrAppend(&text, next, " = ", type, "[] add(", last, ", ", last, ")\n");
    last = next;
  }
  return text;
}
// A key of many ops, which would take an age if each were computed as often as it is used.
std::string LongKey(int depth) {
  return absl::StrCat(Doubled("f32", "a0", "p", depth), Doubled("f32", "b0", "q", depth),
                      "ROOT r = pred[] compare(p, q), direction=LT");
}

struct Program {
  std::string name, text;
  std::vector<const char*> targets = {"x86", "vulkan"};
};

std::string TopK(const std::string& type, const std::string& dims, const std::string& taken, int k,
                 bool largest) {
  return absl::StrCat("HloModule m\nENTRY e { x = ", type, "[", dims, "] parameter(0)\n ROOT t = (",
                      type, "[", taken, "], s32[", taken, "]) topk(x), k=", k,
                      ", largest=", largest ? "true" : "false", " }\n");
}

std::vector<Program> Programs() {
  std::vector<Program> programs = {
      {"Short", SortProgram({"f32"}, "7,13", 1, Canonical("f32"))},
      {"ShortUp", SortProgram({"s32", "f32"}, "40,5", 0, kLess)},
      {"First", SortProgram({"f32"}, "150,3", 0, Canonical("f32"))},
      {"Middle", SortProgram({"f32", "s32"}, "3,150,2", 1, kTotal)},
      {"Last", SortProgram({"f32", "s8"}, "4,5,301", 2, kGreater)},
      {"ManyLines", SortProgram({"f32"}, "300,130", 1, kLess)},
      {"Blocks", SortProgram({"f32", "s32"}, "40000", 0, Canonical("f32"))},
      {"TwoKeys", SortProgram({"f32", "s32"}, "2,777", 1, kTwoKeys)},
      {"SelectedKeys", SortProgram({"s8", "f64", "u16"}, "777", 0, kSelectedKeys)},
      {"Complex", SortProgram({"c64", "s32"}, "2,200", 1, kComplex)},
      {"ComplexAlong", SortProgram({"f32", "c128", "c64"}, "2,200", 1, kTotal)},
      {"ManyOperands",
       SortProgram({"f32", "s32", "f64", "s8", "f16", "u64", "pred"}, "200", 0, kTwoKeys)},
      {"LongKey", SortProgram({"f32", "s32"}, "70", 0, LongKey(45))},
      {"LongKeyShort", SortProgram({"f32", "s32"}, "7", 0, LongKey(45))},
      {"Odd", SortProgram({"s32"}, "3,150", 1, kOdd)},
      {"OddMany", SortProgram({"s32", "f32", "f64", "s8", "f16", "u64"}, "150", 0, kOdd)},
      {"One", SortProgram({"f32", "s32"}, "3,1", 1, kLess)},
      {"None", SortProgram({"f32", "s32"}, "3,0", 1, kLess)},
      {"NoLines", SortProgram({"f32"}, "0,5", 1, kLess)},
      {"TopKAll", TopK("f32", "3,9", "3,9", 9, true)},
      {"TopKLeast", TopK("f32", "2,3,70", "2,3,4", 4, false)},
      {"TopKChunks", TopK("f32", "3,1003", "3,5", 5, true)},
      {"TopKTies", TopK("pred", "2,600", "2,3", 3, true)},
      {"TopKLong", TopK("s64", "20001", "20", 20, false)},
      {"TopKNone", TopK("f32", "3,9", "3,0", 0, true)},
      {"TopKCall",
       "HloModule m\n%gt (a: f32[], b: f32[], i: s32[], j: s32[]) -> pred[] {\n"
       "%a = f32[] parameter(0) %b = f32[] parameter(1) %i = s32[] parameter(2) %j = s32[] "
       "parameter(3) %z = s32[] constant(0) %m = s32[] constant(2147483647)\n"
       "%p = s32[] bitcast(%a) %q = s32[] bitcast(%b) %x = s32[] xor(%m, %p) %c = pred[] "
       "compare(%p, %z), direction=LT %y = s32[] xor(%m, %q) %d = pred[] compare(%q, %z), "
       "direction=LT %s = s32[] select(%c, %x, %p) %t = s32[] select(%d, %y, %q)\n"
       "ROOT %r = pred[] compare(%s, %t), direction=GT }\n"
       "ENTRY %e { %x = f32[3,30]{1,0} parameter(0) ROOT %k = (f32[3,2]{1,0}, s32[3,2]{1,0}) "
       "custom-call(%x), custom_call_target=\"TopK\", called_computations={%gt} }\n"},
      {"TopKBf16", TopK("bf16", "4,300", "4,3", 3, true)},
  };
  // Without $HALYARD_ALL_CASES (tests/sample.h), each type goes up on one target and down on the
  // other.
  size_t number = 0;
  for (const char* type :
       {"f8e4m3fn", "f8e5m2", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz", "f4e2m1fn", "f8e8m0fnu",
        "bf16",     "f16",    "f32",           "f64",        "s4",         "u4",       "s8",
        "u8",       "s16",    "u16",           "s32",        "u32",        "s64",      "u64",
        "pred"}) {
    programs.push_back({absl::StrCat("Up_", type), SortProgram({type, "s32"}, "70", 0, kLess)});
    programs.push_back(
        {absl::StrCat("Down_", type), SortProgram({type, "s32"}, "70", 0, kGreater)});
    if (testing::AllCases()) continue;
    const size_t down = programs.size() - 1, first = number++ % 2;
    programs[down - 1].targets = {first == 0 ? "x86" : "vulkan"};
    programs[down].targets = {first == 0 ? "vulkan" : "x86"};
  }
  return programs;
}

class Sort : public ::testing::TestWithParam<Program> {};

TEST_P(Sort, IsTheEvaluators) {
  auto module = Parse(GetParam().text);
  ASSERT_NE(module, nullptr);
  const std::vector<Literal> inputs = RandomInputs(*module);
  const std::string want = Reference(*module, inputs);
  for (const char* target : GetParam().targets) {
    Client* client = ClientFor(target);
    if (client == nullptr) continue;
    EXPECT_EQ(RunProgram(*client, *module, inputs), want) << target << "\n" << GetParam().text;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Sort, ::testing::ValuesIn(Programs()),
                         [](const auto& info) { return info.param.name; });

// Sorting networks for orders that are not by keys, within a block and across blocks, with ties and
// NaNs.
const char kByFloor[] =
    "p = f32[] floor(a0) q = f32[] floor(b0)\n"
    "g = pred[] compare(p, q), direction=GT, type=TOTALORDER ROOT r = pred[] and(g, g)";

void CheckNetworks(const std::string& target, const std::vector<int>& sizes) {
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << "no " << target;
  for (int n : sizes) {
    for (const std::string& text :
         {SortProgram({"f32"}, absl::StrCat(n), 0, kByFloor),
          SortProgram({"f32", "s8", "bf16"}, absl::StrCat("2,", n), 1, kByFloor),
          SortProgram({"s32", "f32"}, absl::StrCat(n, ",3"), 0, kOdd)}) {
      auto module = Parse(text);
      ASSERT_NE(module, nullptr);
      ASSERT_TRUE(hlo::SortKeysOf(*module->FindComputation("before")).empty());
      const std::vector<Literal> inputs = RandomInputs(*module);
      EXPECT_EQ(RunProgram(*client, *module, inputs), Reference(*module, inputs)) << text;
    }
  }
}

TEST(SortNetworks, OnX86) { CheckNetworks("x86", {1, 2, 7, 1000}); }
TEST(SortNetworks, OnVulkan) { CheckNetworks("vulkan", {1, 2, 7, 1000}); }
TEST(SortNetworks, OnCuda) {
  CheckNetworks("cuda", testing::AllCases() ? std::vector{2, 7, 100} : std::vector{7, 100});
}

// Sorts by keys. ctest runs this for older architectures, too, for which LLVM writes other PTX.
TEST(SortKeys, OnCuda) {
  Client* client = ClientFor("cuda");
  if (client == nullptr) GTEST_SKIP() << "no cuda";
  for (const std::string& text :
       {SortProgram({"f32"}, "32,4", 0, kLess), SortProgram({"f32"}, "32,4", 1, kGreater),
        SortProgram({"f32", "s32"}, "40,5", 0, Canonical("f32")),
        SortProgram({"s8", "f64", "u16"}, "37", 0, kSelectedKeys),
        SortProgram({"c64", "s32"}, "2,20", 1, kComplex), TopK("f32", "3,9", "3,4", 4, true)}) {
    auto module = Parse(text);
    ASSERT_NE(module, nullptr);
    const std::vector<Literal> inputs = RandomInputs(*module);
    EXPECT_EQ(RunProgram(*client, *module, inputs), Reference(*module, inputs)) << text;
  }
}

// Takes several blocks.
TEST(SortNetworks, Long) {
  auto module = Parse(SortProgram({"f32", "s32"}, "5000", 0, kByFloor));
  ASSERT_NE(module, nullptr);
  const std::vector<Literal> inputs = RandomInputs(*module);
  const std::string want = Reference(*module, inputs);
  for (const char* target : {"x86", "vulkan"}) {
    Client* client = ClientFor(target);
    if (client != nullptr) {
      EXPECT_EQ(RunProgram(*client, *module, inputs), want) << target;
    }
  }
}

TEST(SortCompiles, ForCudaAndUnfused) {
  for (const Program& program : Programs()) {
    if (program.name != "Last" && program.name != "Odd" && program.name != "TopKChunks") continue;
    auto module = Parse(program.text);
    ASSERT_NE(module, nullptr);
    const std::vector<Literal> inputs = RandomInputs(*module);
    EXPECT_EQ(RunProgram(*ClientFor("x86"), *module, inputs, /*fuse=*/false),
              Reference(*module, inputs));
    // It takes long, and tests/families assembles another of its kind.
    if (program.name == "Last" && !testing::AllCases()) continue;
    auto target = ParseTarget("cuda:sm_80");
    ASSERT_TRUE(target.ok()) << target.status();
    ProgramCompiler compiler;
    const auto compiled = compiler.Compile(*module, *target);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
  }
}

TEST(SortLong, IsStableSort) {
  for (int64_t n : {int64_t{1000000}, int64_t{65537}}) {
    std::mt19937_64 random(3);
    Literal keys(Shape::Array(ElementType::kF32, {n})),
        values(Shape::Array(ElementType::kS32, {n}));
    std::vector<float> key(n);
    std::vector<int32_t> order(n);
    for (int64_t i = 0; i < n; ++i) {
      key[i] = static_cast<float>(static_cast<int64_t>(random() % 100000) - 50000) / 3;
      keys.SetFloat(i, key[i]);
      values.SetInt(i, i);
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return key[a] < key[b]; });
    auto module = Parse(SortProgram({"f32", "s32"}, absl::StrCat(n), 0, Canonical("f32")));
    auto executable = ClientFor("x86")->Compile(*module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto results = (*executable)->RunLiterals({keys, values});
    ASSERT_TRUE(results.ok()) << results.status();
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) {
      wrong += (*results)[1].GetInt(i) != order[i] || (*results)[0].GetFloat(i) != key[order[i]];
    }
    EXPECT_EQ(wrong, 0) << n;
  }
}

// The same order, in a form that is recognized and in one that is not.
TEST(SortEvaluator, AsksTheComparatorOrTheKeys) {
  auto fast = Parse(SortProgram({"f32", "s32"}, "3,100", 1, kTotal));
  auto general = Parse(SortProgram(
      {"f32", "s32"}, "3,100", 1,
      "g = pred[] compare(a0, b0), direction=GT, type=TOTALORDER ROOT r = pred[] and(g, g)"));
  EXPECT_EQ(hlo::SortKeysOf(*fast->FindComputation("before")).size(), 1u);
  EXPECT_TRUE(hlo::SortKeysOf(*general->FindComputation("before")).empty());
  const std::vector<Literal> inputs = RandomInputs(*fast);
  EXPECT_EQ(Reference(*fast, inputs), Reference(*general, inputs));

  auto keys = Parse(SortProgram({"f32", "s32"}, "500", 0, kTwoKeys));
  auto wrapped = Parse(SortProgram(
      {"f32", "s32"}, "500", 0,
      absl::StrReplaceAll(kTwoKeys, {{"ROOT r = pred[] or(l0, n)",
                                      "o = pred[] or(l0, n) ROOT r = pred[] and(o, o)"}})));
  EXPECT_EQ(hlo::SortKeysOf(*keys->FindComputation("before")).size(), 2u);
  EXPECT_TRUE(hlo::SortKeysOf(*wrapped->FindComputation("before")).empty());
  const std::vector<Literal> more = RandomInputs(*keys);
  EXPECT_EQ(Reference(*keys, more), Reference(*wrapped, more));
}

// The first key is written twice.
TEST(SortEvaluator, ComparesLongKeysOnce) {
  auto module =
      Parse(SortProgram({"f32", "s32"}, "50", 0,
                        absl::StrCat(Doubled("f32", "a0", "p", 45), Doubled("f32", "b0", "q", 45),
                                     Doubled("f32", "a0", "u", 45), Doubled("f32", "b0", "v", 45),
                                     "l0 = pred[] compare(p, q), direction=LT\n"
                                     "e0 = pred[] compare(u, v), direction=EQ\n"
                                     "l1 = pred[] compare(a1, b1), direction=LT\n"
                                     "n = pred[] and(e0, l1) ROOT r = pred[] or(l0, n)")));
  EXPECT_EQ(hlo::SortKeysOf(*module->FindComputation("before")).size(), 2u);
}

// Comparators that look like comparisons of keys, but are not.
TEST(SortOrder, IsNotSeenWhereThereIsNone) {
  for (const char* body :
       {"ROOT r = pred[] compare(a0, b1), direction=LT",
        "ROOT r = pred[] compare(a0, a1), direction=LT",
        "ROOT r = pred[] compare(a0, b0), direction=EQ",
        "n = f32[] negate(b0) ROOT r = pred[] compare(a0, n), direction=LT",
        "l = pred[] compare(a0, b0), direction=LT e = pred[] compare(a1, b1), direction=EQ m = "
        "pred[] compare(a1, b1), direction=LT n = pred[] and(e, m) ROOT r = pred[] or(l, n)",
        "l = pred[] compare(a0, b0), direction=LT e = pred[] compare(a0, b0), direction=EQ, "
        "type=TOTALORDER m = pred[] compare(a1, b1), direction=LT n = pred[] and(e, m) ROOT r = "
        "pred[] or(l, n)"}) {
    auto module = Parse(SortProgram({"f32", "f32"}, "10", 0, body));
    ASSERT_NE(module, nullptr);
    EXPECT_TRUE(hlo::SortKeysOf(*module->FindComputation("before")).empty()) << body;
  }
}

std::string ErrorOf(const std::string& text) {
  auto module = hlo_text::ParseModule(text, "sort");
  return module.ok() ? "none" : std::string(module.status().message());
}

TEST(TopKRules, AreChecked) {
  EXPECT_NE(ErrorOf(TopK("f32", "3,9", "3,10", 10, true)).find("C2: k = 10 is not in [0, 9]"),
            std::string::npos);
  EXPECT_NE(ErrorOf(TopK("c64", "3,9", "3,2", 2, true)).find("I1: "), std::string::npos);
  EXPECT_NE(ErrorOf("HloModule m\nENTRY e { x = f32[] parameter(0) ROOT t = (f32[], s32[]) "
                    "topk(x), k=0, largest=true }")
                .find("C1: "),
            std::string::npos);
}

// The specification's examples, and XLA's own order: -NaN < -Inf < … < -0 < 0 < … < NaN.
TEST(TopKEvaluator, Examples) {
  auto floats = [](std::vector<int64_t> dims, std::vector<double> values) {
    return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
  };
  auto run = [](const std::string& text, const Literal& input) {
    return Reference(*Parse(text), {input});
  };
  auto ints = [](std::vector<int64_t> dims, std::vector<int64_t> values) {
    return Literal::FromValues<int64_t>(ElementType::kS32, std::move(dims), values);
  };
  EXPECT_EQ(
      run(TopK("f32", "2,3", "2,1", 1, true), floats({2, 3}, {0.1, 0.3, 0.1, 0.7, 0.2, -0.1})),
      Text({floats({2, 1}, {0.3, 0.7}), ints({2, 1}, {1, 0})}));
  const double nan = std::nan("");
  EXPECT_EQ(
      run(TopK("f32", "7", "7", 7, true), floats({7}, {1, nan, -0.0, 1, 0.0, -nan, -1})),
      Text({floats({7}, {nan, 1, 1, 0.0, -0.0, -1, -nan}), ints({7}, {1, 0, 3, 4, 2, 6, 5})}));
  EXPECT_EQ(run(TopK("f32", "5", "3", 3, false), floats({5}, {2, 1, 3, 1, 2})),
            Text({floats({3}, {1, 1, 2}), ints({3}, {1, 3, 0})}));
}

}  // namespace
}  // namespace halyard
