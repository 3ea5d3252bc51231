#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

const Shape kVector = Shape::Array(ElementType::kF32, {4});
const Shape kScalar = Shape::Scalar(ElementType::kF32);

void ExpectError(const Module& module, absl::string_view part) {
  absl::Status status = VerifyModule(module);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find(part), absl::string_view::npos) << status;
}

TEST(VerifierTest, ErrorsHaveAPlaceAnOpAndAName) {
  Graph g;
  Instruction* p = g.Param(kVector);
  Instruction* bad = g.Op(Opcode::kNegate, {p});
  bad->provenance.locations = {{"model.hlo", 7, 3}};
  bad->shape = kScalar;
  ExpectError(g.module,
              "model.hlo:7:3: error: negate negate: C1: the result must be f32[4], is f32[]");
}

TEST(VerifierTest, Entry) {
  Module module("m");
  ExpectError(module, "no entry computation");
}

TEST(VerifierTest, RootAndParameters) {
  Graph g;
  Instruction* p = g.Param(kVector);
  g.current->set_root(nullptr);
  ExpectError(g.module, "no root");
  g.current->set_root(p);
  EXPECT_TRUE(VerifyModule(g.module).ok());
  g.current->AddParameter(2, kVector);
  ExpectError(g.module, "parameters are not numbered from 0 to 2");
}

TEST(VerifierTest, ParameterNumberTwice) {
  Graph g;
  g.Param(kVector);
  g.current->set_root(g.current->AddParameter(0, kVector));
  ExpectError(g.module, "parameter number 0 is taken");
}

TEST(VerifierTest, NamesAndOrder) {
  Graph g;
  Instruction* p = g.Param(kVector);
  Instruction* a = g.Op(Opcode::kNegate, {p});
  Instruction* b = g.Op(Opcode::kAbs, {a});
  b->name = a->name;
  ExpectError(g.module, "the name is used twice");
  b->name = "b";
  a->operands[0] = b;
  ExpectError(g.module, "operand b is not defined before it");
}

TEST(VerifierTest, OperandOfAnotherComputation) {
  Graph g;
  Instruction* inner = nullptr;
  g.Body("other", [&] { inner = g.Op(Opcode::kAbs, {g.Param(kVector)}); });
  Instruction* p = g.Param(kVector);
  Instruction* a = g.Op(Opcode::kNegate, {p});
  a->operands[0] = inner;
  ExpectError(g.module, "not defined before it in the same computation");
}

TEST(VerifierTest, CalledComputations) {
  Graph g, other;
  Computation* foreign = other.Body2(Opcode::kAdd, ElementType::kF32);
  Instruction* p = g.Param(kScalar);
  Instruction* call = g.Op(Opcode::kCall, {p, p}, {}, {foreign});
  ExpectError(g.module, "calls what is not in the module");
  call->called = {g.module.entry()};
  ExpectError(g.module, "calls itself");
}

TEST(VerifierTest, WindowsThatOverflow) {
  Graph g;
  Instruction* p = g.Param(kVector);
  Instruction* zero = g.Const(F32({}, {0}));
  Computation* add = g.Body2(Opcode::kAdd, ElementType::kF32);
  auto infer = [&](WindowDim dim) {
    return g.Infer(Opcode::kReduceWindow, {p, zero}, Attrs({{Attr::kWindow, Window{{dim}}}}),
                   {add});
  };
  // Each number alone exceeds the limit, whatever the size of the result would be.
  constexpr int64_t kMost = int64_t{1} << 60;
  for (int64_t n : {kMost + 1, INT64_MAX}) {
    EXPECT_FALSE(infer({.size = n}).ok());
    EXPECT_FALSE(infer({.stride = n}).ok());
    EXPECT_FALSE(infer({.pad_low = n, .pad_high = -kMost}).ok());
    EXPECT_FALSE(infer({.pad_high = -n}).ok());
    EXPECT_FALSE(infer({.base_dilation = n}).ok());
    EXPECT_FALSE(infer({.window_dilation = n}).ok());
  }
  EXPECT_FALSE(infer({.pad_low = INT64_MIN}).ok());
  // The product of two numbers exceeds the limit.
  EXPECT_FALSE(infer({.base_dilation = kMost}).ok());
  EXPECT_FALSE(infer({.size = 1 << 30, .window_dilation = int64_t{1} << 31}).ok());
  // The largest allowed numbers, with one window or none.
  EXPECT_EQ(infer({.stride = kMost, .pad_high = kMost - 4})->ToString(), "f32[1]");
  EXPECT_EQ(infer({.size = kMost})->ToString(), "f32[0]");
  EXPECT_EQ(infer({.size = 2, .window_dilation = kMost - 1})->ToString(), "f32[0]");
}

TEST(VerifierTest, WindowsOfTooManyElements) {
  Graph g;
  Instruction* p = g.Param(Shape::Array(ElementType::kF32, {1, 1, 1}));
  Instruction* zero = g.Const(F32({}, {0}));
  const WindowDim dim{.size = 1 << 30, .pad_low = 1 << 30};
  auto shape =
      g.Infer(Opcode::kReduceWindow, {p, zero}, Attrs({{Attr::kWindow, Window{{dim, dim, dim}}}}),
              {g.Body2(Opcode::kAdd, ElementType::kF32)});
  ASSERT_FALSE(shape.ok());
  EXPECT_NE(shape.status().message().find("more than 2^60 elements"), absl::string_view::npos);
}

TEST(VerifierTest, PaddingThatOverflows) {
  Graph g;
  Instruction* p = g.Param(Shape::Array(ElementType::kF32, {1}));
  Instruction* zero = g.Const(F32({}, {0}));
  auto infer = [&](PaddingDim dim) {
    return g.Infer(Opcode::kPad, {p, zero}, Attrs({{Attr::kPadding, PaddingConfig{dim}}}));
  };
  EXPECT_FALSE(infer({.low = INT64_MIN, .high = INT64_MAX}).ok());
  EXPECT_FALSE(infer({.low = INT64_MAX, .high = -INT64_MAX}).ok());
  EXPECT_FALSE(infer({.interior = INT64_MAX}).ok());  // one element, no holes, yet a step of 2^63
  EXPECT_EQ(infer({.low = int64_t{1} << 40, .high = -(int64_t{1} << 40)})->ToString(), "f32[1]");
}

TEST(VerifierTest, AttributesOfTheRowOnly) {
  Graph g;
  Instruction* a = g.Op(Opcode::kNegate, {g.Param(kVector)});
  a->attrs.Set(Attr::kSharding, std::string("{replicated}"));
  EXPECT_TRUE(VerifyModule(g.module).ok());
  a->attrs.Set(Attr::kDimensions, Ints{0});
  ExpectError(g.module, "no attribute dimensions");
}

TEST(VerifierTest, SizesAndLayouts) {
  Graph g;
  Instruction* p = g.Param(Shape::Array(ElementType::kF32, {int64_t{1} << 62}));
  g.current->set_root(p);
  ExpectError(g.module, "does not fit 64 bits");
  p->shape = Shape::ArrayWithLayout(ElementType::kF32, {2, 3}, {0, 0});
  ExpectError(g.module, "layout");
  p->shape = Shape::ArrayWithLayout(ElementType::kF32, {2, 3}, {0, 1});
  EXPECT_TRUE(VerifyModule(g.module).ok());
}

TEST(VerifierTest, LayoutsDoNotMatterToTypes) {
  Graph g;
  Instruction* p = g.Param(Shape::ArrayWithLayout(ElementType::kF32, {2, 3}, {0, 1}));
  Instruction* q = g.Param(Shape::Array(ElementType::kF32, {2, 3}));
  g.Op(Opcode::kAdd, {p, q});
  EXPECT_TRUE(VerifyModule(g.module).ok()) << VerifyModule(g.module);
}

TEST(VerifierTest, Aliases) {
  Graph g;
  g.Op(Opcode::kTuple, {g.Param(kVector), g.Param(kScalar)});
  g.module.aliases = {{.result_leaf = 0, .parameter_number = 0}};
  EXPECT_TRUE(VerifyModule(g.module).ok());
  g.module.aliases = {{.result_leaf = 1, .parameter_number = 0}};
  ExpectError(g.module, "input_output_alias");
  g.module.aliases = {{.result_leaf = 5, .parameter_number = 0}};
  ExpectError(g.module, "input_output_alias");
  g.module.aliases.clear();
  g.module.donors = {2};
  ExpectError(g.module, "no parameter 2");
}

}  // namespace
}  // namespace halyard::hlo
