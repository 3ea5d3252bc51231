#include "autotuner/oracle.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/database.h"
#include "autotuner/terms.h"
#include "autotuner/worker.h"
#include "frontend/files/read_file.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo_text/parser.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::autotuner {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// What a parameter's elements index.
struct IndexUse {
  std::vector<int64_t> bounds;  // by component of an index vector; values are in [0, bound)
  bool vectors = false;         // the last dimension holds the components
  bool distinct = false, sorted = false;
};

// Ops behind which a parameter's elements are still the indices, one by one.
bool KeepsElements(Opcode opcode) {
  return opcode == Opcode::kReshape || opcode == Opcode::kConvert || opcode == Opcode::kCopy ||
         opcode == Opcode::kBitcastConvert;
}

// Gives the use to every parameter that `index` is made from.
void AddUse(const Instruction* index, IndexUse use, std::vector<std::optional<IndexUse>>* uses) {
  if (index->opcode == Opcode::kParameter) {
    std::optional<IndexUse>& slot = (*uses)[static_cast<size_t>(index->parameter_number)];
    if (!slot.has_value()) slot = std::move(use);
    return;
  }
  if (!KeepsElements(index->opcode)) {
    const int64_t least = *std::min_element(use.bounds.begin(), use.bounds.end());
    use.bounds = {least};
    use.vectors = false;
  }
  for (const Instruction* operand : index->operands) AddUse(operand, use, uses);
}

void FindIndexUses(const hlo::Computation& entry, std::vector<std::optional<IndexUse>>* uses) {
  auto bounds_of = [](const Shape& shape, const hlo::Ints& dims) {
    std::vector<int64_t> bounds;
    for (int64_t d : dims) bounds.push_back(std::max<int64_t>(shape.dim(d), 1));
    return bounds;
  };
  for (const auto& inst : entry.instructions()) {
    if (inst->opcode == Opcode::kGather || inst->opcode == Opcode::kScatter) {
      const bool gather = inst->opcode == Opcode::kGather;
      const Instruction* index = inst->operand(gather ? 1 : (inst->operands.size() - 1) / 2);
      IndexUse use;
      use.bounds =
          bounds_of(inst->operand(0)->shape,
                    inst->GetInts(gather ? Attr::kStartIndexMap : Attr::kScatterDimsToOperandDims));
      use.vectors = inst->GetInt(Attr::kIndexVectorDim) == index->shape.rank() - 1;
      use.distinct = !gather && inst->GetBool(Attr::kUniqueIndices);
      use.sorted = inst->GetBool(Attr::kIndicesAreSorted);
      if (use.bounds.empty()) continue;
      AddUse(index, std::move(use), uses);
    }
    const bool slice = inst->opcode == Opcode::kDynamicSlice;
    if (!slice && inst->opcode != Opcode::kDynamicUpdateSlice) continue;
    for (size_t d = slice ? 1 : 2; d < inst->operands.size(); ++d) {
      const int64_t dim = static_cast<int64_t>(d) - (slice ? 1 : 2);
      if (dim >= inst->operand(0)->shape.rank()) break;
      AddUse(inst->operands[d], {{std::max<int64_t>(inst->operand(0)->shape.dim(dim), 1)}}, uses);
    }
  }
}

Literal IndicesOf(const Shape& shape, const IndexUse& use, std::mt19937_64* random) {
  Literal literal(shape);
  const int64_t elements = shape.NumElements();
  const int64_t components = use.vectors ? static_cast<int64_t>(use.bounds.size()) : 1;
  const int64_t vectors = elements / std::max<int64_t>(components, 1);
  double places = 1;
  for (int64_t c = 0; c < components; ++c)
    places *= static_cast<double>(use.bounds[static_cast<size_t>(c)]);
  // The place that each vector says, as one number.
  std::vector<int64_t> place(static_cast<size_t>(vectors));
  const int64_t range = static_cast<int64_t>(std::min(places, 9e18));
  if (use.distinct && range >= vectors) {
    std::set<int64_t> taken;
    for (int64_t& p : place) {
      do {
        p = static_cast<int64_t>((*random)() % static_cast<uint64_t>(range));
        if (2 * vectors > range) p = static_cast<int64_t>(taken.size());  // dense: in order
      } while (!taken.insert(p).second);
    }
    if (2 * vectors > range) std::shuffle(place.begin(), place.end(), *random);
  } else {
    for (int64_t& p : place) p = static_cast<int64_t>((*random)() % static_cast<uint64_t>(range));
  }
  if (use.sorted) std::sort(place.begin(), place.end());
  for (int64_t v = 0; v < vectors; ++v) {
    int64_t rest = place[static_cast<size_t>(v)];
    for (int64_t c = components; c-- > 0;) {
      const int64_t bound = use.bounds[static_cast<size_t>(c)];
      literal.SetInt(v * components + c, rest % bound);
      rest /= bound;
    }
  }
  return literal;
}

Literal NumbersOf(const Shape& shape, std::mt19937_64* random) {
  Literal literal(shape);
  const ElementType type = shape.element_type();
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const uint64_t bits = (*random)();
    const double value = static_cast<double>(bits % 4001) / 1000.0 - 2.0;
    if (hlo::IsFloat(type)) {
      literal.SetFloat(i, value);
    } else if (hlo::IsComplex(type)) {
      literal.SetComplex(i, {value, static_cast<double>((bits >> 32) % 2001) / 1000.0 - 1.0});
    } else {
      literal.SetInt(i, static_cast<int64_t>(bits % 23) - (hlo::IsSigned(type) ? 11 : 0));
    }
  }
  return literal;
}

bool IsFloating(const Shape& shape) {
  return shape.IsArray() &&
         (hlo::IsFloat(shape.element_type()) || hlo::IsComplex(shape.element_type()));
}

// Bytes by field of the file.
std::string WithChecksum(const std::string& body) {
  const uint64_t sum = XXH3_64bits(body.data(), body.size());
  return std::string(reinterpret_cast<const char*>(&sum), sizeof(sum)) + body;
}

constexpr char kInputsVersion[] = "oracle 1";

std::string CachePath(const std::string& folder, const lowering::KernelRequest& request) {
  // The device does not change what a kernel computes.
  return absl::StrCat(folder, "/", KernelFingerprint(absl::StrCat(kInputsVersion, request.hlo)),
                      ".oracle");
}

std::optional<std::vector<std::string>> ReadCache(const std::string& path, const std::string& hlo) {
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, kOwnFileLimits);
  if (!bytes.ok() || bytes->size() < 8 || WithChecksum(bytes->substr(8)) != *bytes)
    return std::nullopt;
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(absl::string_view(*bytes).substr(8));
  if (!parts.ok() || parts->empty() || (*parts)[0] != hlo) return std::nullopt;
  parts->erase(parts->begin());
  return *std::move(parts);
}

// Failing costs time later, nothing else.
void WriteCache(const std::string& folder, const std::string& path, const std::string& hlo,
                const std::vector<std::string>& outputs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<std::string> parts = {hlo};
  parts.insert(parts.end(), outputs.begin(), outputs.end());
  const std::string temporary = absl::StrCat(path, ".", getpid());
  bool good = false;
  {
    std::ofstream file(temporary, std::ios::binary);
    file << WithChecksum(JoinParts(parts));
    good = file.flush().good();
  }
  if (good) {
    std::filesystem::rename(temporary, path, error);
  } else {
    std::filesystem::remove(temporary, error);
  }
}

std::string BytesOf(const Literal& literal) {
  return std::string(reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size());
}

}  // namespace

std::vector<Literal> MadeUpInputs(const hlo::Module& module) {
  const auto& parameters = module.entry()->parameters();
  std::vector<std::optional<IndexUse>> uses(parameters.size());
  FindIndexUses(*module.entry(), &uses);
  std::mt19937_64 random(7);
  std::vector<Literal> inputs;
  for (size_t p = 0; p < parameters.size(); ++p) {
    const Shape& shape = parameters[p]->shape;
    const bool index = uses[p].has_value() && hlo::IsInteger(shape.element_type());
    inputs.push_back(index ? IndicesOf(shape, *uses[p], &random) : NumbersOf(shape, &random));
  }
  return inputs;
}

std::vector<OutputRule> RulesOf(const hlo::Module& module) {
  double terms = 1;
  bool inexact = false, narrow = false;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (!IsFloating(inst->shape)) continue;
      const double own = TermsOf(*inst);
      terms = std::max(terms, own);
      inexact = inexact || own > 1 || IsCostly(inst->opcode);
      narrow = narrow || hlo::BitWidth(hlo::PartType(inst->shape.element_type())) < 32;
    }
  }
  // Of partial sums in f32 or f64, in units of their epsilon.
  const double units = 64 + 8 * std::sqrt(terms);
  constexpr double kF32 = 0x1p-23, kF64 = 0x1p-52, kF16 = 0x1p-10, kBF16 = 0x1p-7;
  std::vector<OutputRule> rules;
  for (const Shape& shape : hlo::FlattenShape(module.entry()->root()->shape)) {
    OutputRule rule;
    switch (hlo::PartType(shape.element_type())) {
      case ElementType::kF64:
        rule = {ElementKind::kF64, kF64 * units};
        break;
      case ElementType::kF32:
        // Values that were rounded to fewer bits on the way may have been rounded the other way.
        rule = {ElementKind::kF32, kF32 * units + (narrow && inexact ? 4 * kBF16 : 0)};
        break;
      case ElementType::kF16:
        rule = {ElementKind::kF16, 4 * kF16 + kF32 * units};
        break;
      case ElementType::kBF16:
        rule = {ElementKind::kBF16, 4 * kBF16 + kF32 * units};
        break;
      default:
        rule.kind = ElementKind::kExact;
        rule.may_differ = inexact ? std::max<int64_t>(1, shape.NumElements() / 100000) : 0;
    }
    rules.push_back(rule);
  }
  return rules;
}

absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder, double keep_after) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      hlo_text::ParseModule(request.hlo, "kernel.hlo");
  if (!module.ok()) return module.status();
  TrialData data;
  data.rules = RulesOf(**module);
  data.aliases = request.aliases;
  const std::vector<Literal> inputs = MadeUpInputs(**module);
  for (const Literal& input : inputs) data.inputs.push_back(BytesOf(input));

  const std::string path = folder.empty() ? "" : CachePath(folder, request);
  if (!path.empty()) {
    std::optional<std::vector<std::string>> kept = ReadCache(path, request.hlo);
    if (kept.has_value() && kept->size() == data.rules.size()) {
      data.expected = *std::move(kept);
      return data;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  hlo::Evaluator evaluator;
  absl::StatusOr<Literal> result = evaluator.Run(**module, inputs);
  if (!result.ok()) return result.status();
  const std::vector<Literal> outputs =
      result->shape().IsTuple() ? result->elements() : std::vector<Literal>{*result};
  for (const Literal& output : outputs) data.expected.push_back(BytesOf(output));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (!path.empty() && took.count() > keep_after)
    WriteCache(folder, path, request.hlo, data.expected);
  return data;
}

}  // namespace halyard::autotuner
