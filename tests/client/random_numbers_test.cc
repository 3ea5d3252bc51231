// Compares rng-bit-generator, rng, batch normalization and sizes of dimensions, compiled and run,
// with the evaluator. Bits and uniform numbers must be equal.

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/stablehlo/stablehlo.h"

namespace halyard {
namespace {

using hlo::Literal;

std::unique_ptr<hlo::Module> Parse(const std::string& text) {
  auto module = hlo_text::ParseModule(text, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

class RandomNumbers : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ClientOptions options;
    options.target = GetParam();
    auto client = Client::Create(options);
    if (!client.ok()) GTEST_SKIP() << client.status();
    client_ = *std::move(client);
  }

  // Compares the leaves of the result with the evaluator's. A `tolerance` of 0 means that all bits
  // must be equal.
  void Check(const hlo::Module& module, const std::vector<Literal>& inputs, double tolerance) {
    hlo::Evaluator evaluator;
    auto want = evaluator.Run(module, inputs);
    ASSERT_TRUE(want.ok()) << want.status();
    auto executable = client_->Compile(module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto results = (*executable)->RunLiterals(inputs);
    ASSERT_TRUE(results.ok()) << results.status();
    const std::vector<Literal> leaves =
        want->shape().IsTuple() ? want->elements() : std::vector<Literal>{*want};
    ASSERT_EQ(results->size(), leaves.size());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (tolerance == 0) {
        EXPECT_TRUE((*results)[leaf].BitwiseEqual(leaves[leaf]))
            << GetParam() << ", leaf " << leaf << ": " << (*results)[leaf].ToString().substr(0, 400)
            << "\nnot " << leaves[leaf].ToString().substr(0, 400);
        continue;
      }
      auto difference = hlo::Compare((*results)[leaf], leaves[leaf], tolerance, tolerance);
      ASSERT_TRUE(difference.ok()) << difference.status();
      EXPECT_TRUE(difference->within)
          << GetParam() << ", leaf " << leaf << " at " << difference->index << ": "
          << difference->got << ", not " << difference->want;
    }
  }

  std::unique_ptr<Client> client_;
};

Literal State(std::vector<uint64_t> words) {
  Literal state(hlo::Shape::Array(hlo::ElementType::kU64, {static_cast<int64_t>(words.size())}));
  for (size_t i = 0; i < words.size(); ++i) state.SetInt(i, static_cast<int64_t>(words[i]));
  return state;
}

std::string Generator(const char* algorithm, const std::string& bits, int words) {
  return absl::StrCat("HloModule m\nENTRY e {\n  s = u64[", words,
                      "] parameter(0)\n  ROOT r = (u64[", words, "], ", bits,
                      ") rng-bit-generator(s), algorithm=", algorithm, "\n}\n");
}

TEST_P(RandomNumbers, BitGenerators) {
  const std::vector<uint64_t> words = {0x0123456789abcdefu, ~uint64_t{0} - 5, 41};
  for (const char* algorithm : {"rng_three_fry", "rng_philox", "rng_default"}) {
    for (const char* bits : {"u32[7,9]", "u64[5,3]", "u32[5,4,3]", "u32[]", "u64[]", "u16[129]",
                             "f6e2m3fn[12]", "u32[0,3]", "u32[1024]", "f32[6]", "s4[9]", "s32[1,1]",
                             "u32[8,1000]", "u32[7,2,33]", "u8[4099]", "u64[4096]", "f64[1001]"}) {
      const int count = std::string(algorithm) == "rng_three_fry" ? 2 : 3;
      const std::string text = Generator(algorithm, bits, count);
      SCOPED_TRACE(text);
      Check(*Parse(text), {State({words.begin(), words.begin() + count})}, 0);
    }
  }
  Check(*Parse(Generator("rng_philox", "s32[33]", 2)), {State({7, ~uint64_t{0}})}, 0);
}

TEST_P(RandomNumbers, BitsAreOneKernel) {
  const auto check = [this](const hlo::Module& module) {
    Check(module, {State({1, 2})}, 0);
    auto executable = client_->Compile(module);
    ASSERT_TRUE(executable.ok());
    EXPECT_EQ((*executable)->stats().kernels, 1);
  };
  for (const char* algorithm : {"rng_three_fry", "rng_philox"}) {
    check(*Parse(absl::StrCat(
        "HloModule m\nENTRY e {\n  s = u64[2] parameter(0)\n  r = (u64[2], u32[1000]) "
        "rng-bit-generator(s), algorithm=",
        algorithm,
        "\n  b = u32[1000] get-tuple-element(r), index=1\n  f = f32[1000] convert(b)\n  ROOT a = "
        "f32[1000] add(f, f)\n}\n")));
    for (const char* dims : {"1000", "1001", "40,30", "3,7"}) {
      // As JAX makes numbers in [0, 1).
      auto module = Parse(absl::StrReplaceAll(
          "HloModule m\nENTRY e {\n  s = u64[2] parameter(0)\n  r = (u64[2], u32[$D]) "
          "rng-bit-generator(s), algorithm=$A\n  b = u32[$D] get-tuple-element(r), index=1\n"
          "  nine = u32[] constant(9)\n  n = u32[$D] broadcast(nine), dimensions={}\n"
          "  h = u32[$D] shift-right-logical(b, n)\n  one = u32[] constant(1065353216)\n"
          "  o = u32[$D] broadcast(one), dimensions={}\n  w = u32[$D] or(h, o)\n"
          "  f = f32[$D] bitcast-convert(w)\n  c = f32[] constant(1)\n"
          "  d = f32[$D] broadcast(c), dimensions={}\n  ROOT u = f32[$D] subtract(f, d)\n}\n",
          {{"$A", algorithm}, {"$D", dims}}));
      SCOPED_TRACE(absl::StrCat(algorithm, " ", dims));
      check(*module);
    }
  }
}

// Tests every type of bits and numbers with one program each.
TEST_P(RandomNumbers, UniformOfEveryType) {
  struct Range {
    const char *type, *a, *b;
  };
  for (const Range& range : {Range{"f32", "0", "1"},
                             {"f32", "-3.5", "2"},
                             {"f64", "-1", "3"},
                             {"bf16", "0", "1"},
                             {"f16", "-1", "1"},
                             {"f8e5m2", "0", "1"},
                             {"f8e4m3fn", "-1", "0"},
                             {"f4e2m1fn", "0.5", "4"},
                             {"s32", "-3", "4"},
                             {"s64", "-9223372036854775808", "9223372036854775807"},
                             {"u64", "5", "18446744073709551615"},
                             {"u8", "3", "200"},
                             {"s4", "-8", "7"},
                             {"pred", "false", "true"},
                             {"s32", "5", "5"},
                             {"f32", "1", "-1"}}) {
    const std::string text = absl::StrReplaceAll(
        "HloModule m\nENTRY e {\n  a = $T[] constant($A)\n  b = $T[] constant($B)\n  x = "
        "$T[5,40] rng(a, b), distribution=rng_uniform\n  y = $T[3] rng(a, b), "
        "distribution=rng_uniform\n  ROOT r = ($T[5,40], $T[3]) tuple(x, y)\n}\n",
        {{"$T", range.type}, {"$A", range.a}, {"$B", range.b}});
    SCOPED_TRACE(text);
    Check(*Parse(text), {}, 0);
  }
}

TEST_P(RandomNumbers, Normal) {
  for (const char* type : {"f32", "f64", "bf16", "f16"}) {
    const std::string text = absl::StrCat(
        "HloModule m\nENTRY e {\n  a = ", type, "[] parameter(0)\n  b = ", type,
        "[] parameter(1)\n  ROOT x = ", type, "[50,40] rng(a, b), distribution=rng_normal\n}\n");
    SCOPED_TRACE(text);
    auto module = Parse(text);
    const hlo::ElementType t = module->entry()->parameters()[0]->shape.element_type();
    std::vector<Literal> inputs(2, Literal(hlo::Shape::Scalar(t)));
    inputs[0].SetFloat(0, 0.5);
    inputs[1].SetFloat(0, 2);
    Check(*module, inputs,
          t == hlo::ElementType::kF64   ? 1e-13
          : t == hlo::ElementType::kF32 ? 2e-6
                                        : 1e-2);
  }
}

// The state passes through loops and their conditions, branches and calls.
constexpr char kControl[] = R"(
HloModule m
roll {
  k = s32[] parameter(0)
  z = s32[] constant(0)
  h = s32[] constant(1000)
  d = s32[] rng(z, h), distribution=rng_uniform
  ROOT s = s32[] add(k, d)
}
body {
  p = (s32[], s32[4], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  a = s32[4] get-tuple-element(p), index=1
  c = s32[] get-tuple-element(p), index=2
  z = s32[] constant(0)
  h = s32[] constant(1000)
  d = s32[] rng(z, h), distribution=rng_uniform
  one = s32[1] reshape(d)
  a2 = s32[4] dynamic-update-slice(a, one, i)
  c2 = s32[] call(c), to_apply=roll
  u = s32[] constant(1)
  i2 = s32[] add(i, u)
  ROOT t = (s32[], s32[4], s32[]) tuple(i2, a2, c2)
}
cond {
  p = (s32[], s32[4], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  h = s32[] constant(1)
  d = s32[] rng(z, h), distribution=rng_uniform
  j = s32[] add(i, d)
  n = s32[] constant(4)
  ROOT l = pred[] compare(j, n), direction=LT
}
yes {
  p = s32[] parameter(0)
  ROOT r = s32[] call(p), to_apply=roll
}
no {
  ROOT p = s32[] parameter(0)
}
ENTRY e {
  q = pred[] parameter(0)
  z = s32[] constant(0)
  h = s32[] constant(1000)
  before = s32[3] rng(z, h), distribution=rng_uniform
  zeros = s32[4] broadcast(z), dimensions={}
  t = (s32[], s32[4], s32[]) tuple(z, zeros, z)
  w = (s32[], s32[4], s32[]) while(t), condition=cond, body=body
  drawn = s32[4] get-tuple-element(w), index=1
  sum = s32[] get-tuple-element(w), index=2
  b = s32[] conditional(q, z, z), true_computation=yes, false_computation=no
  after = s32[3] rng(z, h), distribution=rng_uniform
  ROOT r = (s32[3], s32[4], s32[], s32[], s32[3]) tuple(before, drawn, sum, b, after)
}
)";

TEST_P(RandomNumbers, StateGoesThroughControlFlow) {
  auto module = Parse(kControl);
  for (double flag : {0.0, 1.0}) {
    Literal q = Literal::FromValues<double>(hlo::ElementType::kPred, {}, {flag});
    Check(*module, {q}, 0);
  }
  hlo::Evaluator evaluator;
  auto result =
      evaluator.Run(*module, {Literal::FromValues<double>(hlo::ElementType::kPred, {}, {1.0})});
  ASSERT_TRUE(result.ok());
  const Literal& drawn = result->elements()[1];
  EXPECT_FALSE(drawn.IsSplat()) << drawn.ToString();
}

std::string BatchNorms(const char* type, const char* dims, int features, int feature) {
  return absl::StrReplaceAll(
      "HloModule m\nENTRY e {\n  x = TYPE[DIMS] parameter(0)\n  scale = TYPE[N] parameter(1)\n  "
      "offset = TYPE[N] parameter(2)\n  mean = TYPE[N] parameter(3)\n  v = TYPE[N] parameter(4)\n "
      " dy = TYPE[DIMS] parameter(5)\n  variance = TYPE[N] multiply(v, v)\n"
      "  a = TYPE[DIMS] batch-norm-inference(x, scale, offset, mean, variance), epsilon=0.125, "
      "feature_index=AXIS\n"
      "  b = (TYPE[DIMS], TYPE[N], TYPE[N]) batch-norm-training(x, scale, offset), "
      "epsilon=0.125, feature_index=AXIS\n"
      "  c = (TYPE[DIMS], TYPE[N], TYPE[N]) batch-norm-grad(x, scale, mean, variance, dy), "
      "epsilon=0.125, feature_index=AXIS\n"
      "  b0 = TYPE[DIMS] get-tuple-element(b), index=0\n"
      "  b1 = TYPE[N] get-tuple-element(b), index=1\n"
      "  b2 = TYPE[N] get-tuple-element(b), index=2\n"
      "  c0 = TYPE[DIMS] get-tuple-element(c), index=0\n"
      "  c1 = TYPE[N] get-tuple-element(c), index=1\n"
      "  c2 = TYPE[N] get-tuple-element(c), index=2\n"
      "  ROOT r = (TYPE[DIMS], TYPE[DIMS], TYPE[N], TYPE[N], TYPE[DIMS], TYPE[N], TYPE[N]) "
      "tuple(a, b0, b1, b2, c0, c1, c2)\n}\n",
      {{"TYPE", type},
       {"DIMS", dims},
       {"[N]", absl::StrCat("[", features, "]")},
       {"AXIS", absl::StrCat(feature)}});
}

TEST_P(RandomNumbers, BatchNorms) {
  struct Case {
    const char *type, *dims;
    int features, feature;
    double tolerance;
  };
  for (const Case& c : {Case{"f32", "4,5,6,3", 3, 3, 2e-5},
                        {"f32", "4,5,6,3", 5, 1, 2e-5},
                        {"f32", "7,30", 7, 0, 2e-5},
                        {"f64", "4,5,6", 5, 1, 1e-12},
                        {"f16", "4,5,6", 6, 2, 4e-3},
                        {"bf16", "4,5,6", 4, 0, 3e-2},
                        {"f8e4m3fn", "4,5,6", 6, 2, 0.26},
                        {"f32", "6", 6, 0, 2e-5}}) {
    const std::string text = BatchNorms(c.type, c.dims, c.features, c.feature);
    SCOPED_TRACE(text);
    auto module = Parse(text);
    std::vector<Literal> inputs;
    uint64_t seed = 1;
    for (const hlo::Instruction* parameter : module->entry()->parameters()) {
      Literal& input = inputs.emplace_back(parameter->shape);
      for (int64_t i = 0; i < parameter->shape.NumElements(); ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        input.SetFloat(i, static_cast<double>(seed >> 40) / 0x1p23 - 1);
      }
    }
    Check(*module, inputs, c.tolerance);
  }
}

TEST_P(RandomNumbers, DimensionSizes) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[2,3] parameter(0)
  n = s32[] get-dimension-size(x), dimensions={1}
  y = f32[2,3] set-dimension-size(x, n), dimensions={1}
  ROOT t = (s32[], f32[2,3]) tuple(n, y)
})");
  Check(*module, {Literal::FromValues<double>(hlo::ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6})},
        0);
  auto bounded = Parse(
      "HloModule m\nENTRY e {\n  x = f32[2,3] parameter(0)\n  n = s32[] constant(4)\n"
      "  ROOT y = f32[2,3] set-dimension-size(x, n), dimensions={1}\n}\n");
  auto executable = client_->Compile(*bounded);
  ASSERT_FALSE(executable.ok());
  EXPECT_NE(executable.status().message().find("the size 4 of dimension 1 is not in [0, 3]"),
            std::string::npos)
      << executable.status();
  EXPECT_NE(executable.status().message().find("test.hlo:5"), std::string::npos)
      << executable.status();
}

TEST_P(RandomNumbers, StableHlo) {
  auto module = stablehlo::ParseStableHlo(R"(
module {
  func.func @main(%s: tensor<2xui64>, %x: tensor<2x3xf32>)
      -> (tensor<2xui64>, tensor<2x2xui64>, tensor<3x3xi32>, tensor<4xi32>, tensor<2x3xf32>, tensor<i32>) {
    %state, %bits = "stablehlo.rng_bit_generator"(%s) {
        rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>
    } : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
    %a = stablehlo.constant dense<0> : tensor<i32>
    %b = stablehlo.constant dense<2> : tensor<i32>
    %shape = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
    %r = "stablehlo.rng"(%a, %b, %shape) {
        rng_distribution = #stablehlo<rng_distribution UNIFORM>
    } : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x3xi32>
    %two = stablehlo.constant dense<2> : tensor<1xi64>
    %four = stablehlo.add %two, %two : tensor<1xi64>
    %q = stablehlo.rng %a, %b, %four, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<4xi32>
    %v = stablehlo.constant dense<1.0> : tensor<3xf32>
    %n = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) {
        epsilon = 0.0 : f32, feature_index = 1 : i64
    } : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %d = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    %y = stablehlo.set_dimension_size %n, %d, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
    return %state, %bits, %r, %q, %y, %d
      : tensor<2xui64>, tensor<2x2xui64>, tensor<3x3xi32>, tensor<4xi32>, tensor<2x3xf32>, tensor<i32>
  }
})",
                                          "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  Check(**module,
        {State({1, 2}),
         Literal::FromValues<double>(hlo::ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6})},
        0);
}

INSTANTIATE_TEST_SUITE_P(All, RandomNumbers, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

TEST(RandomNumbersErrors, StableHlo) {
  auto error = [](const std::string& shape, const char* result) {
    return std::string(
        stablehlo::ParseStableHlo(
            absl::StrCat("func.func @main(%a: tensor<f32>, %n: tensor<1xi64>) -> tensor<", result,
                         "> {\n  ", shape,
                         "\n  %r = stablehlo.rng %a, %a, %s, distribution = UNIFORM : "
                         "(tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<",
                         result, ">\n  return %r : tensor<", result, ">\n}\n"),
            "p.mlir")
            .status()
            .message());
  };
  EXPECT_NE(error("%s = stablehlo.constant dense<3> : tensor<1xi64>", "4xf32").find("C3: "),
            std::string::npos);
  // As in the upstream verifier, a computed shape is compatible with every result.
  EXPECT_EQ(error("%s = stablehlo.add %n, %n : tensor<1xi64>", "4xf32"), "");
}

}  // namespace
}  // namespace halyard
