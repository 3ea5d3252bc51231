// merge-pass: sorted runs are merged in pairs (semantics: frontend/hlo/sort_pass.cc). Each output
// element finds by bisection how many of the elements before it are the first run's (merge path:
// Odeh, Green, Mwassi, Shmueli, Birk, "Merge Path: Parallel Merging Made Simple", 2012).

#include "absl/strings/str_cat.h"
#include "lowering/emitter.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::select;
using hlo::Instruction;

namespace {

// Two elements, one from each run, at places of one line.
class Pair {
 public:
  Pair(Emitter& emitter, const Instruction& inst, const LogicalIndex& index, const Expr& first,
       const Expr& second) {
    const size_t n = inst.operands.size() - 1;
    const int64_t last = inst.operand(0)->shape.dims().back() - 1;
    LogicalIndex a = index, b = index;
    a.back() = ClampInt(first, 0, last);
    b.back() = ClampInt(second, 0, last);
    std::vector<Value> arguments;
    for (size_t k = 0; k < n; ++k) {
      first_.push_back(emitter.At(inst.operand(k), a));
      second_.push_back(emitter.At(inst.operand(k), b));
      arguments.push_back(second_.back());
      arguments.push_back(first_.back());
    }
    second_before_ = emitter.Apply(*inst.called[0], arguments)[0].re;
  }
  Expr second_before() const { return second_before_; }
  std::vector<Value> Choose(const Expr& take_first) const {
    std::vector<Value> values;
    for (size_t k = 0; k < first_.size(); ++k) {
      values.push_back(SelectValue(take_first, first_[k], second_[k]));
    }
    return values;
  }

 private:
  std::vector<Value> first_, second_;
  Expr second_before_;
};

}  // namespace

std::vector<Value> LowerMergePass(Emitter& emitter, const Instruction& inst,
                                  const LogicalIndex& index) {
  const int64_t length = inst.operand(0)->shape.dims().back();
  if (length > (1 << 30)) {
    throw EmitError(absl::StrCat(inst.name, ": merges lines of more than 2^30 elements"));
  }
  const Expr end = static_cast<int32_t>(length);
  const Expr width = Halide::max(
      ClampedIndex(emitter.At(inst.operands.back(), {}), length), 1);
  const Expr place = index.back();
  const Expr pair = Halide::cast<int32_t>(Halide::cast<uint32_t>(place) /
                                          Halide::cast<uint32_t>(width * 2));
  const Expr start = pair * width * 2;
  const Expr middle = Halide::min(start + width, end);
  const Expr first = middle - start;                                  // elements of the first run
  const Expr second = Halide::min(middle + width, end) - middle;      // … of the second
  const Expr before = place - start;

  // Bisection. Both runs together have `length` elements at most, the shorter one half of them.
  Expr low = Halide::max(before - second, 0), high = Halide::min(before, first);
  for (int64_t range = length / 2; range > 0; range /= 2) {
    const Expr guess = (low + high) >> 1;
    const Pair elements(emitter, inst, index, start + guess, middle + before - 1 - guess);
    const Expr more = low < high && !elements.second_before();
    high = select(more, high, guess);
    low = select(more, guess + 1, low);
  }
  const Expr from_second = before - low;
  const Pair elements(emitter, inst, index, start + low, middle + from_second);
  return elements.Choose(low < first && (from_second >= second || !elements.second_before()));
}

}  // namespace halyard::lowering
