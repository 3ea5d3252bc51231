#include "lowering/kernels/sort/define.h"

#include "lowering/kernels/emitter.h"
#include "runtime/device_class.h"

namespace halyard::lowering {

using Halide::Expr;

namespace {

// Shared memory only holds 32-bit words, because LLVM drops stores to some arrays if Halide puts
// arrays of 8 and of 16 bits in the same place.
Exchange::Elements ToWords(const Exchange::Elements& elements) {
  Exchange::Elements words;
  for (const Expr& element : elements) {
    const int bits = element.type().bits();
    const Expr raw = Halide::reinterpret(Halide::UInt(bits), element);
    words.push_back(Halide::cast<uint32_t>(raw));
    if (bits == 64) words.push_back(Halide::cast<uint32_t>(raw >> 32));
  }
  return words;
}

Exchange::Elements FromWords(const Exchange::Elements& words,
                             const std::vector<Halide::Type>& types) {
  Exchange::Elements elements;
  size_t next = 0;
  for (const Halide::Type& type : types) {
    Expr raw = words[next++];
    if (type.bits() == 64) {
      raw = Halide::cast<uint64_t>(raw) | (Halide::cast<uint64_t>(words[next++]) << 32);
    } else {
      raw = Halide::cast(Halide::UInt(type.bits()), raw);
    }
    elements.push_back(Halide::reinterpret(type, raw));
  }
  return elements;
}

}  // namespace

void LoweredKernel::BuildExchange() {
  const Halide::Var position = axes[0].var, place("place"), block("block");
  const bool one_line = axes.size() == 1;
  const Halide::Var line = one_line ? Halide::Var("line") : axes[1].var;
  Exchange& e = As<Exchange>();
  const int32_t size = static_cast<int32_t>(e.block);
  std::function<Exchange::Elements(const Expr&, const Expr&, const Expr&)> before =
      [&e, size](const Expr& i, const Expr& b, const Expr& l) { return e.load(l, b * size + i); };
  const auto pass = [&](int64_t p, const Expr& i, const Expr& b, const Expr& l) {
    return e.exchange(p, i, b * size, [&](const Expr& at) { return before(at, b, l); });
  };
  for (int64_t p = 0; p + 1 < e.passes; ++p) {
    Halide::Func stage("pass" + std::to_string(p));
    Exchange::Elements values = pass(p, place, block, line);
    std::vector<Halide::Type> types;
    for (const Expr& value : values) types.push_back(value.type());
    const bool words = runtime::IsGpu(device);
    if (words) values = ToWords(values);
    if (values.size() == 1) {
      stage(place, block, line) = values[0];
    } else {
      stage(place, block, line) = Halide::Tuple(values);
    }
    e.stage_funcs.push_back(stage);
    before = [stage, words, types](const Expr& i, const Expr& b, const Expr& l) {
      const Exchange::Elements stored = CallElements(stage, {i, b, l});
      return words ? FromWords(stored, types) : stored;
    };
  }
  output = Halide::Func("out");
  const Expr l = one_line ? Expr(0) : Expr(line);
  const Exchange::Elements all = pass(e.passes - 1, position % size, position / size, l);
  Exchange::Elements values;
  for (const size_t array : e.outputs) values.push_back(all[array]);
  if (values.size() == 1) {
    output(VarsOf(axes)) = values[0];
  } else {
    output(VarsOf(axes)) = Halide::Tuple(values);
  }
  SetOutputBounds();
}

}  // namespace halyard::lowering
