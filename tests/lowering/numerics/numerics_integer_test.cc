// Tests integer and PRED ops against the reference semantics: all operands of the types of at most
// 8 bits, and corner cases and random bits of the others.
#include <gtest/gtest.h>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/scalar_functions.h"
#include "tests/lowering/numerics/harness.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::IntType;
using hlo::Opcode;

struct Unary {
  Opcode opcode;
  uint64_t (*oracle)(uint64_t, IntType);
  bool signed_only;
};
struct Binary {
  Opcode opcode;
  uint64_t (*oracle)(uint64_t, uint64_t, IntType);
};
const Unary kUnary[] = {
    {Opcode::kAbs, hlo::scalar::Abs::Int, true},
    {Opcode::kNegate, hlo::scalar::Negate::Int, false},
    {Opcode::kSign, hlo::scalar::Sign::Int, true},
    {Opcode::kNot, hlo::scalar::Not::Int, false},
    {Opcode::kPopcnt, hlo::scalar::Popcnt::Int, false},
    {Opcode::kClz, hlo::scalar::Clz::Int, false},
};
const Binary kBinary[] = {
    {Opcode::kAdd, hlo::scalar::Add::Int},
    {Opcode::kSubtract, hlo::scalar::Subtract::Int},
    {Opcode::kMultiply, hlo::scalar::Multiply::Int},
    {Opcode::kDivide, hlo::scalar::Divide::Int},
    {Opcode::kRemainder, hlo::scalar::Remainder::Int},
    {Opcode::kPower, hlo::scalar::Power::Int},
    {Opcode::kMaximum, hlo::scalar::Maximum::Int},
    {Opcode::kMinimum, hlo::scalar::Minimum::Int},
    {Opcode::kAnd, hlo::scalar::And::Int},
    {Opcode::kOr, hlo::scalar::Or::Int},
    {Opcode::kXor, hlo::scalar::Xor::Int},
    {Opcode::kShiftLeft, hlo::scalar::ShiftLeft::Int},
    {Opcode::kShiftRightArithmetic, hlo::scalar::ShiftRightArithmetic::Int},
    {Opcode::kShiftRightLogical, hlo::scalar::ShiftRightLogical::Int},
};
const ElementType kTypes[] = {ElementType::kS2,  ElementType::kS4,  ElementType::kS8,
                              ElementType::kS16, ElementType::kS32, ElementType::kS64,
                              ElementType::kU2,  ElementType::kU4,  ElementType::kU8,
                              ElementType::kU16, ElementType::kU32, ElementType::kU64};

uint64_t Extend(ElementType type, uint64_t stored) {
  const int shift = 64 - hlo::BitWidth(type);
  if (!hlo::IsSigned(type)) return stored << shift >> shift;
  return static_cast<uint64_t>(static_cast<int64_t>(stored << shift) >> shift);
}

IntType TypeOf(ElementType type) { return {hlo::BitWidth(type), hlo::IsSigned(type)}; }

Planes Operands(ElementType type) {
  Planes in(2);
  auto add = [&](uint64_t a, uint64_t b) {
    in[0].push_back(StoredInteger(type, a));
    in[1].push_back(StoredInteger(type, b));
  };
  if (hlo::BitWidth(type) <= 8) {
    for (uint64_t a : AllCodes(type)) {
      for (uint64_t b : AllCodes(type)) add(a, b);
    }
    return in;
  }
  std::vector<uint64_t> corners;
  for (int bit = 0; bit < hlo::BitWidth(type); ++bit) {
    for (uint64_t around : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}})
      corners.push_back((uint64_t{1} << bit) + around);
  }
  for (uint64_t small = 0; small < 5; ++small) corners.push_back(-small);
  for (uint64_t a : corners) {
    for (uint64_t b : corners) add(a, b);
  }
  for (int i = 0; i < 20000; ++i)
    add(Hash(2 * i), i % 2 ? Hash(2 * i + 1) : Hash(2 * i + 1) >> (Hash(i) & 63));
  return in;
}

std::vector<Device> TestDevices() {
  std::vector<Device> devices{BestX86()};
  for (const Device& device : Devices()) {
    if (device.gpu) devices.push_back(device);
  }
  return devices;
}

// Each op and type is a kernel, so GPUs are tested with one type of each kind.
bool Tested(const Device& device, ElementType type) {
  return !device.gpu || type == ElementType::kS4 || type == ElementType::kS8 ||
         type == ElementType::kU16 || type == ElementType::kS32 || type == ElementType::kU64 ||
         type == ElementType::kS64;
}

void ExpectEqual(const Device& device, Opcode opcode, ElementType type, const Planes& in,
                 const Planes& out, const std::function<uint64_t(size_t)>& oracle) {
  int wrong = 0;
  for (size_t i = 0; i < out[0].size() && wrong < 3; ++i) {
    const uint64_t want = oracle(i);
    if (out[0][i] == want) continue;
    ++wrong;
    ADD_FAILURE() << hlo::RowOf(opcode).hlo_name << " " << hlo::HloName(type) << " on "
                  << device.name << ": " << std::hex << in[0][i] << ", "
                  << (in.size() > 1 ? in[1][i] : 0) << " gives " << out[0][i] << ", not " << want;
  }
}

TEST(NumericsInteger, Binary) {
  for (const Device& device : TestDevices()) {
    for (ElementType type : kTypes) {
      if (!Tested(device, type)) continue;
      const Planes in = Operands(type);
      std::vector<Op> ops;
      for (const Binary& op : kBinary) ops.push_back(BinaryOp(op.opcode, type));
      const std::vector<Planes> out = RunOps(ops, device, in);
      for (size_t k = 0; k < ops.size(); ++k) {
        const Binary& op = kBinary[k];
        ExpectEqual(device, op.opcode, type, in, out[k], [&](size_t i) {
          return StoredInteger(
              type, op.oracle(Extend(type, in[0][i]), Extend(type, in[1][i]), TypeOf(type)));
        });
      }
    }
  }
}

TEST(NumericsInteger, Unary) {
  for (const Device& device : TestDevices()) {
    for (ElementType type : kTypes) {
      if (!Tested(device, type)) continue;
      const Planes in{Operands(type)[0]};
      std::vector<Unary> tested;
      std::vector<Op> ops;
      for (const Unary& op : kUnary) {
        if (op.signed_only && !hlo::IsSigned(type)) continue;
        tested.push_back(op);
        ops.push_back(UnaryOp(op.opcode, type));
      }
      const std::vector<Planes> out = RunOps(ops, device, in);
      for (size_t k = 0; k < ops.size(); ++k) {
        ExpectEqual(device, tested[k].opcode, type, in, out[k], [&](size_t i) {
          return StoredInteger(type, tested[k].oracle(Extend(type, in[0][i]), TypeOf(type)));
        });
      }
    }
  }
}

TEST(NumericsInteger, ConvertBetweenIntegers) {
  const Device& device = BestX86();
  for (ElementType from : kTypes) {
    if (hlo::BitWidth(from) == 2) continue;
    const Planes in{Operands(from)[0]};
    std::vector<Op> ops;
    for (ElementType to : kTypes) {
      if (hlo::BitWidth(to) != 16) ops.push_back(ConvertOp(from, to));
    }
    const std::vector<Planes> out = RunOps(ops, device, in);
    for (size_t k = 0; k < ops.size(); ++k) {
      const ElementType to = ops[k].result;
      ExpectEqual(device, Opcode::kConvert, to, in, out[k],
                  [&](size_t i) { return StoredInteger(to, Extend(from, in[0][i])); });
    }
  }
}

TEST(NumericsInteger, Compare) {
  for (const Device& device : TestDevices()) {
    for (ElementType type : kTypes) {
      if (!Tested(device, type)) continue;
      const Planes in = Operands(type);
      const std::string directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
      std::vector<Op> ops;
      for (const std::string& direction : directions) {
        ops.push_back({Opcode::kCompare, {type, type}, ElementType::kPred, {}});
        ops.back().attrs.Set(hlo::Attr::kDirection, direction);
      }
      const std::vector<Planes> out = RunOps(ops, device, in);
      for (size_t k = 0; k < ops.size(); ++k) {
        const std::string& d = directions[k];
        ExpectEqual(device, Opcode::kCompare, type, in, out[k], [&](size_t i) -> uint64_t {
          const uint64_t a = Extend(type, in[0][i]), b = Extend(type, in[1][i]);
          const bool less = hlo::scalar::Less(a, b, TypeOf(type));
          if (d == "EQ") return a == b;
          if (d == "NE") return a != b;
          if (d == "LT") return less;
          if (d == "LE") return less || a == b;
          return d == "GT" ? !less && a != b : !less;
        });
      }
    }
  }
}

// Any byte except 0 is true, because inputs come from outside.
TEST(NumericsInteger, Pred) {
  const Planes in{{0, 0, 1, 1}, {0, 1, 0, 1}};
  struct Case {
    Opcode opcode;
    std::vector<uint64_t> want;
  };
  for (const Device& device : TestDevices()) {
    const std::vector<Case> cases = {
        Case{Opcode::kAdd, {0, 1, 1, 1}},     Case{Opcode::kMultiply, {0, 0, 0, 1}},
        Case{Opcode::kMaximum, {0, 1, 1, 1}}, Case{Opcode::kMinimum, {0, 0, 0, 1}},
        Case{Opcode::kAnd, {0, 0, 0, 1}},     Case{Opcode::kOr, {0, 1, 1, 1}},
        Case{Opcode::kXor, {0, 1, 1, 0}}};
    std::vector<Op> ops;
    for (const Case& c : cases) ops.push_back(BinaryOp(c.opcode, ElementType::kPred));
    const std::vector<Planes> out = RunOps(ops, device, in);
    for (size_t k = 0; k < cases.size(); ++k)
      EXPECT_EQ(out[k][0], cases[k].want) << hlo::RowOf(cases[k].opcode).hlo_name;
    EXPECT_EQ(RunOp(UnaryOp(Opcode::kNot, ElementType::kPred), device, {{0, 1, 2}})[0],
              (std::vector<uint64_t>{1, 0, 0}));
    EXPECT_EQ(RunOp(ConvertOp(ElementType::kPred, ElementType::kS32), device, {{0, 1}})[0],
              (std::vector<uint64_t>{0, 1}));
    EXPECT_EQ(RunOp(ConvertOp(ElementType::kS64, ElementType::kPred), device,
                    {{0, uint64_t{1} << 40}})[0],
              (std::vector<uint64_t>{0, 1}));
    Op select{Opcode::kSelect,
              {ElementType::kPred, ElementType::kPred, ElementType::kPred},
              ElementType::kPred,
              {}};
    EXPECT_EQ(RunOp(select, device, {{0, 1, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}})[0],
              (std::vector<uint64_t>{0, 1, 1, 0}));
  }
}

// A constant operand lets Halide rewrite. Among the constants are 64-bit masks and divisors of the
// form that its Vulkan back end gets wrong.
TEST(NumericsInteger, ConstantOperands) {
  for (const Device& device : TestDevices()) {
    for (ElementType type :
         {ElementType::kU64, ElementType::kS64, ElementType::kU32, ElementType::kS32}) {
      const Planes in{Operands(type)[0]};
      std::vector<std::pair<uint64_t, Binary>> cases;
      std::vector<Build> builds;
      for (uint64_t constant : {uint64_t{0xfffffffff}, uint64_t{1} << 40, uint64_t{7},
                                uint64_t{0xffffffff}, ~uint64_t{0}, uint64_t{0}}) {
        const hlo::Literal literal = hlo::Literal::FromValues<int64_t>(
            type, {}, {static_cast<int64_t>(Extend(type, StoredInteger(type, constant)))});
        for (const Binary& op : kBinary) {
          if (op.opcode != Opcode::kAnd && op.opcode != Opcode::kDivide &&
              op.opcode != Opcode::kRemainder)
            continue;
          cases.push_back({constant, op});
          const Build build = BuildOf(BinaryOp(op.opcode, type));
          builds.push_back([=](absl::Span<const Value> x) {
            const Value both[] = {x[0], ConstantValue(literal, 0)};
            return build(both);
          });
        }
      }
      const std::vector<Planes> out = RunBuilds(builds, {type}, device, in);
      for (size_t k = 0; k < cases.size(); ++k) {
        const auto& [constant, op] = cases[k];
        ExpectEqual(
            device, op.opcode, type, in, out[k], [&, constant = constant, op = op](size_t i) {
              return StoredInteger(
                  type, op.oracle(Extend(type, in[0][i]), Extend(type, constant), TypeOf(type)));
            });
      }
    }
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
