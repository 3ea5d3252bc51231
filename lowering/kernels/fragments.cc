#include "lowering/kernels/fragments.h"

#include "lowering/numerics/arithmetic.h"
#include "lowering/numerics/float_ops.h"
#include "lowering/numerics/integer_ops.h"
#include "lowering/numerics/small_floats.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering {

using Halide::cast;
using Halide::Expr;
using Halide::reinterpret;
using Halide::Type;
using Halide::UInt;
using Halide::Internal::Call;
using Halide::Internal::Load;
using Halide::Internal::ModulusRemainder;
using Halide::Internal::Ramp;
using Halide::Internal::Select;
using hlo::ElementType;

namespace {

Expr U32(uint32_t value) { return Expr(value); }

Expr Extern(const std::string& name, Type type, const std::vector<Expr>& args) {
  return Call::make(type, name, args, Call::PureExtern);
}

bool IsInteger8(ElementType type) { return hlo::IsInteger(type) && hlo::BitWidth(type) <= 8; }

// Returns element p of a word, in the type of the sums.
Expr Unpack(const MmaIntrinsic& mma, ElementType type, const Expr& word, int p) {
  if (mma.elements == 1) return reinterpret(Halide::Float(32), word);
  const int bits = 32 / mma.elements;
  Expr element = cast(UInt(bits), word >> U32(bits * p));
  if (mma.accumulator == ElementType::kF32) return numerics::DecodeNarrow(type, element).e;
  if (hlo::IsSigned(type)) element = reinterpret(Halide::Int(bits), element);
  return cast(Halide::Int(32), element);
}

}  // namespace

ElementType NarrowestType(const Value& value) {
  if (!value.stored.defined()) return value.type;
  // Integers of less than 8 bits are stored in 8.
  if (IsInteger8(value.stored_type))
    return hlo::IsSigned(value.stored_type) ? ElementType::kS8 : ElementType::kU8;
  return hlo::BitWidth(value.stored_type) <= 16 ? value.stored_type : value.type;
}

Expr BitsAs(const Value& value, ElementType type) {
  Expr bits;
  if (value.stored.defined() && NarrowestType(value) == type) {
    bits = value.stored;
  } else {
    bits = ToStorage(type, ConvertTo(value, type).re);
  }
  const Type unsigned_type = UInt(bits.type().bits());
  return bits.type() == unsigned_type ? bits : reinterpret(unsigned_type, bits);
}

Expr PackWord(const std::vector<Expr>& elements) {
  if (elements.size() == 1) return elements[0];
  return Extern(kPackWord, UInt(32), elements);
}

Expr Tf32Word(const Expr& value, bool on_device) {
  if (on_device) return Extern(kRoundToTf32, UInt(32), {value});
  const Expr bits = reinterpret(UInt(32), value);
  const Expr finite = (bits & U32(0x7f800000)) != U32(0x7f800000);
  // NaN keeps a bit into which rounding must not carry.
  const Expr special =
      bits | Halide::select((bits & U32(0x7fffff)) != U32(0), U32(0x400000), U32(0));
  return Halide::select(finite, bits + U32(0x1000), special) & U32(0xffffe000);
}

std::vector<Expr> Mma(const MmaIntrinsic& mma, const std::vector<Expr>& c, const LaneWord& a,
                      const LaneWord& b, const Expr& q, const Expr& g, bool on_device) {
  std::vector<Expr> result;
  if (on_device) {
    std::vector<Expr> args = c;
    for (int w = 0; w < mma.lhs_words(); ++w) args.push_back(a(w, q, g));
    for (int w = 0; w < mma.words; ++w) args.push_back(b(w, q, g));
    for (int i = 0; i < 4; ++i)
      result.push_back(Extern(mma.name + ("_" + std::to_string(i)), c[i].type(), args));
    return result;
  }
  for (int i = 0; i < 4; ++i) {
    const int h = i / 2, e = i % 2;
    Expr sum = c[i];
    for (int w = 0; w < mma.words; ++w) {
      for (int partner = 0; partner < 4; ++partner) {
        const Expr row = a(w * 2 + h, partner, g), column = b(w, partner, q * 2 + e);
        for (int p = 0; p < mma.elements; ++p) {
          const Expr x = Unpack(mma, mma.lhs, row, p), y = Unpack(mma, mma.rhs, column, p);
          sum = sum.type().is_float() ? numerics::MultiplyAdd({x}, {y}, {sum}).e
                                      : numerics::WrappingAdd(sum, x * y);
        }
      }
    }
    result.push_back(sum);
  }
  return result;
}

Expr RoundedPair(ElementType type, const Expr& low, const Expr& high, int capability) {
  const char* name = type == ElementType::kF16    ? kRoundToF16
                     : type == ElementType::kBF16 ? kRoundToBf16
                                                  : nullptr;
  if (name != nullptr && capability >= ScalarOfFunction(name)->min_capability)
    return Extern(name, UInt(32), {low, high});
  const Value a{ElementType::kF32, low, {}}, b{ElementType::kF32, high, {}};
  return PackWord({BitsAs(a, type), BitsAs(b, type)});
}

Expr MaximumOf(const Expr& a, const Expr& b, int capability) {
  if (capability >= ScalarOfFunction(kMaximum)->min_capability)
    return Extern(kMaximum, Halide::Float(32), {a, b});
  return numerics::Maximum(numerics::Fp{a}, numerics::Fp{b}).e;
}

Expr FastExp(const Expr& x, int capability) {
  const numerics::Fp value{x};
  if (capability < ScalarOfFunction(kExp2)->min_capability) return numerics::Exp(value).e;
  constexpr double kLog2E = 1.4426950408889634;
  return Extern(kExp2, Halide::Float(32), {(value * kLog2E).e});
}

Expr ShuffleXor(const LaneValue& value, const Expr& q, const Expr& g, int mask, bool on_device) {
  const Expr own = value(q, g);
  if (on_device) return Extern(kShuffleXor, own.type(), {own, Expr(mask)});
  // Halide does not know the bounds of an xor.
  auto partner = [](Expr x, int bits, int last) {
    for (int bit = 1; bit <= last; bit *= 2) {
      if (bits & bit) x = x + bit - x / bit % 2 * (2 * bit);
    }
    return bits == 0 ? x : Halide::clamp(x, 0, last);
  };
  return value(partner(q, mask & 3, 3), partner(g, mask >> 2, 7));
}

// PackWords.

namespace {

using Lets = Halide::Internal::Scope<Expr>;

// The elements of an unconditional load: base, base + stride, …
struct Access {
  const Load* load = nullptr;
  Expr base;
  int64_t stride = 0;  // of vectors
  ModulusRemainder alignment;
};

// Looks through conversions between integers of one width, and through the slices that Halide makes
// of loads with strides.
bool FindAccess(const Expr& e, const Lets& lets, Access* access) {
  using namespace Halide::Internal;
  if (const Variable* variable = e.as<Variable>()) {
    const Expr* value = lets.find(variable->name);
    // Inputs do not change between the let and this use.
    return value != nullptr && FindAccess(*value, lets, access) && access->load->param.defined();
  }
  if (const Load* load = e.as<Load>()) {
    if (!is_const_one(load->predicate)) return false;
    access->load = load;
    access->base = load->index;
    access->alignment = load->alignment;
    if (load->type.is_scalar()) return true;
    const Ramp* ramp = load->index.as<Ramp>();
    const auto stride = ramp == nullptr ? std::nullopt : as_const_int(ramp->stride);
    if (!stride || !ramp->base.type().is_scalar()) return false;
    access->base = ramp->base;
    access->stride = *stride;
    return true;
  }
  if (const Cast* cast = e.as<Cast>()) {
    return cast->type.bits() == cast->value.type().bits() && !cast->value.type().is_float() &&
           FindAccess(cast->value, lets, access);
  }
  if (const Reinterpret* as = e.as<Reinterpret>()) {
    return as->type.bits() == as->value.type().bits() && !as->value.type().is_float() &&
           FindAccess(as->value, lets, access);
  }
  const Shuffle* slice = e.as<Shuffle>();
  if (slice == nullptr || !slice->is_slice() || slice->vectors.size() != 1 ||
      slice->type.is_scalar() || !FindAccess(slice->vectors[0], lets, access) ||
      access->stride != 1)
    return false;
  access->base = simplify(access->base + slice->slice_begin());
  access->stride = slice->slice_stride();
  access->alignment.remainder += slice->slice_begin();
  if (access->alignment.modulus != 0) access->alignment.remainder %= access->alignment.modulus;
  return true;
}

bool Divides(int64_t n, const ModulusRemainder& alignment) {
  return alignment.modulus % n == 0 && alignment.remainder % n == 0;
}

// Loads `lanes` whole words, of `count` elements each, the first at access.base.
Expr LoadWords(const Access& access, int count, int lanes) {
  Expr index = Halide::Internal::simplify(access.base / count);
  if (lanes > 1) index = Ramp::make(index, Halide::Internal::make_one(index.type()), lanes);
  ModulusRemainder alignment = access.alignment;
  alignment.modulus /= count;
  alignment.remainder /= count;
  return Load::make(UInt(32, lanes), access.load->name, index, access.load->image,
                    access.load->param, Halide::Internal::const_true(lanes), alignment);
}

// Returns a load of words whose elements lie side by side, as do the words. Undefined if they do
// not.
Expr LoadNeighbours(const std::vector<Access>& elements, int lanes) {
  const int count = static_cast<int>(elements.size());
  if (!Divides(count, elements[0].alignment)) return {};
  for (int i = 0; i < count; ++i) {
    if (elements[i].load->name != elements[0].load->name) return {};
    if (lanes > 1 && elements[i].stride != count) return {};
    const Expr distance = Halide::Internal::simplify(elements[i].base - elements[0].base);
    if (!Halide::Internal::is_const(distance, i)) return {};
  }
  return LoadWords(elements[0], count, lanes);
}

// Returns words whose elements come from `count` rows, where neighbouring words come from
// neighbours in each row: the rows are read as words and transposed. Undefined if the words are not
// like this.
Expr LoadRows(const std::vector<Access>& elements, int lanes) {
  const int count = static_cast<int>(elements.size());
  if (lanes % count != 0) return {};
  std::vector<Expr> rows;
  for (const Access& element : elements) {
    if (element.stride != 1 || !Divides(count, element.alignment)) return {};
    rows.push_back(LoadWords(element, count, lanes / count));
  }
  const int bits = 32 / count;
  auto splat = [&](uint32_t value) {
    Expr scalar = U32(value);
    return lanes == count ? scalar : Halide::Internal::Broadcast::make(scalar, lanes / count);
  };
  std::vector<Expr> words;
  for (int i = 0; i < count; ++i) {
    Expr word;
    for (int r = 0; r < count; ++r) {
      // Element i of row r's word goes to place r.
      Expr part = rows[r] & splat(((1u << bits) - 1) << (bits * i));
      if (r > i) part = part << splat(static_cast<uint32_t>(bits * (r - i)));
      if (r < i) part = part >> splat(static_cast<uint32_t>(bits * (i - r)));
      word = word.defined() ? word | part : part;
    }
    words.push_back(word);
  }
  return Halide::Internal::Shuffle::make_interleave(words);
}

Expr Pack(const std::vector<Expr>& elements, const Lets& lets) {
  const Select* first = elements[0].as<Select>();
  bool alike = first != nullptr;
  for (const Expr& element : elements) {
    const Select* select = element.as<Select>();
    alike =
        alike && select != nullptr && Halide::Internal::equal(select->condition, first->condition);
  }
  if (alike) {
    std::vector<Expr> yes, no;
    for (const Expr& element : elements) {
      yes.push_back(element.as<Select>()->true_value);
      no.push_back(element.as<Select>()->false_value);
    }
    return Select::make(first->condition, Pack(yes, lets), Pack(no, lets));
  }
  const int lanes = elements[0].type().lanes();
  std::vector<Access> accesses(elements.size());
  bool loads = true;
  for (size_t i = 0; i < elements.size(); ++i)
    loads = loads && FindAccess(elements[i], lets, &accesses[i]);
  if (loads) {
    Expr words = LoadNeighbours(accesses, lanes);
    if (!words.defined() && lanes > 1) words = LoadRows(accesses, lanes);
    if (words.defined()) return words;
  }
  const Type type = UInt(32, lanes);
  Expr word;
  for (size_t i = 0; i < elements.size(); ++i) {
    Expr part = cast(type, elements[i]);
    if (i > 0) part = part << cast(type, U32(static_cast<uint32_t>(32 / elements.size() * i)));
    word = word.defined() ? word | part : part;
  }
  return Halide::Internal::simplify(word);
}

}  // namespace

Expr PackWords::visit(const Call* call) {
  if (call->name != kPackWord) return IRMutator::visit(call);
  std::vector<Expr> elements;
  for (const Expr& arg : call->args) elements.push_back(mutate(arg));
  return Pack(elements, lets_);
}

Expr PackWords::visit(const Halide::Internal::Let* let) {
  const Expr value = mutate(let->value);
  const Halide::Internal::ScopedBinding<Expr> bind(lets_, let->name, value);
  return Halide::Internal::Let::make(let->name, value, mutate(let->body));
}

Halide::Internal::Stmt PackWords::visit(const Halide::Internal::LetStmt* let) {
  const Expr value = mutate(let->value);
  const Halide::Internal::ScopedBinding<Expr> bind(lets_, let->name, value);
  return Halide::Internal::LetStmt::make(let->name, value, mutate(let->body));
}

ZeroUnless FindZeroUnless(const Halide::Expr& e) {
  using Halide::Internal::Call;
  Halide::Expr condition, yes, no;
  if (const auto* select = e.as<Halide::Internal::Select>()) {
    condition = select->condition;
    yes = select->true_value;
    no = select->false_value;
  } else if (const Call* call = e.as<Call>();
             call != nullptr && call->is_intrinsic(Call::if_then_else) && call->args.size() == 3) {
    condition = call->args[0];
    yes = call->args[1];
    no = call->args[2];
  } else {
    return {};
  }
  if (Halide::Internal::is_const_zero(no)) return {condition, yes};
  if (Halide::Internal::is_const_zero(yes)) return {!condition, no};
  return {};
}

}  // namespace halyard::lowering
