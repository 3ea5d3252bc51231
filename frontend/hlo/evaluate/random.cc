// Random numbers. What `rng` draws is Halyard's own (docs/numerics.md); the lowering
// (lowering/plan/expand/random.cc) gives the same bits.
#include "frontend/hlo/values/random.h"

#include <cmath>
#include <limits>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

// A narrow result keeps the low bits of a word.
Literal FromBits(const Shape& shape, const std::vector<uint64_t>& words) {
  const int bits = BitWidth(shape.element_type());
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  Literal literal(shape);
  for (int64_t i = 0; i < static_cast<int64_t>(words.size()); ++i) {
    if (IsFloat(shape.element_type())) {
      literal.SetBits(i, words[i] & mask);
    } else {
      literal.SetInt(i, static_cast<int64_t>(words[i]));
    }
  }
  return literal;
}

Literal StateLiteral(const Shape& shape, const std::vector<uint64_t>& words) {
  return EncodeInts(shape, words);
}

Literal ThreeFryBits(const Shape& state_shape, std::vector<uint64_t> state, const Shape& output) {
  std::vector<uint64_t> words(output.NumElements());
  if (BitWidth(output.element_type()) == 64) {
    for (uint64_t& word : words) word = Threefry2x32(state[0], state[1]++);
  } else {
    const ThreeFryHalves halves = HalvesOf(output);
    for (int64_t p = 0; p < halves.outer; ++p) {
      for (int64_t i = 0; i < halves.Half(); ++i) {
        for (int64_t q = 0; q < halves.inner; ++q) {
          const uint64_t block = Threefry2x32(state[0], state[1]++);
          for (int64_t j = 2 * i; j < std::min(2 * i + 2, halves.split); ++j) {
            words[(p * halves.split + j) * halves.inner + q] =
                static_cast<uint32_t>(block >> (j % 2 * 32));
          }
        }
      }
    }
  }
  return Literal::Tuple({StateLiteral(state_shape, state), FromBits(output, words)});
}

Literal PhiloxBits(const Shape& state_shape, std::vector<uint64_t> state, const Shape& output) {
  const bool wide = state.size() == 3;
  // A state of two words starts with the key, which is also the counter's high half.
  uint64_t low = state[1], high = wide ? state[2] : state[0];
  const int per_block = BitWidth(output.element_type()) == 64 ? 2 : 4;
  std::vector<uint64_t> words(output.NumElements());
  std::array<uint64_t, 2> block = {};
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t part = i % per_block;
    if (part == 0) {
      block = Philox4x32(state[0], low, high);
      if (++low == 0) ++high;
    }
    words[i] =
        per_block == 2 ? block[part] : static_cast<uint32_t>(block[part / 2] >> (part % 2 * 32));
  }
  state[1] = low;
  if (wide) state[2] = high;
  return Literal::Tuple({StateLiteral(state_shape, state), FromBits(output, words)});
}

// Returns the second word of an element, for types that need two.
uint64_t SecondKey(uint64_t key) {
  return key ^ uint64_t { 1 } << 63;
}

// Draws from [a, b), or returns a if that is empty. F is float for narrow types and double for f64.
template <typename F>
F UniformFloat(ElementType type, uint64_t word, F a, F b) {
  constexpr bool kDouble = sizeof(F) == 8;
  const F u = kDouble ? static_cast<F>(word >> 11) * static_cast<F>(0x1p-53)
                      : static_cast<F>(word >> 40) * static_cast<F>(0x1p-24);
  auto rounded = [type](F x) { return static_cast<F>(DecodeFloat(type, EncodeFloat(type, x))); };
  const F first = a * (1 - u), second = b * u;
  F value = rounded(first + second);
  // If rounding has reached b, takes the number below it.
  const F step = std::abs(b) * static_cast<F>(std::ldexp(1.25, -FormatOf(type).mantissa_bits - 1));
  const F below = rounded(b - std::max(step, static_cast<F>(SmallestStep(type))));
  if (value >= b) value = below;
  return value < a ? a : value;
}

uint64_t UniformInt(ElementType type, uint64_t word, uint64_t a, uint64_t b) {
  const bool more = IsSigned(type) ? static_cast<int64_t>(b) > static_cast<int64_t>(a) : b > a;
  const uint64_t range = more ? b - a : 0;
  return a + static_cast<uint64_t>(static_cast<unsigned __int128>(word) * range >> 64);
}

// Box and Muller, in the arithmetic of F.
template <typename F>
F NormalFloat(uint64_t key, uint64_t index, F mean, F deviation) {
  F u, v;
  const uint64_t word = Threefry2x32(key, index);
  if constexpr (sizeof(F) == 8) {
    u = (static_cast<F>(word >> 12) + 0.5) * 0x1p-52;
    v = static_cast<F>(Threefry2x32(SecondKey(key), index) >> 11) * 0x1p-53;
  } else {
    u = (static_cast<F>(word >> 41) + 0.5f) * 0x1p-23f;
    v = static_cast<F>(static_cast<uint32_t>(word) >> 8) * 0x1p-24f;
  }
  const F radius = static_cast<F>(std::sqrt(F{-2} * static_cast<F>(std::log(double{u}))));
  const F angle = v * static_cast<F>(2 * M_PI);
  const F scaled = deviation * (radius * static_cast<F>(std::cos(double{angle})));
  return mean + scaled;
}

template <typename F>
Literal FloatNumbers(const Instruction& inst, bool normal, uint64_t key, F a, F b) {
  const ElementType type = inst.shape.element_type();
  Literal result(inst.shape);
  for (int64_t i = 0; i < inst.shape.NumElements(); ++i) {
    result.SetFloat(i, normal ? NormalFloat<F>(key, i, a, b)
                              : UniformFloat<F>(type, Threefry2x32(key, i), a, b));
  }
  return result;
}

}  // namespace

double SmallestStep(ElementType float_type) {
  if (float_type == ElementType::kF64) return std::numeric_limits<double>::min();
  const FloatFormat format = FormatOf(float_type);
  const double denormal = std::ldexp(1.0, 1 - format.bias - format.mantissa_bits);
  return std::max<double>(0.75 * denormal, std::numeric_limits<float>::min());
}

absl::StatusOr<Literal> EvaluateRng(Evaluator& evaluator, const Instruction& inst,
                                    absl::Span<const Literal> operands) {
  const uint64_t key = operands.size() == 3 ? operands[2].GetUint(0) : evaluator.NextRandom();
  const ElementType type = inst.shape.element_type();
  if (type == ElementType::kF64) {
    return FloatNumbers<double>(inst, *IsNormal(inst), key, operands[0].GetFloat(0),
                                operands[1].GetFloat(0));
  }
  if (IsFloat(type)) {
    return FloatNumbers<float>(inst, *IsNormal(inst), key,
                               static_cast<float>(operands[0].GetFloat(0)),
                               static_cast<float>(operands[1].GetFloat(0)));
  }
  const uint64_t a = DecodeInts(operands[0])[0], b = DecodeInts(operands[1])[0];
  std::vector<uint64_t> values(inst.shape.NumElements());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = UniformInt(type, Threefry2x32(key, i), a, b);
  }
  return EncodeInts(inst.shape, values);
}

absl::StatusOr<Literal> EvaluateRngBitGenerator(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  const Shape& output = inst.shape.elements()[1];
  const Shape& state = inst.shape.elements()[0];
  return *BitGeneratorOf(inst) == BitGenerator::kThreeFry
             ? ThreeFryBits(state, DecodeInts(operands[0]), output)
             : PhiloxBits(state, DecodeInts(operands[0]), output);
}

// Ops of the lowering. threefry-block: (key, counter) → two words; philox-block: (key, low, high,
// half) → half 0 or 1 of the four words.
absl::StatusOr<Literal> EvaluateThreefryBlock(Evaluator&, const Instruction& inst,
                                              absl::Span<const Literal> operands) {
  const std::vector<uint64_t> key = DecodeInts(operands[0]), counter = DecodeInts(operands[1]);
  std::vector<uint64_t> words(key.size());
  for (size_t i = 0; i < words.size(); ++i) words[i] = Threefry2x32(key[i], counter[i]);
  return EncodeInts(inst.shape, words);
}

absl::StatusOr<Literal> EvaluatePhiloxBlock(Evaluator&, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  std::vector<std::vector<uint64_t>> in;
  for (const Literal& operand : operands) in.push_back(DecodeInts(operand));
  std::vector<uint64_t> words(in[0].size());
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = Philox4x32(in[0][i], in[1][i], in[2][i])[in[3][i] & 1];
  }
  return EncodeInts(inst.shape, words);
}

}  // namespace halyard::hlo
