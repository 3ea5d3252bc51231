// Malformed messages must give an error with its place, and never crash.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "absl/strings/match.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/op_lines.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_proto {
namespace {

using wire::HloInstructionProto;
using wire::HloModuleProto;

constexpr absl::string_view kProgram = R"(HloModule m, input_output_alias={ {}: (0, {}) }
%less (a: s32[]) -> pred[] {
  %a = s32[] parameter(0)
  ROOT %lt = pred[] compare(%a, %a), direction=LT
}
%same (b: s32[]) -> s32[] {
  ROOT %b = s32[] parameter(0)
}
ENTRY %main (x: s32[]) -> s32[] {
  %x = s32[] parameter(0)
  %one = s32[] constant(1)
  %image = f32[1,4,4,2] constant({...})
  %sum = s32[] add(%x, %one)
  ROOT %loop = s32[] while(%sum), condition=%less, body=%same
}
)";

std::string BytesOf(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(text, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status().message();
  if (!module.ok()) return "";
  absl::StatusOr<std::string> bytes = ToHloProto(**module);
  EXPECT_TRUE(bytes.ok());
  return bytes.value_or("");
}

std::string Program() {
  std::string text(kProgram);
  size_t at = text.find("  %image");
  text.erase(at, text.find('\n', at) + 1 - at);
  return BytesOf(text);
}

HloModuleProto ProgramProto() {
  HloModuleProto proto;
  EXPECT_TRUE(proto.ParseFromString(Program()));
  return proto;
}

std::string ErrorOf(absl::string_view bytes) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseHloProto(bytes, "a.pb");
  return module.ok() ? "no error" : std::string(module.status().message());
}

// Returns `%loop`, number 6, which is instruction 3 of the entry.
HloInstructionProto* Loop(HloModuleProto* proto) {
  return proto->mutable_computations(2)->mutable_instructions(3);
}
HloInstructionProto* Sum(HloModuleProto* proto) {
  return proto->mutable_computations(2)->mutable_instructions(2);
}
HloInstructionProto* One(HloModuleProto* proto) {
  return proto->mutable_computations(2)->mutable_instructions(1);
}

struct Case {
  std::function<void(HloModuleProto*)> damage;
  absl::string_view error;
};

TEST(Malformed, NamesItsPlace) {
  constexpr absl::string_view kSum = "a.pb: error: computation main: add sum (number 6): ";
  constexpr absl::string_view kLoop = "a.pb: error: computation main: while loop (number 7): ";
  constexpr absl::string_view kOne = "a.pb: error: computation main: constant one (number 5): ";
  const Case cases[] = {
      {[](auto* p) { Sum(p)->set_operand_ids(1, 99); }, "operand number 99 is no instruction"},
      {[](auto* p) { Sum(p)->set_operand_ids(1, 6); }, "operand number 6 is no instruction"},
      {[](auto* p) { Sum(p)->set_operand_ids(1, 7); }, "operand number 7 is no instruction"},
      {[](auto* p) { Sum(p)->set_operand_ids(1, 1); }, "operand number 1 is no instruction"},
      {[](auto* p) { Sum(p)->set_id(5); }, "the number is used twice"},
      {[](auto* p) { Sum(p)->set_opcode("recv-start"); }, "unknown or not supported"},
      {[](auto* p) { Sum(p)->mutable_shape()->set_element_type(wire::OPAQUE_TYPE); },
       "shape: element type 14 is unknown"},
      {[](auto* p) { Sum(p)->mutable_shape()->add_dimensions(-1); }, "size -1 is negative"},
      {[](auto* p) {
         Sum(p)->mutable_shape()->add_dimensions(int64_t{1} << 40);
         Sum(p)->mutable_shape()->add_dimensions(int64_t{1} << 40);
       },
       "does not fit 64 bits"},
      {[](auto* p) {
         for (int i = 0; i < 256; ++i) Sum(p)->mutable_shape()->add_dimensions(1);
       },
       "more than 255 dimensions"},
      {[](auto* p) { Sum(p)->mutable_shape()->mutable_layout()->add_minor_to_major(0); },
       "layout is no permutation of the 0 dimensions"},
      {[](auto* p) {
         Sum(p)->mutable_shape()->add_dimensions(4);
         Sum(p)->mutable_shape()->add_is_dynamic_dimension(true);
       },
       "the result must be s32[], is s32[<=4]"},
      {[](auto* p) {
         Sum(p)->mutable_shape()->add_dimensions(-5);
         Sum(p)->mutable_shape()->add_is_dynamic_dimension(true);
       },
       "dimension size -5 is negative"},
      {[](auto* p) { Sum(p)->add_called_computation_ids(1); }, "calls 1 computations, not 0"},
      {[](auto* p) { Loop(p)->set_called_computation_ids(0, 3); },
       "calls computation number 3, which does not come before its own"},
      {[](auto* p) { Loop(p)->clear_called_computation_ids(); }, "calls 0 computations, not 2"},
      {[](auto* p) { One(p)->mutable_literal()->add_s32s(3); }, "literal: 2 elements for s32[]"},
      {[](auto* p) { One(p)->clear_literal(); }, "shape: element type 0"},
      {[](auto* p) {
         One(p)->mutable_shape()->add_dimensions(int64_t{1} << 50);
         *One(p)->mutable_literal()->mutable_shape() = One(p)->shape();
       },
       "literal: 1 elements for s32[1125899906842624]"},
      {[](auto* p) { (*Sum(p)->mutable_frontend_attributes()->add_map()).set_key("halyard.k"); },
       "frontend attribute halyard.k: no attribute of the op"},
      {[](auto* p) {
         HloInstructionProto* lt = p->mutable_computations(0)->mutable_instructions(1);
         lt->set_comparison_direction("a b");
       },
       "computation less: compare lt (number 2): direction: not a word"},
      {[](auto* p) {
         p->mutable_computations(2)->mutable_instructions(0)->set_parameter_number(int64_t{1}
                                                                                   << 40);
       },
       "parameter x (number 4): parameter number 1099511627776 is out of range"},
      {[](auto* p) { p->mutable_computations(2)->set_root_id(2); },
       "computation main: the root is number 2, which is no instruction of the computation"},
      {[](auto* p) { p->mutable_computations(2)->set_id(1); }, "number 1 is taken"},
      {[](auto* p) { p->mutable_computations(1)->clear_instructions(); }, "has no instructions"},
      {[](auto* p) {
         p->set_entry_computation_id(9);
         p->clear_entry_computation_name();
       },
       "a.pb: error: the entry is computation number 9"},
      {[](auto* p) { p->mutable_host_program_shape()->clear_parameters(); },
       "the program's shape has 0 parameters, the entry 1"},
      {[](auto* p) {
         p->mutable_input_output_alias()->mutable_entries(0)->add_output_shape_index(0);
       },
       "input_output_alias names no array"},
      {[](auto* p) { p->mutable_buffer_donor()->add_entries()->set_parameter_number(8); },
       "no parameter 8 to donate"},
      {[](auto* p) { p->mutable_device_assignment()->set_replica_count(-1); }, "device_assignment"},
      {[](auto* p) { p->clear_computations(); }, "a.pb: error: the module has no computation"},
      {[](auto* p) { Sum(p)->mutable_shape()->add_dimensions(3); }, "add sum: "},
  };
  for (const Case& c : cases) {
    HloModuleProto proto = ProgramProto();
    c.damage(&proto);
    std::string error = ErrorOf(proto.SerializeAsString());
    EXPECT_TRUE(absl::StrContains(error, c.error)) << error << "\nwanted: " << c.error;
    EXPECT_TRUE(absl::StartsWith(error, "a.pb: error: ")) << error;
  }
  auto error_after = [](auto damage) {
    HloModuleProto proto = ProgramProto();
    damage(&proto);
    return ErrorOf(proto.SerializeAsString());
  };
  EXPECT_TRUE(absl::StartsWith(error_after([](auto* p) { Sum(p)->set_operand_ids(1, 99); }), kSum));
  EXPECT_TRUE(absl::StartsWith(error_after([](auto* p) { Loop(p)->set_opcode("x"); }),
                               "a.pb: error: computation main: x loop (number 7): "));
  EXPECT_TRUE(absl::StartsWith(
      error_after([](auto* p) { Loop(p)->clear_called_computation_ids(); }), kLoop));
  EXPECT_TRUE(absl::StartsWith(error_after([](auto* p) { One(p)->clear_literal(); }), kOne));
}

TEST(Malformed, Convolution) {
  HloModuleProto proto;
  ASSERT_TRUE(proto.ParseFromString(BytesOf(
      hlo_text::OneOp("f32[2,8,8,6] convolution(%image, %filter), window={size=3x3 pad=1_1x1_1}, "
                      "dim_labels=b01f_01io->b01f, feature_group_count=2"))));
  HloInstructionProto* root = proto.mutable_computations(proto.computations_size() - 1)
                                  ->mutable_instructions()
                                  ->rbegin()
                                  .
                                  operator->();
  ASSERT_EQ(root->opcode(), "convolution");
  auto* dims = root->mutable_convolution_dimension_numbers();
  dims->set_input_batch_dimension(1000);
  EXPECT_TRUE(absl::StrContains(ErrorOf(proto.SerializeAsString()), "dim_labels: these are no"));
  dims->set_input_batch_dimension(0);
  root->mutable_window()->mutable_dimensions(0)->set_stride(0);
  EXPECT_TRUE(absl::StrContains(ErrorOf(proto.SerializeAsString()), "convolution r: C"));
}

TEST(Malformed, NoMessage) {
  EXPECT_EQ(ErrorOf(""), "a.pb: error: the module has no computation");
  EXPECT_TRUE(absl::StrContains(ErrorOf("\xff\xff\xff\xff"), "the bytes are no message"));
  EXPECT_TRUE(absl::StrContains(ErrorOf("HloModule m"), "a.pb: error: "));
}

TEST(Malformed, InsideOfOthers) {
  wire::HloProto outer;
  *outer.mutable_hlo_module() = ProgramProto();
  wire::HloSnapshot snapshot;
  *snapshot.mutable_hlo() = outer;
  for (const std::string& bytes : {outer.SerializeAsString(), snapshot.SerializeAsString()}) {
    absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseHloProto(bytes, "a.pb");
    ASSERT_TRUE(module.ok()) << module.status().message();
    EXPECT_EQ((*module)->name(), "m");
  }
}

// Returns a module of many ops, so that damage hits every kind of field.
std::string ManyOps() {
  std::string body(hlo_text::kOpParameters);
  int count = 0;
  for (absl::string_view line : hlo_text::kOpLines) {
    if (absl::StrContains(line, " parameter(")) continue;
    absl::StrAppend(&body, "  %op", count++, " = ", line, "\n");
  }
  return BytesOf(hlo_text::Program(body, hlo_text::kOpComputations));
}

TEST(Malformed, CutAnywhere) {
  std::string bytes = Program();
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string error = ErrorOf(absl::string_view(bytes).substr(0, size));
    // Fields after the computations are optional, so the rest can be a complete module.
    EXPECT_TRUE(error == "no error" || absl::StartsWith(error, "a.pb: ")) << error;
  }
}

TEST(Malformed, RandomDamage) {
  const std::string bytes = ManyOps();
  ASSERT_GT(bytes.size(), 5000u);
  ASSERT_EQ(ErrorOf(bytes), "no error");
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string damaged = bytes;
    for (int n = 1 + static_cast<int>(random() % 4); n > 0; --n) {
      char& at = damaged[random() % damaged.size()];
      at = random() % 2 == 0 ? static_cast<char>(at ^ (1 << random() % 8))
                             : static_cast<char>(random());
    }
    absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseHloProto(damaged, "a.pb");
    if (!module.ok()) {
      EXPECT_TRUE(absl::StartsWith(module.status().message(), "a.pb: ")) << module.status();
      continue;
    }
    ++read;
    EXPECT_TRUE(ToHloProto(**module).ok());
    EXPECT_FALSE(hlo_text::Print(**module).empty());
  }
  EXPECT_GT(read, 100);  // damage to names and unused numbers does no harm
}

TEST(Malformed, DeeplyNestedTuples) {
  HloModuleProto proto = ProgramProto();
  wire::ShapeProto* shape = Sum(&proto)->mutable_shape();
  for (int i = 0; i < 10000; ++i) {
    shape->Clear();
    shape->set_element_type(wire::TUPLE);
    shape = shape->add_tuple_shapes();
  }
  EXPECT_TRUE(absl::StrContains(ErrorOf(proto.SerializeAsString()), "the bytes are no message"));
}

TEST(Malformed, CallsNestedTooDeep) {
  std::string text = "HloModule m\nc0 { ROOT p = s32[] parameter(0) }\n";
  for (int i = 1; i < 500; ++i) {
    absl::StrAppend(&text, "c", i, " { q = s32[] parameter(0)\n ROOT r = s32[] call(q), to_apply=c",
                    i - 1, " }\n");
  }
  absl::StrAppend(&text,
                  "ENTRY e { q = s32[] parameter(0)\n"
                  " ROOT r = s32[] call(q), to_apply=c499 }\n");
  HloModuleProto proto;
  ASSERT_TRUE(proto.ParseFromString(BytesOf(text)));
  for (int i = 0; i < 20; ++i) {
    wire::HloComputationProto* next = proto.add_computations();
    *next = proto.computations(499);
    next->set_id(600 + i);
    next->mutable_instructions(1)->set_called_computation_ids(
        0, proto.computations(proto.computations_size() - 2).id());
  }
  EXPECT_TRUE(absl::StrContains(ErrorOf(proto.SerializeAsString()), "more than 512 deep"));
}

}  // namespace
}  // namespace halyard::hlo_proto
