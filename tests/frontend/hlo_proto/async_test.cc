// Asynchronous pairs in messages: what they become, and which are wrong.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"

namespace halyard::hlo_proto {
namespace {

using wire::HloInstructionProto;
using wire::HloModuleProto;

constexpr absl::string_view kProgram = R"(HloModule m, replica_count=2
ENTRY %main (x: f32[4]) -> f32[8] {
  %x = f32[4] parameter(0)
  %s = f32[8] all-gather(%x), dimensions={0}, replica_groups={{0,1}}
  %w = f32[8] copy(%s)
  ROOT %n = f32[8] negate(%w)
}
)";

HloInstructionProto* At(HloModuleProto* proto, int i) {
  return proto->mutable_computations(0)->mutable_instructions(i);
}

// Makes a pair of the gather and the copy.
HloModuleProto Pair() {
  auto module = hlo_text::ParseModule(kProgram, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  absl::StatusOr<std::string> bytes = ToHloProto(**module);
  EXPECT_TRUE(bytes.ok());
  HloModuleProto proto;
  EXPECT_TRUE(proto.ParseFromString(*bytes));
  const wire::ShapeProto operand = At(&proto, 0)->shape(), result = At(&proto, 1)->shape();
  wire::ShapeProto* shape = At(&proto, 1)->mutable_shape();
  shape->Clear();
  shape->set_element_type(wire::TUPLE);
  *shape->add_tuple_shapes() = operand;
  *shape->add_tuple_shapes() = result;
  At(&proto, 1)->set_opcode("all-gather-start");
  At(&proto, 2)->set_opcode("all-gather-done");
  return proto;
}

// Returns the module as text, or the error.
std::string Read(const HloModuleProto& proto) {
  auto module = ParseHloProto(proto.SerializeAsString(), "a.pb");
  return module.ok() ? hlo_text::Print(**module) : std::string(module.status().message());
}

TEST(Async, APairIsItsOp) {
  const std::string text = Read(Pair());
  EXPECT_NE(text.find("%s = f32[8] all-gather(%x)"), std::string::npos) << text;
  EXPECT_NE(text.find("negate(%s)"), std::string::npos) << text;
  EXPECT_EQ(text.find("copy"), std::string::npos) << text;
}

TEST(Async, WrongPairs) {
  const struct {
    std::function<void(HloModuleProto*)> damage;
    std::string error;
  } cases[] = {
      {[](auto* p) { At(p, 2)->set_operand_ids(0, At(p, 0)->id()); },
       "is no asynchronous start before it"},
      {[](auto* p) { At(p, 2)->clear_operand_ids(); }, "needs one asynchronous start"},
      {[](auto* p) { At(p, 2)->set_opcode("all-reduce-done"); },
       "is the start of another op: all-gather"},
      {[](auto* p) { At(p, 3)->set_operand_ids(0, At(p, 1)->id()); },
       "is no instruction before it in the same computation"},
      {[](auto* p) {
         At(p, 3)->set_opcode("all-gather-done"), At(p, 3)->set_operand_ids(0, At(p, 1)->id());
       },
       "has been used already"},
      {[](auto* p) { *At(p, 2)->mutable_shape() = At(p, 0)->shape(); },
       "the result must be f32[8], is f32[4]"},
      {[](auto* p) { *At(p, 1)->mutable_shape() = At(p, 0)->shape(); },
       "the shape of an asynchronous start must be a tuple"},
      {[](auto* p) { At(p, 2)->set_opcode("copy"), At(p, 2)->set_operand_ids(0, At(p, 0)->id()); },
       "has no done"},
      {[](auto* p) { At(p, 2)->set_id(At(p, 1)->id()); }, "the number is used twice"},
  };
  for (const auto& [damage, error] : cases) {
    HloModuleProto proto = Pair();
    damage(&proto);
    const std::string got = Read(proto);
    EXPECT_NE(got.find(error), std::string::npos) << error << "\n" << got;
  }
}

}  // namespace
}  // namespace halyard::hlo_proto
