// rng and rng-bit-generator → elementwise ops over iotas: every element is a function of its place,
// so that one kernel makes them, and fuses with what uses them. What they compute:
// frontend/hlo/evaluate/random.cc.
#include "frontend/hlo/values/random.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

// Makes ops on arrays of one shape.
class Words {
 public:
  Words(Rewriter* rewriter, const Instruction* source, std::vector<int64_t> dims)
      : b(rewriter, source), rewriter_(rewriter), dims_(std::move(dims)) {}

  Rewriter* rewriter() const { return rewriter_; }

  Instruction* Op(Opcode opcode, Instruction* x, Instruction* y) {
    return b.Add(opcode, {Whole(x), Whole(y)});
  }
  Instruction* Op(Opcode opcode, Instruction* x, double y) {
    return Op(opcode, x, b.Splat(x->shape.element_type(), y, x->shape.dims()));
  }
  Instruction* Unary(Opcode opcode, Instruction* x) { return b.Add(opcode, {x}); }
  Instruction* Add(Instruction* x, Instruction* y) { return Op(Opcode::kAdd, x, y); }
  Instruction* Mul(Instruction* x, Instruction* y) { return Op(Opcode::kMultiply, x, y); }
  Instruction* ShiftRight(Instruction* x, int bits) {
    return Op(Opcode::kShiftRightLogical, x, bits);
  }
  Instruction* And(Instruction* x, double mask) { return Op(Opcode::kAnd, x, mask); }
  Instruction* Convert(Instruction* x, ElementType type) { return b.Convert(x, type); }
  Instruction* Select(Instruction* condition, Instruction* yes, Instruction* no) {
    return b.Select(condition, Whole(yes), Whole(no));
  }
  Instruction* Compare(Instruction* x, Instruction* y, const char* direction) {
    return b.Compare(Whole(x), Whole(y), direction);
  }
  // Makes arrays of scalars.
  Instruction* Whole(Instruction* x) {
    return x->shape.IsScalar() && !dims_.empty() && !scalars_ ? b.Broadcast(x, dims_, {}) : x;
  }
  // Returns the numbers from 0 on as u64, computed in 32-bit arithmetic if that holds them.
  Instruction* Count(int64_t size) {
    if (dims_.empty()) return b.Splat(ElementType::kU64, 0, {});
    const ElementType type = size <= INT32_MAX ? ElementType::kU32 : ElementType::kU64;
    Instruction* count = nullptr;
    if (size <= INT32_MAX) {
      count = b.Reshape(b.Iota(type, {size}, 0), dims_);
    } else {
      int64_t stride = 1;
      for (int64_t d = static_cast<int64_t>(dims_.size()) - 1; d >= 0; stride *= dims_[d--]) {
        Instruction* part =
            Op(Opcode::kMultiply, b.Iota(type, dims_, d), static_cast<double>(stride));
        count = count == nullptr ? part : Add(count, part);
      }
    }
    return b.Convert(count, ElementType::kU64);
  }
  void OnScalars(bool scalars) { scalars_ = scalars; }
  // For each word of an array of blocks: the block's number and the word's place in its block, as
  // u64. A block has `size` neighbours along the second of three dimensions, the last one perhaps
  // fewer. Arrays have these dimensions from now on, or four: whole blocks are a dimension of their
  // own, so that schedules see which words share a block.
  struct Places {
    Instruction *block, *word;
  };
  Places InBlocks(int64_t outer, int64_t split, int64_t inner, int64_t size) {
    const bool whole = split % size == 0;
    dims_ = whole ? std::vector<int64_t>{outer, split / size, size, inner}
                  : std::vector<int64_t>{outer, split, inner};
    const ElementType type =
        outer * split * inner <= INT32_MAX ? ElementType::kU32 : ElementType::kU64;
    Instruction *block = b.Iota(type, dims_, 1), *word = nullptr;
    if (whole) {
      word = b.Iota(type, dims_, 2);
    } else {
      word = And(block, static_cast<double>(size - 1));
      block = ShiftRight(block, std::countr_zero(static_cast<uint64_t>(size)));
    }
    if (outer > 1) {
      const int64_t blocks = (split + size - 1) / size;
      block =
          Add(block, Op(Opcode::kMultiply, b.Iota(type, dims_, 0), static_cast<double>(blocks)));
    }
    if (inner > 1) {
      block = Add(Op(Opcode::kMultiply, block, static_cast<double>(inner)),
                  b.Iota(type, dims_, static_cast<int64_t>(dims_.size()) - 1));
    }
    return {b.Convert(block, ElementType::kU64), b.Convert(word, ElementType::kU64)};
  }

  GraphBuilder b;

 private:
  Rewriter* rewriter_;
  std::vector<int64_t> dims_;
  bool scalars_ = false;
};

// Returns word `i` of a state.
Instruction* StateWord(Words& w, Instruction* state, int64_t i) {
  return w.b.Reshape(w.b.Slice(state, 0, i, i + 1), {});
}

Instruction* StateOf(Words& w, std::vector<Instruction*> words) {
  for (Instruction*& word : words) word = w.b.Reshape(word, {1});
  return w.b.Concatenate(std::move(words), 0);
}

// Returns the low bits of u32 or u64 words as values of `type`.
Instruction* BitsAs(Words& w, Instruction* word, const Shape& shape) {
  const ElementType type = shape.element_type();
  const int bits = hlo::BitWidth(type);
  if (hlo::IsInteger(type)) return w.b.Reshape(w.Convert(word, type), shape.dims());
  auto bitcast = [&](Instruction* x, const Shape& to) {
    return w.rewriter()->Add(w.b.source(), Opcode::kBitcastConvert, to, {x});
  };
  if (bits != 6) {
    const ElementType unsigned_type = bits == 4    ? ElementType::kU4
                                      : bits == 8  ? ElementType::kU8
                                      : bits == 16 ? ElementType::kU16
                                      : bits == 32 ? ElementType::kU32
                                                   : ElementType::kU64;
    Instruction* narrow = w.Convert(word, unsigned_type);
    return w.b.Reshape(bitcast(narrow, narrow->shape.WithElementType(type)), shape.dims());
  }
  // There are no integers of 6 bits, so this takes three of 2 bits.
  std::vector<int64_t> dims = word->shape.dims(), places;
  for (size_t i = 0; i < dims.size(); ++i) places.push_back(static_cast<int64_t>(i));
  dims.push_back(3);
  Instruction* shift =
      w.b.Iota(word->shape.element_type(), dims, static_cast<int64_t>(dims.size()) - 1);
  shift = w.b.Add(Opcode::kAdd, {shift, shift});
  Instruction* pairs =
      w.b.Add(Opcode::kShiftRightLogical, {w.b.Broadcast(word, dims, places), shift});
  pairs = w.Convert(pairs, ElementType::kU2);
  return w.b.Reshape(bitcast(pairs, word->shape.WithElementType(type)), shape.dims());
}

// Returns word `part` (u64, 0 or 1) of two as u32.
Instruction* Half(Words& w, Instruction* block, Instruction* part) {
  Instruction* shift = w.Op(Opcode::kMultiply, part, 32);
  return w.Convert(w.Op(Opcode::kShiftRightLogical, block, shift), ElementType::kU32);
}

struct Generated {
  Instruction* state;
  Instruction* bits;
};

Generated ThreeFry(Rewriter& rewriter, Instruction* rng, const Shape& output) {
  const int64_t n = output.NumElements();
  const bool wide = hlo::BitWidth(output.element_type()) == 64;
  const hlo::ThreeFryHalves halves = hlo::HalvesOf(output);
  Words w(&rewriter, rng, {n});
  Instruction* key = StateWord(w, rng->operands[0], 0);
  Instruction* counter = StateWord(w, rng->operands[0], 1);
  const int64_t blocks = wide ? n : halves.Blocks();
  w.OnScalars(true);
  Instruction* next = w.Op(Opcode::kAdd, counter, static_cast<double>(blocks));
  Instruction* state = StateOf(w, {key, next});
  w.OnScalars(false);
  if (n == 0) return {state, nullptr};
  if (wide) {
    Instruction* block = w.Op(Opcode::kThreefryBlock, key, w.Add(w.Count(n), counter));
    return {state, BitsAs(w, block, output)};
  }
  const Words::Places at = w.InBlocks(halves.outer, halves.split, halves.inner, 2);
  Instruction* block = w.Op(Opcode::kThreefryBlock, key, w.Add(at.block, counter));
  return {state, BitsAs(w, Half(w, block, at.word), output)};
}

Generated Philox(Rewriter& rewriter, Instruction* rng, const Shape& output) {
  const Shape& state_shape = rng->operands[0]->shape;
  const int64_t n = output.NumElements();
  const int per_block = hlo::BitWidth(output.element_type()) == 64 ? 2 : 4;
  Words w(&rewriter, rng, {n});
  Instruction* key = StateWord(w, rng->operands[0], 0);
  Instruction* low = StateWord(w, rng->operands[0], 1);
  const bool three = state_shape.dim(0) == 3;
  Instruction* high = three ? StateWord(w, rng->operands[0], 2) : key;
  auto carried = [&](Instruction* sum) {
    return w.Select(w.Compare(sum, low, "LT"), w.Op(Opcode::kAdd, high, 1), high);
  };
  w.OnScalars(true);
  Instruction* next = w.Op(Opcode::kAdd, low, static_cast<double>((n + per_block - 1) / per_block));
  std::vector<Instruction*> words = {key, next};
  if (three) words.push_back(carried(next));
  Instruction* state = StateOf(w, std::move(words));
  w.OnScalars(false);
  if (n == 0) return {state, nullptr};
  const Words::Places at = w.InBlocks(1, n, 1, per_block);
  Instruction* sum = w.Add(at.block, low);
  Instruction* half = per_block == 2 ? at.word : w.ShiftRight(at.word, 1);
  Instruction* block = w.b.Add(Opcode::kPhiloxBlock, {w.Whole(key), sum, carried(sum), half});
  if (per_block == 4) block = Half(w, block, w.And(at.word, 1));
  return {state, BitsAs(w, block, output)};
}

// Halide's bounds inference takes an expression without loop variables apart, as often as its parts
// are used: exponential time here. So a single number is the first of two, made by another kernel.
Instruction* FirstOf(Rewriter& rewriter, const Instruction& source, Instruction* two,
                     const Shape& shape) {
  GraphBuilder b(&rewriter, &source);
  Instruction* made = rewriter.Add(source, Opcode::kOptimizationBarrier, two->shape, {two});
  return b.Reshape(b.Slice(made, 0, 0, 1), shape.dims());
}

Instruction* ExpandGenerator(Rewriter& rewriter, Instruction* rng) {
  const Shape output = rng->shape.elements()[1];
  auto generate = [&](const Shape& shape) {
    return *hlo::BitGeneratorOf(*rng) == hlo::BitGenerator::kThreeFry
               ? ThreeFry(rewriter, rng, shape)
               : Philox(rewriter, rng, shape);
  };
  Generated made = generate(output);
  if (output.NumElements() == 0) made.bits = rewriter.AddConstant(*rng, hlo::Literal(output));
  if (output.NumElements() == 1) {
    made.bits = FirstOf(rewriter, *rng, generate(output.WithDims({2})).bits, output);
  }
  return rewriter.Add(*rng, Opcode::kTuple, rng->shape, {made.state, made.bits});
}

// Returns a + floor(word / 2⁶⁴ · (b - a)), or a if b is not above it.
Instruction* UniformInt(Words& w, Instruction* word, Instruction* a, Instruction* b) {
  const ElementType type = a->shape.element_type();
  const bool is_signed = hlo::IsSigned(type);
  w.OnScalars(true);
  const ElementType wide = is_signed ? ElementType::kS64 : ElementType::kU64;
  Instruction* low = w.Convert(w.Convert(a, wide), ElementType::kU64);
  Instruction* high = w.Convert(w.Convert(b, wide), ElementType::kU64);
  Instruction* more = w.b.Compare(w.Convert(b, wide), w.Convert(a, wide), "GT");
  Instruction* range =
      w.Select(more, w.Op(Opcode::kSubtract, high, low), w.b.Splat(ElementType::kU64, 0, {}));
  Instruction* range_low = w.And(range, 0xffffffffu);
  Instruction* range_high = w.ShiftRight(range, 32);
  w.OnScalars(false);
  Instruction* word_low = w.And(word, 0xffffffffu);
  Instruction* word_high = w.ShiftRight(word, 32);
  // Returns the high half of the product, computed from products of 32-bit words.
  Instruction* low_high = w.Mul(word_high, range_low);
  Instruction* carry = w.ShiftRight(w.Mul(word_low, range_low), 32);
  Instruction* product;
  if (hlo::BitWidth(type) < 64) {
    product = w.ShiftRight(w.Add(low_high, carry), 32);
  } else {
    Instruction* high_low = w.Mul(word_low, range_high);
    Instruction* middle =
        w.Add(w.Add(carry, w.And(low_high, 0xffffffffu)), w.And(high_low, 0xffffffffu));
    product = w.Add(w.Add(w.Mul(word_high, range_high), w.ShiftRight(low_high, 32)),
                    w.Add(w.ShiftRight(high_low, 32), w.ShiftRight(middle, 32)));
  }
  return w.Convert(w.Add(product, low), type);
}

// Makes a number below 1 from the word's top bits, in `wide`: (bits + add) / 2^count.
Instruction* Fraction(Words& w, Instruction* word, int skip, int count, double add,
                      ElementType wide) {
  Instruction* bits = w.ShiftRight(word, skip);
  if (count < 32) bits = w.Convert(bits, ElementType::kU32);
  Instruction* number = w.Convert(bits, wide);
  if (add != 0) number = w.Op(Opcode::kAdd, number, add);
  return w.Op(Opcode::kMultiply, number, std::ldexp(1.0, -count));
}

Instruction* UniformFloat(Words& w, Instruction* word, Instruction* a, Instruction* b,
                          ElementType wide) {
  const ElementType type = a->shape.element_type();
  auto rounded = [&](Instruction* x) { return w.Convert(w.Convert(x, type), wide); };
  Instruction* low = w.Convert(a, wide);
  Instruction* high = w.Convert(b, wide);
  w.OnScalars(true);
  Instruction* step = w.Op(Opcode::kMultiply, w.Unary(Opcode::kAbs, high),
                           std::ldexp(1.25, -hlo::FormatOf(type).mantissa_bits - 1));
  step = w.Op(Opcode::kMaximum, step, hlo::SmallestStep(type));
  Instruction* below = rounded(w.Op(Opcode::kSubtract, high, step));
  w.OnScalars(false);
  Instruction* u = wide == ElementType::kF64 ? Fraction(w, word, 11, 53, 0, wide)
                                             : Fraction(w, word, 40, 24, 0, wide);
  Instruction* rest = w.Op(Opcode::kSubtract, w.b.Splat(wide, 1, u->shape.dims()), u);
  Instruction* value = rounded(w.Add(w.Mul(low, rest), w.Mul(high, u)));
  value = w.Select(w.Compare(value, high, "GE"), below, value);
  value = w.Select(w.Compare(value, low, "LT"), low, value);
  return w.Convert(value, type);
}

Instruction* NormalFloat(Words& w, Instruction* word, Instruction* second, Instruction* mean,
                         Instruction* deviation, ElementType wide) {
  Instruction* u = wide == ElementType::kF64 ? Fraction(w, word, 12, 52, 0.5, wide)
                                             : Fraction(w, word, 41, 23, 0.5, wide);
  Instruction* v;
  if (wide == ElementType::kF64) {
    v = Fraction(w, second, 11, 53, 0, wide);
  } else {
    Instruction* low = w.ShiftRight(w.Convert(word, ElementType::kU32), 8);
    v = w.Op(Opcode::kMultiply, w.Convert(low, wide), 0x1p-24);
  }
  Instruction* radius =
      w.Unary(Opcode::kSqrt, w.Op(Opcode::kMultiply, w.Unary(Opcode::kLog, u), -2));
  Instruction* angle = w.Op(Opcode::kMultiply, v, 2 * M_PI);
  Instruction* standard = w.Mul(radius, w.Unary(Opcode::kCos, angle));
  Instruction* value = w.Add(w.Convert(mean, wide), w.Mul(w.Convert(deviation, wide), standard));
  return w.Convert(value, mean->shape.element_type());
}

Instruction* ExpandRng(Rewriter& rewriter, Instruction* rng) {
  const ElementType type = rng->shape.element_type();
  if (rng->shape.NumElements() == 0) return rewriter.AddConstant(*rng, hlo::Literal(rng->shape));
  const int64_t n = std::max<int64_t>(2, rng->shape.NumElements());
  Words w(&rewriter, rng, {n});
  Instruction *a = rng->operands[0], *b = rng->operands[1], *key = rng->operands[2];
  Instruction* index = w.Count(n);
  Instruction* word = w.Op(Opcode::kThreefryBlock, key, index);
  Instruction* value;
  if (!hlo::IsFloat(type)) {
    value = UniformInt(w, word, a, b);
  } else {
    const bool is_double = type == ElementType::kF64;
    const ElementType wide = is_double ? type : ElementType::kF32;
    if (!*hlo::IsNormal(*rng)) {
      value = UniformFloat(w, word, a, b, wide);
    } else {
      Instruction* second = nullptr;
      if (is_double) {
        w.OnScalars(true);
        Instruction* top = w.Op(Opcode::kShiftLeft, w.b.Splat(ElementType::kU64, 1, {}), 63);
        Instruction* second_key = w.Op(Opcode::kXor, key, top);
        w.OnScalars(false);
        second = w.Op(Opcode::kThreefryBlock, second_key, index);
      }
      value = NormalFloat(w, word, second, a, b, wide);
    }
  }
  if (rng->shape.NumElements() == 1) return FirstOf(rewriter, *rng, value, rng->shape);
  return w.b.Reshape(value, rng->shape.dims());
}

}  // namespace

absl::Status ExpandRandom(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kRng) {
        if (inst->operands.size() != 3) {
          return LocatedError(absl::StatusCode::kInternal, *inst, "has no state");
        }
        rewriter.Replace(inst, ExpandRng(rewriter, inst));
      } else if (inst->opcode == Opcode::kRngBitGenerator) {
        rewriter.Replace(inst, ExpandGenerator(rewriter, inst));
      }
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return FlattenTuples(module);
}

}  // namespace halyard::lowering
