#include "autotuner/rules/sampled_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "autotuner/rules/operand_parts.h"
#include "autotuner/rules/terms.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::autotuner {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr int64_t kFewestIndices = 8;  // of a dimension that is sampled

// Returns the shape of the part of an array, or of several arrays of the same dimensions.
Shape PartShape(const Shape& shape, const Part& part) {
  if (part.empty()) return shape;
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(PartShape(element, part));
    return Shape::Tuple(std::move(elements));
  }
  std::vector<int64_t> dims = shape.dims();
  for (size_t d = 0; d < dims.size(); ++d) {
    if (part[d] != nullptr) dims[d] = static_cast<int64_t>(part[d]->size());
  }
  return shape.WithDims(std::move(dims));
}

ArraySample SampleFor(const Shape& shape, const Part& part) {
  ArraySample sample;
  sample.element_bytes = hlo::StorageBytes(shape.element_type());
  sample.dims = shape.dims();
  sample.indices.resize(shape.dims().size());
  for (size_t d = 0; d < part.size(); ++d) {
    if (part[d] != nullptr) sample.indices[d] = *part[d];
  }
  return sample;
}

// Returns the array [n] of the numbers, converted to the type.
Literal IotaOf(const Ints& numbers, hlo::ElementType type) {
  Literal literal(Shape::Array(type, {static_cast<int64_t>(numbers.size())}));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (hlo::IsFloat(type)) {
      literal.SetFloat(at, static_cast<double>(numbers[i]));
    } else if (hlo::IsComplex(type)) {
      literal.SetComplex(at, static_cast<double>(numbers[i]));
    } else {
      literal.SetInt(at, numbers[i]);
    }
  }
  return literal;
}

// Copies a kernel's instructions into a module as far as parts of its results need them.
class PartsBuilder {
 public:
  PartsBuilder() : module_(std::make_unique<hlo::Module>("sample")) {
    entry_ = module_->AddComputation("entry");
    module_->set_entry(entry_);
  }

  // Returns the instruction that computes the part, or null if it cannot be computed from parts of
  // the operands.
  Instruction* Make(const Instruction& inst, const Part& part) {
    const auto [at, added] = made_.try_emplace({&inst, part}, nullptr);
    if (added) {
      Instruction* made = MakeNew(inst, part);
      made_[{&inst, part}] = made;
      return made;
    }
    return at->second;
  }

  hlo::Computation* entry() { return entry_; }
  SampledOutput Take(ArraySample sample) {
    return {std::move(sample), std::move(module_), std::move(parameters_)};
  }

 private:
  Instruction* MakeNew(const Instruction& inst, const Part& part) {
    if (inst.opcode == Opcode::kParameter) return MakeParameter(inst, part);
    if (inst.opcode == Opcode::kConstant && !part.empty())
      return entry_->AddConstant(PartOf(inst.literal, SampleFor(inst.shape, part)));
    if (inst.opcode == Opcode::kIota && !part.empty()) return MakeIota(inst, part);
    const std::optional<OperandParts> parts = OperandPartsFor(inst, part, &lists_);
    if (!parts.has_value()) return nullptr;
    std::vector<Instruction*> operands;
    for (size_t i = 0; i < inst.operands.size(); ++i) {
      operands.push_back(Make(*inst.operands[i], parts->operands[i]));
      if (operands.back() == nullptr) return nullptr;
    }
    Instruction* copy = entry_->AddClone(inst, std::move(operands));
    copy->shape = PartShape(inst.shape, part);
    if (parts->slice.has_value()) copy->attrs.Set(Attr::kSlice, *parts->slice);
    return copy;
  }

  Instruction* MakeParameter(const Instruction& inst, const Part& part) {
    if (!inst.shape.IsArray()) return nullptr;
    const auto number = static_cast<int64_t>(parameters_.size());
    parameters_.push_back({inst.parameter_number, SampleFor(inst.shape, part)});
    return entry_->AddParameter(number, PartShape(inst.shape, part));
  }

  Instruction* MakeIota(const Instruction& inst, const Part& part) {
    const int64_t dim = inst.GetInt(Attr::kIotaDimension);
    const Ints* list = part[static_cast<size_t>(dim)];
    if (list == nullptr) {
      Instruction* iota = entry_->AddClone(inst, {});
      iota->shape = PartShape(inst.shape, part);
      return iota;
    }
    Instruction* numbers = entry_->AddConstant(IotaOf(*list, inst.shape.element_type()));
    hlo::AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{dim});
    return entry_->Add(Opcode::kBroadcast, PartShape(inst.shape, part), {numbers}, attrs);
  }

  std::unique_ptr<hlo::Module> module_;
  hlo::Computation* entry_;
  std::vector<SampledParameter> parameters_;
  std::map<std::pair<const Instruction*, Part>, Instruction*> made_;
  IndexLists lists_;
};

// An output of the kernel: a result of `inst`, or its element `index` if that is a tuple.
struct Leaf {
  const Instruction* inst = nullptr;
  int64_t index = -1;
  const Shape& shape() const {
    return index < 0 ? inst->shape : inst->shape.elements()[static_cast<size_t>(index)];
  }
};

// Returns the outputs, or nothing if some are no arrays, or are in tuples of tuples.
std::vector<Leaf> LeavesOf(const Instruction& root) {
  std::vector<Leaf> leaves;
  if (root.opcode == Opcode::kTuple) {
    for (const Instruction* operand : root.operands) leaves.push_back({operand});
  } else if (root.shape.IsTuple()) {
    for (size_t i = 0; i < root.shape.elements().size(); ++i)
      leaves.push_back({&root, static_cast<int64_t>(i)});
  } else {
    leaves.push_back({&root});
  }
  const bool arrays = std::all_of(leaves.begin(), leaves.end(),
                                  [](const Leaf& leaf) { return leaf.shape().IsArray(); });
  return arrays ? leaves : std::vector<Leaf>();
}

// Chooses the sample of one output.
class OutputSampler {
 public:
  explicit OutputSampler(const Leaf& leaf) : leaf_(leaf), counts_(leaf.shape().dims()) {
    for (size_t d = 0; d < counts_.size(); ++d) {
      std::vector<int64_t> one = counts_;
      one[d] = std::min(kFewestIndices, one[d]);
      can_.push_back(one[d] < counts_[d] && WorkWith(one) < kNever);
    }
  }

  SampledOutput Sample(double most_work) {
    double work = WorkWith(counts_);
    while (work > most_work) {
      const int64_t dim = NextDim();
      if (dim < 0) break;
      Halve(dim, &counts_);
      work = WorkWith(counts_);
    }
    return *Build(counts_);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  static void Halve(int64_t dim, std::vector<int64_t>* counts) {
    int64_t& count = (*counts)[static_cast<size_t>(dim)];
    count = std::max(kFewestIndices, count / 2);
  }

  // Returns the dimension of which to take fewer elements, or -1. Of those that save about the
  // most work, takes the one with most elements left.
  int64_t NextDim() const {
    std::vector<double> work(counts_.size(), kNever);
    for (size_t d = 0; d < counts_.size(); ++d) {
      if (!can_[d] || counts_[d] <= kFewestIndices) continue;
      std::vector<int64_t> fewer = counts_;
      Halve(static_cast<int64_t>(d), &fewer);
      work[d] = WorkWith(fewer);
    }
    const double least = work.empty() ? kNever : *std::min_element(work.begin(), work.end());
    int64_t next = -1;
    for (size_t d = 0; d < counts_.size(); ++d) {
      if (work[d] == kNever || work[d] > 1.25 * least) continue;
      if (next < 0 || counts_[d] > counts_[static_cast<size_t>(next)])
        next = static_cast<int64_t>(d);
    }
    return next;
  }

  double WorkWith(const std::vector<int64_t>& counts) const {
    const std::optional<SampledOutput> output = Build(counts);
    return output.has_value() ? WorkOf(*output->module) : kNever;
  }

  std::optional<SampledOutput> Build(const std::vector<int64_t>& counts) const {
    const Shape& shape = leaf_.shape();
    IndexLists lists;
    Part part;
    for (size_t d = 0; d < counts.size(); ++d) {
      const int64_t size = shape.dims()[d];
      part.push_back(counts[d] < size ? lists.Add(SpreadIndices(size, counts[d])) : nullptr);
    }
    part = Canonical(std::move(part));
    PartsBuilder builder;
    Instruction* made = builder.Make(*leaf_.inst, part);
    if (made == nullptr) return std::nullopt;
    if (leaf_.index >= 0) {
      hlo::AttrMap attrs;
      attrs.Set(Attr::kIndex, leaf_.index);
      made = builder.entry()->Add(Opcode::kGetTupleElement, PartShape(shape, part), {made}, attrs);
    }
    builder.entry()->set_root(made);
    return builder.Take(SampleFor(shape, part));
  }

  const Leaf leaf_;
  std::vector<int64_t> counts_;  // how many indices of each dimension are in the sample
  std::vector<bool> can_;        // whether elements can be left out along it
};

}  // namespace

double WorkOf(const hlo::Module& module) {
  double work = 0;
  for (const auto& inst : module.entry()->instructions()) {
    double elements = 0;
    for (const Shape& leaf : hlo::FlattenShape(inst->shape)) {
      if (leaf.IsArray()) elements += static_cast<double>(leaf.NumElements());
    }
    const double terms = TermsOf(*inst);
    switch (inst->opcode) {
      case Opcode::kDot:  // a library of matrix products computes it
        work += elements * (1 + terms / 50);
        break;
      case Opcode::kConvolution:
        work += elements * (1 + terms / 10);
        break;
      case Opcode::kScatter:
        work += elements + terms;
        break;
      case Opcode::kSort:
        work += elements * std::log2(elements + 2);
        break;
      default:
        work += elements * terms;
    }
  }
  return work;
}

std::vector<SampledOutput> SampleOutputs(const hlo::Module& kernel, double most_work) {
  if (WorkOf(kernel) <= most_work) return {};
  const std::vector<Leaf> leaves = LeavesOf(*kernel.entry()->root());
  std::vector<SampledOutput> outputs;
  for (const Leaf& leaf : leaves) {
    OutputSampler sampler(leaf);
    outputs.push_back(sampler.Sample(most_work / static_cast<double>(leaves.size())));
  }
  const bool whole = std::all_of(outputs.begin(), outputs.end(),
                                 [](const auto& output) { return output.sample.IsWhole(); });
  return whole ? std::vector<SampledOutput>() : std::move(outputs);
}

Literal PartOf(const Literal& array, const ArraySample& part) {
  if (part.IsWhole()) return array;
  const std::string bytes = SampleOf(
      absl::string_view(reinterpret_cast<const char*>(array.bytes().data()), array.bytes().size()),
      part);
  std::vector<int64_t> dims = part.dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!part.indices[d].empty()) dims[d] = static_cast<int64_t>(part.indices[d].size());
  }
  Literal literal(array.shape().WithDims(std::move(dims)));
  memcpy(literal.mutable_bytes().data(), bytes.data(), bytes.size());
  return literal;
}

}  // namespace halyard::autotuner
