// gather, scatter, select-and-scatter and bitcasts that change the width, as whole programs: the
// specification's examples, and programs compared with the evaluator.

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/plan/passes.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using testing::ClientFor;

// Returns an array of first, first + 1, ….
Literal Counting(ElementType type, std::vector<int64_t> dims, int64_t first) {
  Literal literal(Shape::Array(type, std::move(dims)));
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    hlo::IsFloat(type) ? literal.SetFloat(i, static_cast<double>(first + i))
                       : literal.SetInt(i, first + i);
  }
  return literal;
}
Literal Ints(ElementType type, std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(type, std::move(dims), values);
}
Literal Ones(ElementType type, std::vector<int64_t> dims) {
  Literal literal(Shape::Array(type, std::move(dims)));
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) literal.SetInt(i, 1);
  return literal;
}

// Returns small integers, some of which are out of bounds in the programs. Floats are multiples of
// a quarter, so that their sums are exact.
std::vector<Literal> RandomInputs(const hlo::Module& module) {
  std::mt19937_64 random(5);
  std::vector<Literal> inputs;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    Literal literal(parameter->shape);
    const ElementType type = parameter->shape.element_type();
    for (int64_t i = 0; i < parameter->shape.NumElements(); ++i) {
      const int64_t value = static_cast<int64_t>(random() % 24) - (hlo::IsUnsigned(type) ? 0 : 8);
      if (hlo::IsFloat(type)) {
        literal.SetFloat(i, static_cast<double>(value) / 4);
      } else if (hlo::IsComplex(type)) {
        literal.SetComplex(i, {static_cast<double>(value), static_cast<double>(random() % 5)});
      } else {
        literal.SetInt(i, value);
      }
    }
    inputs.push_back(literal);
  }
  return inputs;
}

std::string Text(const std::vector<Literal>& results) {
  std::string text;
  for (const Literal& result : results) text += (text.empty() ? "" : "; ") + result.ToString();
  return text;
}

// Returns the results as text, or the error.
std::string RunProgram(Client& client, const hlo::Module& module,
                       const std::vector<Literal>& inputs, bool fuse) {
  CompileOptions options;
  options.fuse = fuse;
  auto executable = client.Compile(module, options);
  if (!executable.ok()) return executable.status().ToString();
  auto results = (*executable)->RunLiterals(inputs);
  return results.ok() ? Text(*results) : results.status().ToString();
}

class Scatter : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

std::string Body(const std::string& name, const std::string& type, const std::string& op) {
  return name + " { x = " + type + "[] parameter(0) y = " + type + "[] parameter(1) ROOT z = " +
         (op == "compare" ? "pred[] compare(x, y), direction=GE" : type + "[] " + op + "(x, y)") +
         " }\n";
}

std::string Entry(const std::string& bodies, const std::string& entry) {
  return "HloModule m\n" + bodies + "ENTRY e { " + entry + " }";
}

const char kNumbers[] =
    "update_window_dims={3,4}, inserted_window_dims={1}, input_batching_dims={0}, "
    "scatter_indices_batching_dims={1}, scatter_dims_to_operand_dims={2,1}, index_vector_dim=3";

struct Example {
  std::string name, hlo;
  std::vector<Literal> inputs;
  std::string want;
};

std::vector<Example> Examples() {
  const Literal indices =
      Ints(ElementType::kS64, {2, 2, 3, 2},
           {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0});
  const std::string ge = Body("ge", "s32", "compare"), add = Body("add", "s32", "add");
  return {
      {"Gather",
       Entry("",
             "a = s32[2,3,4,2] parameter(0) i = s64[2,2,3,2] parameter(1) ROOT r = "
             "s32[2,2,3,2,2] gather(a, i), offset_dims={3,4}, collapsed_slice_dims={1}, "
             "operand_batching_dims={0}, start_indices_batching_dims={1}, start_index_map={2,1}, "
             "index_vector_dim=3, slice_sizes={1,1,2,2}"),
       {Counting(ElementType::kS32, {2, 3, 4, 2}, 1), indices},
       "{ { { {1, 2}, {3, 4} }, { {3, 4}, {5, 6} }, { {13, 14}, {15, 16} } }, "
       "{ { {33, 34}, {35, 36} }, { {35, 36}, {37, 38} }, { {41, 42}, {43, 44} } } }, "
       "{ { { {1, 2}, {3, 4} }, { {13, 14}, {15, 16} }, { {21, 22}, {23, 24} } }, "
       "{ { {43, 44}, {45, 46} }, { {33, 34}, {35, 36} }, { {27, 28}, {29, 30} } } }"},
      {"DynamicGather",
       Entry("",
             "a = s32[3,4,2] parameter(0) i = s64[2,3,2] parameter(1) ROOT r = s32[2,3,2,2] "
             "gather(a, i), offset_dims={2,3}, collapsed_slice_dims={0}, start_index_map={1,0}, "
             "index_vector_dim=2, slice_sizes={1,2,2}"),
       {Counting(ElementType::kS32, {3, 4, 2}, 1),
        Ints(ElementType::kS64, {2, 3, 2}, {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 2})},
       "{ { {1, 2}, {3, 4} }, { {3, 4}, {5, 6} }, { {13, 14}, {15, 16} } }, "
       "{ { {9, 10}, {11, 12} }, { {11, 12}, {13, 14} }, { {17, 18}, {19, 20} } }"},
      {"Scatter",
       Entry(Body("add", "s64", "add"),
             "a = s64[2,3,4,2] parameter(0) i = s64[2,2,3,2] parameter(1) u = s64[2,2,3,2,2] "
             "parameter(2) ROOT r = s64[2,3,4,2] scatter(a, i, u), " +
                 std::string(kNumbers) + ", to_apply=add"),
       {Counting(ElementType::kS64, {2, 3, 4, 2}, 1), indices,
        Ones(ElementType::kS64, {2, 2, 3, 2, 2})},
       "{ { {3, 4}, {6, 7}, {6, 7}, {7, 8} }, { {9, 10}, {11, 12}, {15, 16}, {17, 18} }, "
       "{ {17, 18}, {19, 20}, {22, 23}, {24, 25} } }, "
       "{ { {25, 26}, {28, 29}, {30, 31}, {31, 32} }, { {35, 36}, {38, 39}, {38, 39}, {39, 40} }, "
       "{ {41, 42}, {44, 45}, {46, 47}, {47, 48} } }"},
      {"SelectAndScatter",
       Entry(ge + add,
             "a = s32[4,2] parameter(0) s = s32[2,2] parameter(1) z = s32[] parameter(2) ROOT r = "
             "s32[4,2] select-and-scatter(a, s, z), window={size=3x1 stride=2x1 pad=0_1x0_0}, "
             "select=ge, scatter=add"),
       {Ints(ElementType::kS32, {4, 2}, {1, 5, 2, 5, 3, 6, 4, 4}),
        Ints(ElementType::kS32, {2, 2}, {5, 6, 7, 8}), Ints(ElementType::kS32, {}, {0})},
       "{0, 0}, {0, 0}, {5, 14}, {7, 0}"},
      // Two windows select the same element: 2 + 6 = 8.
      {"SelectAndScatterFigure",
       Entry(ge + add,
             "a = s32[4,5] parameter(0) s = s32[2,2] parameter(1) z = s32[] parameter(2) ROOT r = "
             "s32[4,5] select-and-scatter(a, s, z), window={size=2x3 stride=2x2}, select=ge, "
             "scatter=add"),
       {Ints(ElementType::kS32, {4, 5},
             {7, 2, 5, 3, 8, 3, 8, 9, 3, 4, 1, 5, 7, 5, 6, 0, 6, 2, 10, 2}),
        Ints(ElementType::kS32, {2, 2}, {2, 6, 3, 1}), Ints(ElementType::kS32, {}, {0})},
       "{0, 0, 0, 0, 0}, {0, 0, 8, 0, 0}, {0, 0, 3, 0, 0}, {0, 0, 0, 1, 0}"},
  };
}

TEST_P(Scatter, Examples) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  for (const Example& example : Examples()) {
    auto module = hlo_text::ParseModule(example.hlo, example.name);
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_EQ(RunProgram(*client, **module, example.inputs, fuse), "{ " + example.want + " }")
        << example.name;
  }
}

const char kScalarNumbers[] =
    "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
    "index_vector_dim=1";

// Sets a window at a constant place of nine elements.
std::string OutOfReach(const std::string& type, const std::string& place,
                       const std::string& window) {
  return Entry("f { p = f32[] parameter(0) ROOT q = f32[] parameter(1) }\n",
               "a = f32[9] parameter(0) i = " + type + "[1] constant({" + place + "}) u = f32[" +
                   window + "] parameter(1) ROOT r = f32[9] scatter(a, i, u), " +
                   "update_window_dims={0}, inserted_window_dims={}, "
                   "scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=f");
}

std::vector<std::string> ScatterPrograms() {
  const std::string numbers = kScalarNumbers;
  std::vector<std::string> programs = {
      // Constant places outside of all arrays.
      OutOfReach("s32", "-2147483648", "1"),
      OutOfReach("s32", "-2147483648", "4"),
      OutOfReach("s32", "2147483647", "4"),
      OutOfReach("u32", "2147483648", "4"),
      OutOfReach("s64", "2147483648", "4"),
      OutOfReach("s64", "-9223372036854775808", "1"),
      OutOfReach("s64", "-9223372036854775808", "4"),
      OutOfReach("u64", "18446744073709551615", "4"),
      // The operand is also used before and after the scatter, and is its own update.
      Entry(Body("f", "f32", "subtract"),
            "a = f32[15] parameter(0) i = s32[30] parameter(1) u = f32[30] parameter(2) s = "
            "f32[15] scatter(a, i, u), " +
                numbers +
                ", to_apply=f n = f32[15] negate(s) ROOT r = "
                "f32[15] add(n, a)"),
      Entry(
          Body("f", "f32", "add"),
          "a = f32[15] parameter(0) i = s32[15] parameter(1) ROOT s = f32[15] scatter(a, i, a), " +
              numbers + ", to_apply=f"),
      Entry(Body("f", "f32", "add"),
            "a = f32[15] parameter(0) i = s32[15] parameter(1) b = f32[15] negate(a) c = f32[15] "
            "multiply(b, a) ROOT s = f32[15] scatter(b, i, c), " +
                numbers + ", to_apply=f"),
      // Bodies of wider types.
      Entry(Body("f", "f32", "add"),
            "a = bf16[15] parameter(0) i = s32[30] parameter(1) u = bf16[30] parameter(2) ROOT s = "
            "f32[15] scatter(a, i, u), " +
                numbers + ", to_apply=f"),
      Entry(Body("f", "s64", "multiply"),
            "a = s8[15] parameter(0) i = s32[30] parameter(1) u = s8[30] parameter(2) ROOT s = "
            "s64[15] scatter(a, i, u), " +
                numbers + ", to_apply=f"),
      // No updates, and an empty operand.
      Entry(Body("f", "f32", "add"),
            "a = f16[15] parameter(0) i = s32[0] parameter(1) u = f16[0] parameter(2) ROOT s = "
            "f32[15] scatter(a, i, u), " +
                numbers + ", to_apply=f"),
      Entry(Body("f", "f32", "add"),
            "a = f32[0] parameter(0) i = s32[3] parameter(1) u = f32[3] parameter(2) ROOT s = "
            "f32[0] scatter(a, i, u), " +
                numbers + ", to_apply=f"),
      // Real and complex numbers in one scatter.
      Entry("f { a = c64[] parameter(0) b = f32[] parameter(1) x = c64[] parameter(2) y = f32[] "
            "parameter(3) s = c64[] subtract(x, a) d = f32[] add(b, y) ROOT t = (c64[], f32[]) "
            "tuple(s, d) }\n",
            "a = c64[6] parameter(0) b = f32[6] parameter(1) i = s32[20] parameter(2) u = c64[20] "
            "parameter(3) v = f32[20] parameter(4) s = (c64[6], f32[6]) scatter(a, b, i, u, v), " +
                numbers +
                ", to_apply=f x = c64[6] get-tuple-element(s), index=0 y = f32[6] "
                "get-tuple-element(s), index=1 ROOT t = (c64[6], f32[6]) tuple(x, y)"),
      // Only one of several results is used, and an array is given twice.
      Entry("f { a = s32[] parameter(0) b = s32[] parameter(1) x = s32[] parameter(2) y = s32[] "
            "parameter(3) s = s32[] add(a, y) d = s32[] multiply(b, x) ROOT t = (s32[], s32[]) "
            "tuple(s, d) }\n",
            "a = s32[6,7] parameter(0) i = s32[20] parameter(1) u = s32[20,7] parameter(2) v = "
            "s32[20,7] parameter(3) s = (s32[6,7], s32[6,7]) scatter(a, a, i, u, v), "
            "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
            "index_vector_dim=1, to_apply=f ROOT x = s32[6,7] get-tuple-element(s), index=1"),
      // More buffers than other kernels need.
      Entry("f { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) d = s32[] "
            "parameter(3) x = s32[] parameter(4) y = s32[] parameter(5) z = s32[] parameter(6) w = "
            "s32[] parameter(7) s = s32[] add(a, w) t = s32[] subtract(b, z) u = s32[] "
            "multiply(c, y) v = s32[] maximum(d, x) ROOT r = (s32[], s32[], s32[], s32[]) "
            "tuple(s, t, u, v) }\n",
            "a = s32[15] parameter(0) b = s32[15] parameter(1) c = s32[15] parameter(2) d = "
            "s32[15] parameter(3) i = s32[30] parameter(4) x = s32[30] parameter(5) y = s32[30] "
            "parameter(6) z = s32[30] parameter(7) w = s32[30] parameter(8) e = s32[30] add(x, y) "
            "ROOT s = (s32[15], s32[15], s32[15], s32[15]) scatter(a, b, c, d, i, e, y, z, w), " +
                numbers + ", to_apply=f"),
      // More steps than one launch runs on some devices.
      Entry(Body("f", "f32", "maximum"),
            "a = f32[15] parameter(0) i = s32[70000] parameter(1) u = f32[70000] parameter(2) "
            "ROOT s = f32[15] scatter(a, i, u), " +
                numbers + ", to_apply=f"),
      Entry(Body("f", "s32", "subtract"),
            "a = s32[15,3] parameter(0) i = s32[300,240] parameter(1) u = s32[300,240,3] "
            "parameter(2) ROOT s = s32[15,3] scatter(a, i, u), update_window_dims={2}, "
            "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2, "
            "to_apply=f"),
      // Without duplicates, all updates happen at once.
      Entry(Body("f", "f32", "subtract"),
            "a = f32[64] parameter(0) u = f32[50] parameter(1) i = s32[50] iota(), "
            "iota_dimension=0 ROOT s = f32[64] scatter(a, i, u), " +
                numbers + ", unique_indices=true, to_apply=f"),
      Entry(Body("f", "c64", "subtract"),
            "a = c64[64,5] parameter(0) u = c64[50,5] parameter(1) i = s32[50] iota(), "
            "iota_dimension=0 ROOT s = c64[64,5] scatter(a, i, u), update_window_dims={1}, "
            "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
            "unique_indices=true, to_apply=f"),
      // Long axes, which are run as tasks and vectors.
      Entry(Body("f", "bf16", "add"),
            "a = bf16[9,3,700] parameter(0) i = s32[40] parameter(1) u = bf16[3,40,700] "
            "parameter(2) ROOT s = bf16[9,3,700] scatter(a, i, u), update_window_dims={0,2}, "
            "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
            "to_apply=f"),
  };
  for (const char* type :
       {"pred", "s2", "u4", "s16", "u32", "u64", "f16", "f64", "f8e5m2", "f4e2m1fn", "c128"}) {
    const std::string t = type;
    const std::string op = t == "pred" ? "or" : "add";
    programs.push_back(Entry(Body("f", t, op), "a = " + t + "[12] parameter(0) i = s64[30] " +
                                                   "parameter(1) u = " + t + "[30] parameter(2) " +
                                                   "ROOT s = " + t + "[12] scatter(a, i, u), " +
                                                   numbers + ", to_apply=f"));
  }
  return programs;
}

struct Pooling {
  const char *type, *operand, *source, *window;
};
const Pooling kPoolings[] = {
    {"f32", "2,9,9,8", "2,5,5,8", "size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0"},
    {"f32", "2,3,8,8", "2,3,4,4", "size=1x1x2x2 stride=1x1x2x2"},
    {"bf16", "13", "6", "size=4 stride=3 pad=4_2"},  // the first window is all padding
    {"s8", "7,5", "3,4", "size=2x2 stride=2x1 pad=-1_0x0_0"},
    {"f64", "6", "6", "size=1"},
    {"u16", "4,6", "2,3", "size=1x1 stride=2x2"},
    {"f16", "", "", ""},
    {"c64", "9", "4", "size=3 stride=2"},
    {"f32", "5", "0", "size=7"},
    {"pred", "9", "4", "size=3 stride=2"},
};

std::string PoolingProgram(const Pooling& p) {
  const std::string t = p.type;
  const bool complex = t == "c64";
  const std::string ge =
      complex ? "ge { x = c64[] parameter(0) y = c64[] parameter(1) a = f32[] real(x) b = f32[] "
                "real(y) ROOT z = pred[] compare(a, b), direction=GE }\n"
              : Body("ge", t, "compare");
  const std::string shape = t + "[" + p.operand + "]", source = t + "[" + p.source + "]";
  const std::string window = *p.window == 0 ? "{}" : "{" + std::string(p.window) + "}";
  return Entry(ge + Body("f", t, t == "pred" ? "or" : "add"),
               "a = " + shape + " parameter(0) s = " + source + " parameter(1) z = " + t +
                   "[] parameter(2) ROOT r = " + shape +
                   " select-and-scatter(a, s, z), window=" + window + ", select=ge, scatter=f");
}

std::vector<std::string> BitcastPrograms() {
  struct Pair {
    const char *wide, *narrow;
    int ratio;
  };
  std::vector<std::string> programs;
  for (const Pair& p : {Pair{"f32", "u8", 4},
                        {"f64", "f16", 4},
                        {"s64", "s32", 2},
                        {"u16", "s4", 4},
                        {"s8", "u2", 4},
                        {"bf16", "f8e5m2", 2},
                        {"u64", "s8", 8},
                        {"u8", "pred", 8},
                        {"c128", "c64", 2},
                        {"s32", "f4e2m1fn", 8},
                        {"u64", "f32", 2}}) {
    const std::string wide = p.wide, narrow = p.narrow, last = std::to_string(p.ratio);
    programs.push_back(Entry("", "a = " + wide + "[3,5] parameter(0) ROOT r = " + narrow + "[3,5," +
                                     last + "] bitcast-convert(a)"));
    programs.push_back(Entry("", "a = " + narrow + "[7," + last +
                                     "] parameter(0) ROOT r = " + wide + "[7] bitcast-convert(a)"));
  }
  // Fused with the ops around it.
  programs.push_back(
      Entry("",
            "a = f32[6,5] parameter(0) n = f32[6,5] negate(a) b = u16[6,5,2] "
            "bitcast-convert(n) t = u16[5,2,6] transpose(b), dimensions={1,2,0} ROOT "
            "r = u16[5,2,6] add(t, t)"));
  programs.push_back(Entry("", "a = f32[] parameter(0) ROOT r = f16[2] bitcast-convert(a)"));
  return programs;
}

void CompareWithEvaluator(Client& client, bool fuse, const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    auto module = hlo_text::ParseModule(program, "program");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << program;
    const std::vector<Literal> inputs = RandomInputs(**module);
    hlo::Evaluator evaluator;
    auto want = evaluator.Run(**module, inputs);
    ASSERT_TRUE(want.ok()) << want.status();
    const bool tuple = want->shape().IsTuple();
    EXPECT_EQ(RunProgram(client, **module, inputs, fuse),
              Text(tuple ? want->elements() : std::vector<Literal>{*want}))
        << program;
  }
}

TEST_P(Scatter, Programs) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  CompareWithEvaluator(*client, fuse, ScatterPrograms());
}

TEST_P(Scatter, Poolings) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  std::vector<std::string> programs;
  for (const Pooling& p : kPoolings) programs.push_back(PoolingProgram(p));
  CompareWithEvaluator(*client, fuse, programs);
}

TEST_P(Scatter, Bitcasts) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  CompareWithEvaluator(*client, fuse, BitcastPrograms());
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<const char*, bool>>& info) {
  return std::string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "" : "_unfused");
}
INSTANTIATE_TEST_SUITE_P(Targets, Scatter,
                         ::testing::Values(std::tuple<const char*, bool>{"reference", true},
                                           std::tuple<const char*, bool>{"x86", true},
                                           std::tuple<const char*, bool>{"x86", false},
                                           std::tuple<const char*, bool>{"vulkan", true}),
                         NameOf);

// Large scatters, whose updates GPUs sort by place and sum in chunks
// (lowering/plan/expand/run_sums.h). Spread over the places, at one of them, at two in turns, and
// none. Sums of these numbers are exact in any order.
std::string LargeScatter(const std::string& type, int64_t vectors, const std::string& row,
                         const std::string& op, const std::string& sorted) {
  const std::string n = std::to_string(vectors), windows = row.empty() ? "" : "1";
  return Entry(Body("f", type, op),
               "a = " + type + "[9" + row + "] parameter(0) i = s32[" + n + "] parameter(1) u = " +
                   type + "[" + n + row + "] parameter(2) ROOT r = " + type + "[9" + row +
                   "] scatter(a, i, u), update_window_dims={" + windows +
                   "}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                   "index_vector_dim=1, " +
                   sorted + "to_apply=f");
}

void RunLarge(Client& client, const hlo::Module& original, const hlo::Module& module, bool sorted) {
  auto executable = client.Compile(module, {});
  ASSERT_TRUE(executable.ok()) << executable.status();
  std::vector<Literal> inputs = RandomInputs(original);
  for (int spread = 0; spread < 4; ++spread) {
    const int64_t vectors = inputs[1].shape().NumElements();
    for (int64_t i = 0; i < vectors; ++i) {
      const int64_t spread_out = i * 7919 % 12 - 2, in_turns = i % 2 == 0 ? 8 : 0;
      const int64_t place = std::array{spread_out, int64_t{5}, in_turns, int64_t{-1}}[spread];
      inputs[1].SetInt(
          i, sorted ? spread == 2 ? i * 9 / vectors : std::array{4, 5, 0, 9}[spread] : place);
    }
    hlo::Evaluator evaluator;
    auto want = evaluator.Run(original, inputs);
    ASSERT_TRUE(want.ok()) << want.status();
    auto got = (*executable)->RunLiterals(inputs);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(Text(*got), Text({*want})) << spread;
  }
}

TEST(LargeScatters, OnCuda) {
  Client* client = ClientFor("cuda");
  if (client == nullptr) GTEST_SKIP() << "no cuda";
  for (const std::string& text :
       {LargeScatter("f32", 8200, "", "add", ""), LargeScatter("u8", 8192, "", "add", ""),
        LargeScatter("f64", 8200, ",5", "add", ""), LargeScatter("s32", 66000, "", "multiply", ""),
        LargeScatter("bf16", 8200, ",16", "maximum", "")}) {
    auto module = hlo_text::ParseModule(text, "program");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
    RunLarge(*client, **module, **module, /*sorted=*/false);
  }
}

// Software devices do not sort, but they can run what devices with more threads do with indices
// that are sorted.
TEST(LargeScatters, OnVulkan) {
  Client* client = ClientFor("vulkan");
  if (client == nullptr) GTEST_SKIP() << "no vulkan";
  runtime::DeviceInfo device;
  device.kind = runtime::DeviceKind::kVulkan;
  for (const std::string& text :
       {LargeScatter("f32", 8200, "", "add", "indices_are_sorted=true, "),
        LargeScatter("s16", 8192, ",3", "minimum", "indices_are_sorted=true, ")}) {
    auto module = hlo_text::ParseModule(text, "program");
    auto chunks = hlo_text::ParseModule(text, "program");
    ASSERT_TRUE(module.ok() && chunks.ok()) << module.status() << "\n" << text;
    ASSERT_TRUE(lowering::GroupScatters(**chunks, device).ok());
    EXPECT_GT((*chunks)->entry()->instructions().size(),
              2 * (*module)->entry()->instructions().size());
    RunLarge(*client, **module, **chunks, /*sorted=*/true);
  }
}

}  // namespace
}  // namespace halyard
