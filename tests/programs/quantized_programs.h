// Programs of quantized types, and their comparison with the evaluator.
#ifndef HALYARD_TESTS_PROGRAMS_QUANTIZED_PROGRAMS_H_
#define HALYARD_TESTS_PROGRAMS_QUANTIZED_PROGRAMS_H_

#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/stablehlo.h"

namespace halyard {

using hlo::Literal;
using hlo::Shape;

// One op as a function of its own: `%0`, `%1`, … are its arguments, and `%r` is its result.
struct Case {
  std::vector<std::string> arguments;
  std::string result;
  std::string body;
  int tolerance = 0;  // in stored integers; for floats, 1e-5 times that
};

inline std::string Tensor(const std::string& dims, const std::string& element) {
  return absl::StrCat("tensor<", dims, dims.empty() ? "" : "x", element, ">");
}

// Returns the type for the short form `uniform(i8:f32, 0.5)`.
inline std::string Q(const std::string& inside) {
  return absl::StrCat("!quant.uniform<", inside, ">");
}

inline std::string ProgramOf(const std::vector<Case>& cases) {
  std::vector<std::string> parameters, results, types, body;
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string prefix = absl::StrCat("%c", i, "_");
    for (size_t a = 0; a < cases[i].arguments.size(); ++a) {
      parameters.push_back(absl::StrCat(prefix, a, ": ", cases[i].arguments[a]));
    }
    body.push_back(absl::StrReplaceAll(cases[i].body, {{"%", prefix}}));
    results.push_back(absl::StrCat(prefix, "r"));
    types.push_back(cases[i].result);
  }
  return absl::StrCat("func.func @main(", absl::StrJoin(parameters, ", "), ") -> (",
                      absl::StrJoin(types, ", "), ") {\n", absl::StrJoin(body, "\n"), "\n  return ",
                      absl::StrJoin(results, ", "), " : ", absl::StrJoin(types, ", "), "\n}\n");
}

inline Literal RandomLiteral(const Shape& type, std::mt19937_64* random) {
  Literal literal(type);
  for (int64_t i = 0; i < type.NumElements(); ++i) {
    if (const hlo::Quantization* q = type.quantization()) {
      std::uniform_int_distribution<int64_t> values(q->storage_min, q->storage_max);
      literal.SetInt(i, values(*random));
    } else if (hlo::IsFloat(type.element_type())) {
      literal.SetFloat(i, std::normal_distribution<double>(0, 4)(*random));
    } else {
      literal.SetInt(i, static_cast<int64_t>((*random)() % 3));
    }
  }
  return literal;
}

inline std::vector<Literal> ArgumentsOf(const hlo::Module& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> arguments;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(RandomLiteral(parameter->shape, &random));
  }
  return arguments;
}

inline std::string Differs(const Literal& got, const Literal& want, int tolerance) {
  if (!Shape::SameIgnoringLayout(got.shape(), want.shape())) return "shape";
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    const double g = got.GetAsDouble(i), w = want.GetAsDouble(i);
    const bool floats = hlo::IsFloat(want.shape().element_type());
    const double allowed = floats ? 1e-5 * tolerance * (1 + std::abs(w)) : tolerance;
    if (g == w || (std::isnan(g) && std::isnan(w)) || std::abs(g - w) <= allowed) continue;
    return absl::StrCat("element ", i, " is ", g, ", must be ", w);
  }
  return "";
}

inline void Check(const std::string& target, const std::vector<Case>& cases, uint64_t seed) {
  ClientOptions options;
  options.target = target;
  options.use_cache = false;
  auto client = Client::Create(options);
  if (!client.ok()) GTEST_SKIP() << client.status();
  const std::string text = ProgramOf(cases);
  auto module = stablehlo::ParseStableHlo(text, "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  const std::vector<Literal> arguments = ArgumentsOf(**module, seed);
  auto want = hlo::Evaluator().Run(**module, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  auto executable = (*client)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto got = (*executable)->RunLiterals(arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const Literal& wanted = cases.size() == 1 ? *want : want->elements()[i];
    EXPECT_EQ(Differs((*got)[i], wanted, cases[i].tolerance), "")
        << target << ", seed " << seed << ": " << cases[i].body << " -> " << cases[i].result;
  }
}

const char* const kTargets[] = {"x86", "vulkan"};

inline Case Op(const std::string& op, const std::vector<std::string>& arguments,
               const std::string& result, int tolerance = 0, const std::string& attributes = "") {
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i) names.push_back(absl::StrCat("%", i));
  return {arguments, result,
          absl::StrCat("  %r = \"stablehlo.", op, "\"(", absl::StrJoin(names, ", "), ") ",
                       attributes, " : (", absl::StrJoin(arguments, ", "), ") -> ", result),
          tolerance};
}

}  // namespace halyard

#endif  // HALYARD_TESTS_PROGRAMS_QUANTIZED_PROGRAMS_H_
