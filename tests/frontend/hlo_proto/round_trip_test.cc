// Text → message → module → text: every op of the table, and the parts of the module itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/op_lines.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_proto {
namespace {

using hlo::Attr;
using hlo_text::kOpLines;
using hlo_text::OneOp;
using hlo_text::Print;
using hlo_text::Program;

std::unique_ptr<hlo::Module> FromText(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(text, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status().message() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

std::unique_ptr<hlo::Module> ThroughProto(const hlo::Module& module) {
  absl::StatusOr<std::string> bytes = ToHloProto(module);
  EXPECT_TRUE(bytes.ok()) << bytes.status().message();
  if (!bytes.ok()) return nullptr;
  absl::StatusOr<std::unique_ptr<hlo::Module>> read = ParseHloProto(*bytes, "test.pb");
  EXPECT_TRUE(read.ok()) << read.status().message() << "\n" << Print(module);
  if (!read.ok()) return nullptr;
  return *std::move(read);
}

// Returns the module that the message gives. Its text must be that of the original module, and must
// in turn give the same module again.
std::unique_ptr<hlo::Module> RoundTrip(absl::string_view text) {
  std::unique_ptr<hlo::Module> module = FromText(text);
  if (module == nullptr) return nullptr;
  std::unique_ptr<hlo::Module> read = ThroughProto(*module);
  if (read == nullptr) return nullptr;
  EXPECT_EQ(Print(*read), Print(*module));
  EXPECT_EQ(ToHloProto(*read).value_or(""), ToHloProto(*module).value_or("none"));
  std::unique_ptr<hlo::Module> reread = FromText(Print(*read));
  if (reread == nullptr) return nullptr;
  EXPECT_EQ(Print(*reread), Print(*read));
  return read;
}

TEST(RoundTrip, OpsWithAttributes) {
  for (absl::string_view line : kOpLines) RoundTrip(OneOp(line));
}

bool RoundTripPlain(const hlo::OpRow& row) {
  bool any = false;
  for (absl::string_view type : {"f32", "s32", "u8", "pred", "c64"}) {
    for (absl::string_view result : {"f32", "s32", "u8", "pred", "c64"}) {
      std::string text =
          Program(absl::StrCat("  %x = ", type, "[3] parameter(0)\n  ROOT %r = ", result, "[3] ",
                               row.hlo_name, "(%x", row.min_operands == 2 ? ", %x" : "", ")\n"));
      if (!hlo_text::ParseModule(text, "test.hlo").ok()) continue;
      RoundTrip(text);
      any = true;
    }
  }
  return any;
}

TEST(RoundTrip, EveryOpOfTheTable) {
  for (const hlo::OpRow& row : hlo::AllOps()) {
    // Messages cannot hold quantized types.
    if (row.opcode == hlo::Opcode::kUniformQuantize ||
        row.opcode == hlo::Opcode::kUniformDequantize) {
      continue;
    }
    std::string call = absl::StrCat(" ", row.hlo_name, "(");
    bool listed = std::any_of(
        std::begin(kOpLines), std::end(kOpLines),
        [&](absl::string_view line) { return line.find(call) != absl::string_view::npos; });
    bool plain = row.min_operands >= 1 && row.min_operands <= 2 && row.required.empty();
    EXPECT_TRUE(listed || (plain && RoundTripPlain(row))) << row.hlo_name;
  }
}

const hlo::Instruction* Find(const hlo::Module& module, absl::string_view name) {
  for (const auto& inst : module.entry()->instructions()) {
    if (inst->name == name) return inst.get();
  }
  ADD_FAILURE() << "no " << name;
  return nullptr;
}

TEST(RoundTrip, EverythingInOneModule) {
  std::unique_ptr<hlo::Module> module = FromText(hlo_text::kEverything);
  ASSERT_NE(module, nullptr);
  std::unique_ptr<hlo::Module> read = ThroughProto(*module);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->name(), "jit_f.3");
  EXPECT_EQ(read->num_replicas, 4);
  EXPECT_EQ(read->num_partitions, 2);
  ASSERT_EQ(read->aliases.size(), 2u);
  EXPECT_EQ(read->aliases[1].result_leaf, 1);
  EXPECT_EQ(read->aliases[1].parameter_number, 1);
  EXPECT_FALSE(read->aliases[0].must);
  EXPECT_TRUE(read->aliases[1].must);
  EXPECT_EQ(read->donors, std::vector<int64_t>({2}));
  EXPECT_EQ(Find(*read, "x")->GetString(Attr::kSharding), "{devices=[2,1]0,1}");
  EXPECT_EQ(Find(*read, "wide")->GetString(Attr::kFrontendAttributes), R"({a="}",b="\"{"})");
  EXPECT_EQ(Find(*read, "loop")->GetInt(Attr::kKnownTripCount), 7);
  EXPECT_EQ(Find(*read, "call")->GetString(Attr::kCustomCallTarget), "my\"target");
  EXPECT_EQ(Find(*read, "call")->GetString(Attr::kBackendConfig), "{uplo = 76 : ui8}");
  hlo_text::PrintOptions canonical{.canonical = true};
  EXPECT_EQ(Print(*read, canonical), Print(*module, canonical));
}

TEST(RoundTrip, Provenance) {
  std::unique_ptr<hlo::Module> module = FromText(hlo_text::kEverything);
  ASSERT_NE(module, nullptr);
  std::unique_ptr<hlo::Module> read = ThroughProto(*module);
  ASSERT_NE(read, nullptr);
  const hlo::Provenance& sum = Find(*read, "sum.1")->provenance;
  EXPECT_EQ(sum.op_names, std::vector<std::string>({"jit(f)/add"}));
  ASSERT_EQ(sum.locations.size(), 2u);
  EXPECT_EQ(sum.Place(), "test.pb");
  EXPECT_EQ(sum.locations[1], (hlo::SourceLocation{"a b.py", 7, 0}));
  const hlo::Provenance& rows = Find(*read, "rows")->provenance;
  ASSERT_EQ(rows.locations.size(), 2u);
  EXPECT_EQ(rows.locations[1], (hlo::SourceLocation{"model.py", 11, 23}));
}

// Newer versions of XLA store source locations in tables of the module. This test does so for
// `sum.1`.
TEST(RoundTrip, StackFrames) {
  std::unique_ptr<hlo::Module> module = FromText(hlo_text::kEverything);
  ASSERT_NE(module, nullptr);
  wire::HloModuleProto proto;
  ASSERT_TRUE(proto.ParseFromString(ToHloProto(*module).value_or("")));
  wire::StackFrameIndexProto* tables = proto.mutable_stack_frame_index();
  tables->add_file_names("other.py");
  tables->add_file_names("model.py");
  wire::StackFrameIndexProto::FileLocation* location = tables->add_file_locations();
  location->set_file_name_id(2);
  location->set_line(40);
  location->set_column(5);
  tables->add_stack_frames()->set_file_location_id(1);
  tables->add_stack_frames()->set_file_location_id(9);  // there is no such location
  auto place_with_frame = [&](int id) -> std::vector<hlo::SourceLocation> {
    for (wire::HloComputationProto& computation : *proto.mutable_computations()) {
      for (wire::HloInstructionProto& inst : *computation.mutable_instructions()) {
        if (inst.name() != "sum.1") continue;
        inst.mutable_metadata()->clear_source_file();
        inst.mutable_metadata()->set_stack_frame_id(id);
      }
    }
    absl::StatusOr<std::unique_ptr<hlo::Module>> read =
        ParseHloProto(proto.SerializeAsString(), "test.pb");
    EXPECT_TRUE(read.ok()) << read.status().message();
    if (!read.ok()) return {};
    return Find(**read, "sum.1")->provenance.locations;
  };
  std::vector<hlo::SourceLocation> places = place_with_frame(1);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1], (hlo::SourceLocation{"model.py", 40, 5}));
  for (int id : {-1, 0, 2, 3, 1 << 30}) EXPECT_EQ(place_with_frame(id).size(), 1u);
}

TEST(RoundTrip, LayoutsOfTheEntry) {
  std::unique_ptr<hlo::Module> read =
      RoundTrip(Program("  %x = f32[2,3]{0,1} parameter(0)\n"
                        "  ROOT %r = f32[3,2]{0,1} transpose(%x), dimensions={1,0}\n"));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->entry()->parameters()[0]->shape.minor_to_major(), hlo::Ints({0, 1}));
  EXPECT_EQ(read->entry()->root()->shape.minor_to_major(), hlo::Ints({0, 1}));
}

TEST(RoundTrip, DefaultsMayGo) {
  std::unique_ptr<hlo::Module> module =
      FromText(OneOp("pred[4] compare(%x, %x), direction=GE, type=FLOAT"));
  ASSERT_NE(module, nullptr);
  std::unique_ptr<hlo::Module> read = ThroughProto(*module);
  ASSERT_NE(read, nullptr);
  EXPECT_FALSE(read->entry()->root()->Has(Attr::kType));
}

TEST(RoundTrip, NestedAliases) {
  std::unique_ptr<hlo::Module> read = RoundTrip(
      "HloModule m, input_output_alias={ {1,0}: (0, {1}, must-alias) }, buffer_donor={ (0, {}) }\n"
      "ENTRY main {\n  p = (s32[], f32[2]) parameter(0)\n"
      "  a = s32[] get-tuple-element(p), index=0\n  b = f32[2] get-tuple-element(p), index=1\n"
      "  t = (f32[2]) tuple(b)\n  ROOT r = (s32[], (f32[2])) tuple(a, t)\n}\n");
  ASSERT_NE(read, nullptr);
  ASSERT_EQ(read->aliases.size(), 1u);
  EXPECT_EQ(read->aliases[0].result_leaf, 1);
  EXPECT_EQ(read->aliases[0].parameter_leaf, 1);
  EXPECT_TRUE(read->aliases[0].must);
}

TEST(RoundTrip, TextInMessages) {
  std::unique_ptr<hlo::Module> module = FromText(hlo_text::kEverything);
  ASSERT_NE(module, nullptr);
  absl::StatusOr<std::string> bytes = ToHloProto(*module);
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(IsHloProto(*bytes, "a"));
  EXPECT_TRUE(IsHloProto("", "a.hlo.pb"));
  EXPECT_FALSE(IsHloProto(hlo_text::kEverything, "a"));
  EXPECT_FALSE(IsHloProto("\nHloModule m\n", "a.txt"));
}

// The device assignment names each process.
TEST(RoundTrip, GridsThatNoMessageHolds) {
  const std::unique_ptr<hlo::Module> module =
      FromText("HloModule m\nENTRY e { ROOT x = f32[2] parameter(0) }");
  ASSERT_NE(module, nullptr);
  for (const auto& [replicas, partitions] : std::vector<std::pair<int64_t, int64_t>>{
           {274177, 67280421310721}, {1000000000, 1000000000}, {1, (int64_t{1} << 29) + 1}}) {
    module->num_replicas = replicas;
    module->num_partitions = partitions;
    EXPECT_EQ(ToHloProto(*module).status().code(), absl::StatusCode::kResourceExhausted);
  }
  module->num_replicas = 2;
  module->num_partitions = 2048;  // more than run here
  EXPECT_EQ(ThroughProto(*module)->num_partitions, 2048);
}

}  // namespace
}  // namespace halyard::hlo_proto
