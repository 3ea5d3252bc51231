#include "tests/programs/makers/program_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontend/hlo/ir/op_table.h"
#include "tests/programs/makers/random_program.h"
#include "tests/programs/moved.h"
#include "tests/programs/noisy_evaluator.h"

namespace halyard::testing {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr ElementType kAllTypes[] = {
#define HALYARD_LISTED(name, ...) ElementType::name,
    HALYARD_ELEMENT_TYPES(HALYARD_LISTED)
#undef HALYARD_LISTED
};

constexpr ElementType kCommonTypes[] = {ElementType::kF32,  ElementType::kF32, ElementType::kF32,
                                        ElementType::kBF16, ElementType::kF16, ElementType::kF64,
                                        ElementType::kS32,  ElementType::kS64, ElementType::kU8,
                                        ElementType::kPred, ElementType::kC64};

// Returns whether the bits of every result are those of an element of some operand, an integer, or
// a number made of one: what is computed shares selects with what is moved.
bool Moves(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kIota:
      return true;
    case Opcode::kConvert:
      return hlo::IsInteger(inst.operand(0)->shape.element_type());
    case Opcode::kTopK:
      return !hlo::IsComplex(inst.operand(0)->shape.element_type());
    case Opcode::kNegate:
    case Opcode::kAbs:
      return false;
    default:
      return MovesOnly(inst);
  }
}

}  // namespace

ProgramMaker::ProgramMaker(uint32_t seed, int64_t most_elements)
    : random_(seed),
      most_elements_(most_elements),
      module_(new hlo::Module("random")),
      entry_(module_->AddComputation("main")) {
  module_->set_entry(entry_);
}

ElementType ProgramMaker::Type() {
  if (Chance(70)) return kCommonTypes[Pick(std::size(kCommonTypes))];
  return kAllTypes[Pick(std::size(kAllTypes))];
}

ElementType ProgramMaker::FloatType() {
  return OneOf<ElementType>({ElementType::kF32, ElementType::kF32, ElementType::kF64,
                             ElementType::kBF16, ElementType::kF16});
}

ElementType ProgramMaker::IntegerType() {
  return OneOf<ElementType>({ElementType::kS8, ElementType::kS16, ElementType::kS32,
                             ElementType::kS64, ElementType::kU8, ElementType::kU16,
                             ElementType::kU32, ElementType::kU64, ElementType::kS4,
                             ElementType::kU4, ElementType::kS2, ElementType::kU2});
}

std::vector<int64_t> ProgramMaker::Dims(int max_rank) {
  int rank = Chance(4) ? Pick(9) : Pick(max_rank + 1);
  std::vector<int64_t> dims;
  int64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    int64_t extent = elements > 300 ? 1 : Extent();
    if (Chance(3)) extent = 17 + Pick(60);
    elements *= extent;
    dims.push_back(extent);
  }
  return dims;
}

Instruction* ProgramMaker::Parameter(const Shape& shape) {
  Shape given = shape;
  if (Chance(15) && shape.rank() > 1) {
    given = Shape::ArrayWithLayout(shape.element_type(), shape.dims(), Permutation(shape.rank()));
  }
  Instruction* parameter = entry_->AddParameter(entry_->num_parameters(), given);
  values_.push_back(parameter);
  return parameter;
}

Instruction* ProgramMaker::Array() {
  if (values_.empty() || Chance(8)) return Parameter(Shape::Array(Type(), Dims()));
  // Later values are drawn more often, so that chains grow.
  int n = static_cast<int>(values_.size());
  return values_[Chance(60) ? n - 1 - Pick(std::min(n, 3)) : Pick(n)];
}

Instruction* ProgramMaker::ArrayOf(ElementType type, int min_rank) {
  std::vector<Instruction*> fitting;
  for (Instruction* value : values_) {
    if (value->shape.element_type() == type && value->shape.rank() >= min_rank)
      fitting.push_back(value);
  }
  if (!fitting.empty() && !Chance(10)) return OneOf(fitting);
  std::vector<int64_t> dims = Dims();
  while (static_cast<int>(dims.size()) < min_rank) dims.push_back(1 + Pick(5));
  return Parameter(Shape::Array(type, dims));
}

Instruction* ProgramMaker::Like(const Shape& shape) {
  if (!moving_ && Chance(25)) {
    moving_ = true;
    Instruction* moved = Moved(*this, shape);
    moving_ = false;
    if (moved != nullptr && moved->shape == shape.WithDefaultLayout()) return moved;
  }
  std::vector<Instruction*> fitting;
  for (Instruction* value : values_) {
    if (Shape::SameIgnoringLayout(value->shape, shape)) fitting.push_back(value);
  }
  if (!fitting.empty() && !Chance(25)) return OneOf(fitting);
  return Parameter(shape.WithDefaultLayout());
}

std::vector<int64_t> ProgramMaker::Permutation(int64_t rank) {
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  return order;
}

Instruction* ProgramMaker::Indices(ElementType type, const std::vector<int64_t>& dims,
                                   int64_t extent) {
  const Shape shape = Shape::Array(type, dims);
  if (Chance(40)) return Like(shape);
  Literal literal(shape);
  auto draw = [&] {
    const int64_t value = Pick(static_cast<int>(extent) + (Chance(20) ? 3 : 0)) -
                          (Chance(10) && !hlo::IsUnsigned(type) ? 1 : 0);
    return std::max<int64_t>(value, hlo::IsUnsigned(type) ? 0 : -2);
  };
  const bool splat = Chance(40);
  const int64_t first = draw();
  for (int64_t i = 0; i < shape.NumElements(); ++i) literal.SetInt(i, splat ? first : draw());
  return entry_->AddConstant(literal);
}

Instruction* ProgramMaker::Scalar(ElementType type, double value) {
  return AddNumber(entry_, type, value);
}

Instruction* ProgramMaker::AddShaped(Opcode opcode, const Shape& shape,
                                     std::vector<Instruction*> operands, AttrMap attrs,
                                     std::vector<Computation*> called) {
  for (Instruction* operand : operands) {
    if (operand == nullptr) return nullptr;
  }
  Instruction* added =
      entry_->Add(opcode, shape, std::move(operands), std::move(attrs), std::move(called));
  absl::StatusOr<Shape> inferred = hlo::InferShape(*added);
  if (!inferred.ok()) return nullptr;  // it stays unused until Finish removes it
  if (inferred->IsArray() && inferred->NumElements() > most_elements_) return nullptr;
  if (only_moves_ && !Moves(*added)) return nullptr;
  added->shape = *inferred;
  if (added->shape.IsArray()) values_.push_back(added);
  return added;
}

Instruction* ProgramMaker::Add(Opcode opcode, std::vector<Instruction*> operands, AttrMap attrs,
                               std::vector<Computation*> called) {
  return AddShaped(opcode, Shape::Scalar(ElementType::kF32), std::move(operands), std::move(attrs),
                   std::move(called));
}

Computation* ProgramMaker::Combiner(Opcode opcode, ElementType type) {
  Computation* c = module_->AddComputation("combine");
  const Shape scalar = Shape::Scalar(type);
  Instruction* a = c->AddParameter(0, scalar);
  Instruction* b = c->AddParameter(1, scalar);
  c->set_root(c->Add(opcode, scalar, {a, b}));
  return c;
}

Computation* ProgramMaker::Comparator(const std::string& direction,
                                      absl::Span<const ElementType> types) {
  Computation* c = module_->AddComputation("compare");
  std::vector<Instruction*> parameters;
  for (ElementType type : types) {
    for (int side = 0; side < 2; ++side)
      parameters.push_back(c->AddParameter(parameters.size(), Shape::Scalar(type)));
  }
  const bool total = hlo::IsFloat(types[0]);
  AttrMap attrs = Attrs().With(Attr::kDirection, direction);
  if (total) attrs.Set(Attr::kType, std::string("TOTALORDER"));
  c->set_root(c->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                     {parameters[0], parameters[1]}, std::move(attrs)));
  return c;
}

Computation* ProgramMaker::Fold(ElementType type, Instruction** init) {
  Opcode opcode = Opcode::kAdd;
  double start = 0;
  switch (Pick(4)) {
    case 0:
      opcode = Opcode::kMaximum;
      start = hlo::IsUnsigned(type) || type == ElementType::kPred ? 0 : -1;
      break;
    case 1:
      opcode = Opcode::kMinimum;
      start = 1;
      break;
    case 2:
      opcode = Opcode::kMultiply;
      start = 1;
      break;
    default:
      break;
  }
  *init = Scalar(type, start);
  return Combiner(opcode, type);
}

std::unique_ptr<hlo::Module> ProgramMaker::Finish() {
  std::vector<Instruction*> results;
  const int count = 1 + Pick(3);
  for (int i = 0; i < count && i < static_cast<int>(values_.size()); ++i) {
    Instruction* result = values_[values_.size() - 1 - i];
    if (result->opcode != Opcode::kParameter || i == 0) results.push_back(result);
  }
  std::vector<Shape> shapes;
  for (const Instruction* result : results) shapes.push_back(result->shape);
  return FinishWith(entry_->Add(Opcode::kTuple, Shape::Tuple(shapes), results));
}

std::unique_ptr<hlo::Module> ProgramMaker::FinishWith(Instruction* root) {
  entry_->set_root(root);
  entry_->RemoveDead();
  for (int64_t i = entry_->num_parameters() - 1; i >= 0; --i) {
    bool used = false;
    for (const auto& inst : entry_->instructions()) {
      for (const Instruction* operand : inst->operands) used |= operand == entry_->parameters()[i];
    }
    if (!used) entry_->RemoveParameter(i);
  }
  module_->RemoveUnreachableComputations();
  return std::move(module_);
}

Instruction* AddNumber(Computation* computation, ElementType type, double value) {
  return computation->AddConstant(Literal::FromValues<double>(type, {}, {value}));
}

Instruction* AddPart(Computation* computation, Instruction* tuple, int64_t index) {
  return computation->Add(Opcode::kGetTupleElement, tuple->shape.elements()[index], {tuple},
                          Attrs().With(Attr::kIndex, index));
}

int64_t EndOf(ElementType type, int which) {
  if (type == ElementType::kPred) return which % 2;
  const int bits = hlo::BitWidth(type) - (hlo::IsSigned(type) ? 1 : 0);
  const auto largest = static_cast<int64_t>(bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
  const int64_t least = hlo::IsSigned(type) ? -largest - 1 : 0;
  const int64_t ends[] = {least, largest, least + 1, largest - 1};
  return ends[which];
}

namespace {

std::unique_ptr<hlo::Module> OfRandomOps(ProgramMaker maker) {
  const absl::Span<const Maker> families[] = {ElementwiseMakers(), MovementMakers(),
                                              StructureMakers()};
  const int ops = 1 + maker.Pick(20);
  int made = 0;
  for (int tries = 0; made < ops && tries < 200; ++tries) {
    const absl::Span<const Maker> family = families[maker.Chance(40) ? 0 : 1 + maker.Pick(2)];
    if (family[maker.Pick(static_cast<int>(family.size()))](maker) != nullptr) ++made;
  }
  return maker.Finish();
}

}  // namespace

std::unique_ptr<hlo::Module> RandomProgram(uint32_t seed) {
  return OfRandomOps(ProgramMaker(seed));
}

std::unique_ptr<hlo::Module> RandomMovesProgram(uint32_t seed) {
  ProgramMaker maker(seed);
  maker.AllowOnlyMoves();
  return OfRandomOps(std::move(maker));
}

std::vector<Literal> RandomBits(const hlo::Module& module, uint32_t seed) {
  std::vector<Literal> arguments = RandomArguments(module, seed);
  std::mt19937 random(seed * 6271 + 5);
  for (Literal& value : arguments) {
    const ElementType type = value.shape().element_type();
    if (!hlo::IsFloat(type) && !hlo::IsComplex(type)) continue;
    const ElementType part = hlo::PartType(type);
    const hlo::FloatFormat format = hlo::FormatOf(part);
    const uint64_t exponent = ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
    Literal parts(
        Shape::Array(part, {value.shape().NumElements() * (hlo::IsComplex(type) ? 2 : 1)}));
    for (int64_t i = 0; i < parts.shape().NumElements(); ++i) {
      const uint64_t bits = (uint64_t{random()} << 32) | random();
      parts.SetBits(i, random() % 3 == 0 ? bits | exponent : bits);
    }
    value = Literal::FromBytes(value.shape(), {parts.bytes().begin(), parts.bytes().end()});
  }
  return arguments;
}

std::vector<Literal> RandomArguments(const hlo::Module& module, uint32_t seed) {
  std::mt19937 random(seed * 7919 + 1);
  std::vector<Literal> arguments;
  for (const Instruction* parameter : module.entry()->parameters()) {
    Literal value(parameter->shape);
    const ElementType type = parameter->shape.element_type();
    // Powers of two where a type has nothing else.
    const bool unsigned_float = hlo::IsFloat(type) && !hlo::FormatOf(type).has_sign;
    auto small = [&] {
      const double value = static_cast<double>(random() % 65) - 32;
      return unsigned_float ? std::exp2(std::trunc(value / 8)) : value / 16;
    };
    for (int64_t i = 0; i < parameter->shape.NumElements(); ++i) {
      if (hlo::IsFloat(type)) {
        value.SetFloat(i, random() % 40 == 0 ? (random() % 2 ? -0.0 : 1e4) : small());
      } else if (hlo::IsComplex(type)) {
        value.SetComplex(i, {small(), small()});
      } else {
        const uint64_t bits = (uint64_t{random()} << 32) | random();
        value.SetInt(i, random() % 3   ? static_cast<int64_t>(bits % 16)
                        : random() % 3 ? static_cast<int64_t>(bits)
                                       : EndOf(type, static_cast<int>(bits % 4)));
      }
    }
    arguments.push_back(value);
  }
  return arguments;
}

}  // namespace halyard::testing
