// HLO written as StableHLO must read back as a program that computes the same.
#include "frontend/stablehlo/write/write.h"

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "tests/frontend/stablehlo/programs.h"

namespace halyard::stablehlo {
namespace {

// Returns the module's StableHLO text, or the error.
std::string Written(const hlo::Module& module, const mlir::PrintOptions& options = {}) {
  auto document = WriteStableHlo(module);
  if (!document.ok()) return std::string(document.status().message());
  return PrintStableHlo(**document, options);
}

std::string WrittenText(const std::string& hlo) {
  auto module = hlo_text::ParseModule(hlo, "p.hlo");
  return module.ok() ? Written(**module) : std::string(module.status().message());
}

absl::StatusOr<hlo::Literal> Evaluate(const hlo::Module& module,
                                      const std::vector<hlo::Literal>& arguments) {
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 10000;
  return evaluator.Run(module, arguments);
}

// Unpacks a tuple of one result, because StableHLO does not distinguish it from the result alone.
hlo::Literal Unpacked(const hlo::Literal& literal) {
  const bool single = literal.shape().IsTuple() && literal.elements().size() == 1;
  return single ? literal.elements()[0] : literal;
}

// Writes, reads and writes the module again, with the same text, and evaluates both on `arguments`.
void ExpectSame(const hlo::Module& module, const std::vector<hlo::Literal>& arguments,
                const std::string& name) {
  const std::string text = Written(module);
  auto read = ParseStableHlo(text, name);
  ASSERT_TRUE(read.ok()) << name << ": " << read.status() << "\n" << text.substr(0, 2000);
  EXPECT_EQ((*read)->aliases.size(), module.aliases.size()) << name;
  EXPECT_EQ((*read)->donors, module.donors) << name;
  EXPECT_EQ((*read)->num_replicas, module.num_replicas) << name;
  const std::string again = Written(**read);
  auto reread = ParseStableHlo(again, name);
  ASSERT_TRUE(reread.ok()) << name << ": " << reread.status();
  EXPECT_EQ(hlo_text::Print(**reread, {.canonical = true}),
            hlo_text::Print(**read, {.canonical = true}))
      << name;
  auto want = Evaluate(module, arguments);
  if (!want.ok()) return;  // a collective or custom call: only its text is compared
  auto got = Evaluate(**read, arguments);
  ASSERT_TRUE(got.ok()) << name << ": " << got.status();
  EXPECT_TRUE(Unpacked(*got).BitwiseEqual(Unpacked(*want))) << name;
}

void ExpectSameOnRandom(const hlo::Module& module, const std::string& name) {
  std::mt19937 random(11);
  std::vector<hlo::Literal> arguments;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(RandomLiteral(parameter->shape, random));
  }
  ExpectSame(module, arguments, name);
}

// The evaluator is slow, so these tests only read and write large models. The fixtures' own tests
// run them.
bool IsLarge(const std::string& path) {
  return path.find("transformer") != std::string::npos || std::filesystem::file_size(path) > 400000;
}

TEST(Write, FixturesFromText) {
  int count = 0;
  for (const std::string& path : Files("tests/data/fixtures", ".hlo")) {
    if (IsLarge(path)) continue;
    ++count;
    auto module = hlo_text::ParseModule(ReadFile(path), path);
    ASSERT_TRUE(module.ok()) << module.status();
    ExpectSameOnRandom(**module, BaseName(path));
  }
  EXPECT_GE(count, 20);
}

TEST(Write, FixturesFromProto) {
  int count = 0;
  for (const std::string& path : Files("tests/data/fixtures", ".pb")) {
    if (IsLarge(path)) continue;
    ++count;
    auto module = hlo_proto::ParseHloProto(ReadFile(path), path);
    ASSERT_TRUE(module.ok()) << module.status();
    auto text_path = std::filesystem::path(path).replace_extension("").string();
    auto text_module = hlo_text::ParseModule(ReadFile(text_path), text_path);
    ASSERT_TRUE(text_module.ok()) << text_module.status();
    auto read = ParseStableHlo(Written(**module), path);
    ASSERT_TRUE(read.ok()) << read.status();
    auto text_read = ParseStableHlo(Written(**text_module), path);
    ASSERT_TRUE(text_read.ok()) << text_read.status();
    EXPECT_EQ(hlo_text::Print(**read, {.canonical = true}),
              hlo_text::Print(**text_read, {.canonical = true}))
        << path;
  }
  EXPECT_GE(count, 20);
}

TEST(Write, Vectors) {
  for (const Vector& vector : Vectors()) {
    const std::string name = absl::StrCat(vector.place, " ", vector.id);
    auto module = ParseStableHlo(vector.program, name);
    ASSERT_TRUE(module.ok()) << name << ": " << module.status();
    if (vector.replicas > 1) {
      ExpectSame(**module, {}, name);
    } else {
      ExpectSame(**module, vector.inputs, name);
    }
  }
}

TEST(Write, ProgramsOfAllConstraints) {
  for (const TestProgram& program : ConstraintPrograms()) {
    auto module = ParseStableHlo(program.text, program.name);
    ASSERT_TRUE(module.ok()) << program.name << ": " << module.status();
    const std::string text = Written(**module);
    auto read = ParseStableHlo(text, program.name);
    EXPECT_TRUE(read.ok()) << program.name << ": " << read.status() << "\n" << text;
  }
}

TEST(Write, TuplesAreTheirElements) {
  EXPECT_EQ(WrittenText(R"(HloModule m

f {
  a = f32[] parameter(0)
  t = (f32[], s32[2]) parameter(1)
  x = f32[] get-tuple-element(t), index=0
  s = f32[] add(a, x)
  ROOT r = (f32[], (f32[], s32[2])) tuple(s, t)
}

ENTRY e {
  p = (f32[], s32[2]) parameter(0)
  c = f32[] constant(2)
  call = (f32[], (f32[], s32[2])) call(c, p), to_apply=f
  i = (f32[], s32[2]) get-tuple-element(call), index=1
  y = s32[2] get-tuple-element(i), index=1
  z = f32[] get-tuple-element(call), index=0
  inner = (s32[2], f32[]) tuple(y, z)
  ROOT r = (f32[], (s32[2], f32[])) tuple(z, inner)
}
)"),
            R"(module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tuple<tensor<f32>, tensor<2xi32>>) -> (tensor<f32>, tuple<tensor<2xi32>, tensor<f32>>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0:2 = call @f(%cst, %arg0) : (tensor<f32>, tuple<tensor<f32>, tensor<2xi32>>) -> (tensor<f32>, tuple<tensor<f32>, tensor<2xi32>>)
    %1 = stablehlo.get_tuple_element %0#1[1] : (tuple<tensor<f32>, tensor<2xi32>>) -> tensor<2xi32>
    %2 = stablehlo.tuple %1, %0#0 : tuple<tensor<2xi32>, tensor<f32>>
    return %0#0, %2 : tensor<f32>, tuple<tensor<2xi32>, tensor<f32>>
  }
  func.func private @f(%arg0: tensor<f32>, %arg1: tuple<tensor<f32>, tensor<2xi32>>) -> (tensor<f32>, tuple<tensor<f32>, tensor<2xi32>>) {
    %0 = stablehlo.get_tuple_element %arg1[0] : (tuple<tensor<f32>, tensor<2xi32>>) -> tensor<f32>
    %1 = stablehlo.add %arg0, %0 : tensor<f32>
    return %1, %arg1 : tensor<f32>, tuple<tensor<f32>, tensor<2xi32>>
  }
}
)");
}

// This would take minutes if any step processed the whole tuple for each of its parts.
TEST(Write, TuplesOfManyParts) {
  constexpr int64_t kParts = 25000;
  hlo::Module module("many");
  hlo::Computation* main = module.AddComputation("main");
  module.set_entry(main);
  const hlo::Shape scalar = hlo::Shape::Scalar(hlo::ElementType::kF32);
  std::vector<hlo::Instruction*> parts;
  for (int64_t i = 0; i < kParts; ++i) {
    parts.push_back(main->Add(hlo::Opcode::kNegate, scalar, {main->AddParameter(i, scalar)}));
    module.aliases.push_back({.result_leaf = i, .parameter_number = i});
  }
  main->set_root(main->Add(hlo::Opcode::kTuple,
                           hlo::Shape::Tuple(std::vector<hlo::Shape>(kParts, scalar)), parts));
  auto read = ParseStableHlo(Written(module), "many");
  ASSERT_TRUE(read.ok()) << read.status();
  const hlo::Instruction& root = *(*read)->entry()->root();
  ASSERT_EQ(static_cast<int64_t>(root.operands.size()), kParts);
  EXPECT_EQ(root.operands.back()->opcode, hlo::Opcode::kNegate);
  ASSERT_EQ(static_cast<int64_t>((*read)->aliases.size()), kParts);
  EXPECT_EQ((*read)->aliases.back().result_leaf, kParts - 1);
}

TEST(Write, AliasesDonorsShardings) {
  EXPECT_EQ(
      WrittenText(
          R"(HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }

ENTRY e {
  a = f32[2] parameter(0), sharding={replicated}
  b = f32[2] parameter(1)
  c = f32[2] add(a, b)
  ROOT r = (f32[2], f32[2]) tuple(b, c)
}
)"),
      R"(module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 1 : i32}, %arg1: tensor<2xf32> {jax.buffer_donor = true}) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>
    return %arg1, %0 : tensor<2xf32>, tensor<2xf32>
  }
}
)");
}

TEST(Write, CustomCall) {
  const std::string text = WrittenText(R"(HloModule m

f {
  ROOT a = f32[] parameter(0)
}

ENTRY e {
  a = f32[2,3]{0,1} parameter(0)
  ROOT c = (f32[2,3]{0,1}, f32[]) custom-call(a), custom_call_target="my target", operand_layout_constraints={f32[2,3]{0,1}}, custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, backend_config={n = 3 : i64}, called_computations={f}, output_to_operand_aliasing={{0}: (0, {})}
}
)");
  EXPECT_NE(
      text.find(
          R"(stablehlo.custom_call @"my target"(%arg0) {api_version = 4 : i32, backend_config = {n = 3 : i64}, called_computations = [@f], has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<f32>))"),
      std::string::npos)
      << text;
}

TEST(Write, MetadataIsReadAgain) {
  const std::string text =
      R"(module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 {mhlo.frontend_attributes = {a = "x \22y\22", b.c = ""}, mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
)";
  auto module = ParseStableHlo(text, "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(Written(**module), text);
  auto reread = hlo_text::ParseModule(hlo_text::Print(**module), "p.hlo");
  ASSERT_TRUE(reread.ok()) << reread.status();
  EXPECT_EQ(Written(**reread), text);
}

// HLO has them as a frontend attribute of the start, and XLA writes them at the done as well.
TEST(Write, PairsOfTransfers) {
  const std::string text = WrittenText(R"(HloModule m, num_partitions=2

ENTRY e {
  x = f32[2] parameter(0)
  t = token[] after-all()
  s = (f32[2], u32[], token[]) send(x, t), channel_id=1, frontend_attributes={_xla_send_recv_pipeline="0",_xla_send_recv_source_target_pairs={{0,1},{1,0}}}
  d = token[] send-done(s), channel_id=1
  r = (f32[2], u32[], token[]) recv(d), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  e = (f32[2], token[]) recv-done(r), channel_id=1
  ROOT g = f32[2] get-tuple-element(e), index=0
}
)");
  for (const char* part : {"source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>",
                           "{mhlo.frontend_attributes = {_xla_send_recv_pipeline = \"0\"}}",
                           "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("_xla_send_recv_source"), std::string::npos) << text;
  auto read = ParseStableHlo(text, "p.mlir");
  ASSERT_TRUE(read.ok()) << read.status();
  int sends = 0;
  for (const auto& inst : (*read)->entry()->instructions()) {
    if (inst->opcode != hlo::Opcode::kSend && inst->opcode != hlo::Opcode::kSendDone) continue;
    ++sends;
    EXPECT_EQ(inst->GetString(hlo::Attr::kFrontendAttributes),
              "{_xla_send_recv_pipeline=\"0\",_xla_send_recv_source_target_pairs={{0,1},{1,0}}}");
  }
  EXPECT_EQ(sends, 2);
  EXPECT_EQ(Written(**read), text);
}

TEST(Write, EmptyPairsHaveTwoColumns) {
  const std::string text = WrittenText(R"(HloModule m

ENTRY e {
  x = f32[2] parameter(0)
  ROOT r = f32[2] collective-permute(x), source_target_pairs={}
}
)");
  EXPECT_NE(text.find("source_target_pairs = dense<> : tensor<0x2xi64>"), std::string::npos)
      << text;
  EXPECT_TRUE(ParseStableHlo(text, "p.mlir").ok());
}

TEST(Write, Locations) {
  auto module = hlo_text::ParseModule(R"(HloModule m

ENTRY e {
  a = f32[] parameter(0)
  ROOT b = f32[] negate(a), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=7}
}
)",
                                      "p.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string text = Written(**module, {.locations = true});
  EXPECT_NE(text.find(R"(loc("jit(f)/neg"(fused["p.hlo":5:8, "model.py":7:0])))"),
            std::string::npos)
      << text;
}

TEST(Write, WhatStableHloLacksIsAnError) {
  const auto error = [](const std::string& line) {
    return WrittenText("HloModule m\n\nENTRY e {\n  a = f32[4] parameter(0)\n  " + line + "\n}\n");
  };
  EXPECT_EQ(error("ROOT t = (f32[2], s32[2]) topk(a), k=2, largest=false"),
            "p.hlo:5:8: 'topk' (t): chlo.top_k gives the largest elements only");
  EXPECT_EQ(WrittenText("HloModule m\n\nENTRY e {\n  a = f32[2,3] parameter(0)\n"
                        "  ROOT t = f32[3,2]{0,1} bitcast(a)\n}\n"),
            "p.hlo:5:8: 'bitcast' (t): StableHLO has no bitcast that changes layout, or type and "
            "shape at once");
  EXPECT_EQ(error("ROOT b = f32[4] collective-broadcast(a), replica_groups={{0,1},{2}}"),
            "p.hlo:5:8: 'collective-broadcast' (b): groups of different sizes cannot be said in "
            "StableHLO");
}

}  // namespace
}  // namespace halyard::stablehlo
