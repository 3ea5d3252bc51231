// The Funcs of a scan: blocks of elements along the scanned axis, and their totals.
#ifndef HALYARD_SCHEDULES_SCAN_SCAN_BUILDER_H_
#define HALYARD_SCHEDULES_SCAN_SCAN_BUILDER_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "lowering/kernels/emitter.h"
#include "runtime/device_class.h"
#include "schedules/folds.h"
#include "schedules/loops.h"

namespace halyard::schedules {

struct ScannedAxis {
  size_t axis = 0;  // of the hero's
  int64_t length = 0;
  bool reverse = false;  // from the last element on
};

// The values along the scanned axis, at the Vars of the other axes. Beyond the end, they are the
// identity.
using Reader = std::function<std::vector<Value>(const Expr& place)>;

// One block of a scan, over (…, i, k, …): place i of block k.
struct BlockScan {
  Func func;
  Halide::RVar step;
  bool has_steps = false;
};

class ScanBuilder {
 public:
  ScanBuilder(LoweredKernel& kernel, const ScannedAxis& scanned, int64_t block)
      : kernel_(kernel), hero_(*kernel.heroes[0]), scanned_(scanned), block_(block) {}

  const Hero& hero() const { return hero_; }
  size_t axis() const { return scanned_.axis; }
  Var i{"i"}, k{"k"};

  // The hero's axes, with the scanned one replaced.
  Indices At(const Expr& place) const {
    Indices at = lowering::VarsOf(hero_.axes);
    at[scanned_.axis] = place;
    return at;
  }
  Indices At(const Expr& in_block, const Expr& block) const {
    Indices at = At(in_block);
    at.insert(at.begin() + static_cast<int64_t>(scanned_.axis) + 1, block);
    return at;
  }
  std::vector<Axis> AxesWith(const Axis& axis) const {
    std::vector<Axis> axes = hero_.axes;
    axes[scanned_.axis] = axis;
    return axes;
  }

  // The window at the axis's far end holds element r at place r.
  Reader Elements() const {
    return Guarded(scanned_.length, [this](const Expr& place) {
      Indices r(hero_.axes.size(), Expr(0));
      r[scanned_.axis] = place;
      const int64_t end = scanned_.reverse ? 0 : scanned_.length - 1;
      std::vector<Value> term = hero_.term(At(Expr(static_cast<int32_t>(end))), r);
      term[0] = lowering::ConvertTo(term[0], hero_.types[0]);
      return term;
    });
  }
  Reader Of(const Func& func, int64_t count) const {
    return Guarded(count, [this, func](const Expr& place) { return Read(func, At(place)); });
  }
  std::vector<Value> Read(const Func& func, const Indices& at) const {
    std::vector<Expr> elements = lowering::CallElements(func, at);
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = Halide::cast(lowering::StorageType(hero_.types[i]), elements[i]);
    return kernel_.FromStorageExprs(hero_.types, elements);
  }
  Tuple Store(const std::vector<Value>& values) const {
    return Tuple(kernel_.ToStorageExprs(values));
  }

  // Of what threads keep, for themselves and in scratch: bytes as 16 bits, since LLVM 21's NVPTX
  // makes zeros of four neighbouring bytes that are 0 and sums of what was loaded.
  Tuple Keep(const std::vector<Value>& values) const {
    std::vector<Expr> elements = kernel_.ToStorageExprs(values);
    for (Expr& element : elements) {
      if (runtime::IsGpu(kernel_.device) && element.type().bits() == 8)
        element = Halide::cast(element.type().with_bits(16), element);
    }
    return Tuple(elements);
  }

  // What comes before place i of block k (`inclusive`: and it), from `seed`, of block k, on.
  BlockScan Scan(const Reader& value, const Reader& seed, int64_t block, bool inclusive) const {
    BlockScan scan;
    scan.func = Func("scan");
    scan.func(At(i, k)) = Keep(seed ? seed(k) : hero_.identity);
    const int64_t steps = inclusive ? block : block - 1;
    if (steps == 0) return scan;
    const RDom domain(0, static_cast<int32_t>(steps), "s");
    scan.step = domain.x;
    scan.has_steps = true;
    const Expr last = static_cast<int32_t>(block - 1), s = domain.x;
    Expr to = s, from = Halide::max(Usual(s - 1), 0);
    if (!inclusive) {
      to = s + 1;
      from = s;
    }
    if (scanned_.reverse) {
      to = last - to;
      from = last - from;
    }
    const Expr read = Expr(k) * static_cast<int32_t>(block) + (inclusive ? to : from);
    scan.func(At(to, k)) = Keep(hero_.merge(Read(scan.func, At(from, k)), value(read)));
    return scan;
  }

  // Joins the block's elements two by two.
  Func Totals(const Reader& value) const {
    std::vector<std::vector<Value>> leaves;
    for (int64_t e = 0; e < block_; ++e)
      leaves.push_back(value(Expr(k) * static_cast<int32_t>(block_) + static_cast<int32_t>(e)));
    Func totals("totals");
    totals(At(k)) = Store(JoinTree(hero_, std::move(leaves)));
    return totals;
  }

 private:
  // CPU loops are cut where the end comes in sight, so that those before it test nothing.
  Expr Usual(const Expr& value) const {
    return runtime::IsGpu(kernel_.device) ? value : Halide::likely(value);
  }
  Reader Guarded(int64_t count, Reader value) const {
    return [this, count, value](const Expr& place) {
      const Expr limit = static_cast<int32_t>(count);
      std::vector<Value> inside = value(Halide::min(Usual(place), limit - 1));
      if (Halide::Internal::can_prove(place < limit)) return inside;
      Value& element = inside[0];
      element.re = Usual(element.re);
      if (element.stored.defined()) element.stored = Usual(element.stored);
      element = lowering::SelectValue(place < limit, element, hero_.identity[0]);
      return inside;
    };
  }

  LoweredKernel& kernel_;
  Hero& hero_;
  ScannedAxis scanned_;
  int64_t block_;
};

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SCAN_SCAN_BUILDER_H_
