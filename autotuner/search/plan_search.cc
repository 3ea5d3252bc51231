#include "autotuner/search/plan_search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/search/kernel_book.h"
#include "autotuner/search/sequence_search.h"
#include "lowering/plan/passes.h"

namespace halyard::autotuner {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using lowering::PlanChoices;

namespace {

// Adds to `all` how often one run of the program runs this sequence and those that it calls.
void AddUses(const Computation* sequence, double uses,
             std::vector<std::pair<const Computation*, double>>* all) {
  auto found = std::find_if(all->begin(), all->end(),
                            [&](const auto& entry) { return entry.first == sequence; });
  if (found == all->end()) {
    all->push_back({sequence, uses});
  } else {
    found->second += uses;
  }
  for (const auto& inst : sequence->instructions()) {
    if (inst->opcode != Opcode::kWhile && inst->opcode != Opcode::kConditional) continue;
    const bool loop = inst->opcode == Opcode::kWhile;
    const bool counted = loop && inst->Has(hlo::Attr::kKnownTripCount);
    double times = loop ? kUnknownTrips : 1;
    if (counted) times = static_cast<double>(inst->GetInt(hlo::Attr::kKnownTripCount));
    for (size_t i = counted ? 1 : 0; i < inst->called.size(); ++i) {
      AddUses(inst->called[i], uses * times, all);  // a counted loop's condition is not run
    }
  }
}

class PlanSearch {
 public:
  PlanSearch(const lowering::PlanOptions& plan, KernelTimes* times,
             const PlanSearchOptions& options)
      : plan_(plan), options_(options), book_(&plan_, times, &options_) {}

  absl::StatusOr<PlanSearchResult> Run(const hlo::Module& module);

 private:
  // The best cut of the program, given choices for its attentions.
  struct Answer {
    double default_seconds = 0, seconds = 0;
    PlanChoices choices;  // by the instructions' names
    bool complete = true;
  };
  absl::StatusOr<Answer> Search(const PlanChoices& base);
  Answer BestNow(std::vector<SequenceSearch>& sequences, const PlanChoices& base,
                 bool measured_only, std::vector<int>* kernels);
  absl::Status TryAttentions(Answer* best);
  void SetLaunchCost(std::vector<SequenceSearch>& sequences);

  const lowering::PlanOptions plan_;
  const PlanSearchOptions options_;
  KernelBook book_;
  std::unique_ptr<hlo::Module> prepared_;
  int64_t states_ = 0;
  bool launch_known_ = false;
};

PlanSearch::Answer PlanSearch::BestNow(std::vector<SequenceSearch>& sequences,
                                       const PlanChoices& base, bool measured_only,
                                       std::vector<int>* kernels) {
  Answer answer;
  answer.choices.attention = base.attention;
  for (SequenceSearch& sequence : sequences) {
    SequenceSearch::Cut standing = sequence.Default(measured_only);
    SequenceSearch::Cut best = sequence.Best(options_.beam, measured_only);
    states_ += best.states;
    answer.complete = answer.complete && best.complete;
    answer.default_seconds += sequence.uses() * standing.seconds;
    if (!(best.seconds < standing.seconds)) best = std::move(standing);
    answer.seconds += sequence.uses() * best.seconds;
    answer.choices.values.insert(best.choices.begin(), best.choices.end());
    if (kernels != nullptr) {
      kernels->insert(kernels->end(), best.kernels.begin(), best.kernels.end());
    }
  }
  return answer;
}

// Derives the cost of a launch from the time that a run takes beyond its kernels' times.
void PlanSearch::SetLaunchCost(std::vector<SequenceSearch>& sequences) {
  constexpr double kMost = 50e-6;
  launch_known_ = true;
  book_.set_launch_seconds(0);
  double seconds = 0, launches = 0;
  for (SequenceSearch& sequence : sequences) {
    const SequenceSearch::Cut cut = sequence.Default(/*measured_only=*/true);
    seconds += sequence.uses() * cut.seconds;
    launches += sequence.uses() * static_cast<double>(cut.kernels.size());
  }
  const double each = launches > 0 ? (options_.program_seconds - seconds) / launches : 0;
  book_.set_launch_seconds(std::clamp(each, 0.0, kMost));
}

absl::StatusOr<PlanSearch::Answer> PlanSearch::Search(const PlanChoices& base) {
  std::unique_ptr<hlo::Module> module = prepared_->Clone();
  absl::Status formed = lowering::FormAttentionKernels(*module, plan_, base);
  if (!formed.ok()) return formed;
  std::vector<std::pair<const Computation*, double>> uses;
  AddUses(module->entry(), 1, &uses);
  std::vector<SequenceSearch> sequences;
  const lowering::FusionLimits limits = lowering::FusionLimitsOf(plan_.device);
  for (const auto& [sequence, times] : uses) {
    sequences.emplace_back(sequence, times, limits, base, &book_);
  }
  // The default's kernels are measured first, because they are what other plans are compared with.
  std::vector<int> kernels;
  for (SequenceSearch& sequence : sequences) {
    const SequenceSearch::Cut cut = sequence.Default(/*measured_only=*/false);
    kernels.insert(kernels.end(), cut.kernels.begin(), cut.kernels.end());
  }
  absl::StatusOr<bool> all = book_.Measure(kernels);
  if (!all.ok()) return all.status();
  if (!*all) {
    Answer unknown;
    unknown.choices = base;
    unknown.complete = false;
    return unknown;
  }
  if (options_.program_seconds > 0 && !launch_known_) SetLaunchCost(sequences);
  bool left_out = true;
  for (int64_t round = 0; round < options_.most_rounds; ++round) {
    kernels.clear();
    const Answer promised = BestNow(sequences, base, /*measured_only=*/false, &kernels);
    if (options_.progress) {
      options_.progress(book_.measured(), options_.most_measured,
                        promised.seconds / promised.default_seconds);
    }
    const bool known = std::all_of(kernels.begin(), kernels.end(),
                                   [&](int kernel) { return book_.IsKnown(kernel); });
    const bool worth = promised.seconds < promised.default_seconds * (1 - options_.min_gain);
    left_out = !known && worth;
    if (!left_out || !book_.may_measure()) break;
    if (absl::StatusOr<bool> all = book_.Measure(kernels); !all.ok()) return all.status();
  }
  Answer answer = BestNow(sequences, base, /*measured_only=*/true, nullptr);
  answer.complete = answer.complete && !left_out;
  return answer;
}

// Tries the other decision for each attention, and keeps it if that is faster. Attentions of the
// same shape are decided together.
absl::Status PlanSearch::TryAttentions(Answer* best) {
  if (!plan_.attention || best->default_seconds == 0) return absl::OkStatus();
  constexpr size_t kMostKinds = 4;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, bool>>>> kinds;
  for (const auto& [product, by_rule] : lowering::FindAttentions(*prepared_, plan_.device)) {
    auto choice = best->choices.attention.find(product->name);
    const bool on = choice == best->choices.attention.end() ? by_rule : choice->second;
    const std::string kind =
        absl::StrCat(on, product->operand(0)->shape.ToString(),
                     product->operand(1)->shape.ToString(), product->shape.ToString());
    auto found = std::find_if(kinds.begin(), kinds.end(),
                              [&](const auto& entry) { return entry.first == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
    found->second.push_back({product->name, on});
  }
  if (kinds.size() > kMostKinds) {
    kinds.resize(kMostKinds);
    best->complete = false;
  }
  for (const auto& [kind, products] : kinds) {
    PlanChoices base = best->choices;
    for (const auto& [name, on] : products) base.attention[name] = !on;
    absl::StatusOr<Answer> other = Search(base);
    if (!other.ok()) return other.status();
    best->complete = best->complete && other->complete;
    const double standing = best->default_seconds;
    if (other->seconds > 0 && other->seconds < best->seconds * (1 - options_.min_gain)) {
      const bool complete = best->complete;
      *best = *std::move(other);
      best->default_seconds = standing;
      best->complete = complete;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PlanSearchResult> PlanSearch::Run(const hlo::Module& module) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = lowering::PrepareModule(module, plan_);
  if (!prepared.ok()) return prepared.status();
  prepared_ = *std::move(prepared);
  absl::StatusOr<PlanChoices> parsed = lowering::ParseChoices(plan_.choices);
  if (parsed.ok()) parsed = lowering::ResolveChoices(*parsed, *prepared_);
  if (!parsed.ok()) return parsed.status();
  std::unique_ptr<hlo::Module> copy = prepared_->Clone();
  absl::StatusOr<ProgramSpec> planned = lowering::PlanPrepared(*copy, plan_);
  if (!planned.ok()) return planned.status();
  if (absl::Status s = book_.AddPlanned(*planned); !s.ok()) return s;

  absl::StatusOr<Answer> best = Search(*parsed);
  if (!best.ok()) return best.status();
  if (absl::Status s = TryAttentions(&*best); !s.ok()) return s;

  PlanSearchResult result;
  result.default_seconds = result.seconds = best->default_seconds;
  result.measured = book_.measured();
  result.states = states_;
  result.complete = best->complete;
  result.choices = plan_.choices;
  if (!(best->seconds < best->default_seconds * (1 - options_.min_gain))) return result;
  std::unordered_map<std::string, std::string> names;
  for (const auto& [inst, name] : lowering::CanonicalNames(*prepared_)) names[inst->name] = name;
  PlanChoices choices;
  for (const auto& [name, placement] : best->choices.values) {
    auto found = names.find(name);
    if (found != names.end()) choices.values[found->second] = placement;
  }
  for (const auto& [name, on] : best->choices.attention) choices.attention[names.at(name)] = on;
  result.choices = lowering::ChoicesText(choices);
  result.seconds = best->seconds;
  return result;
}

}  // namespace

absl::StatusOr<PlanSearchResult> SearchPlan(const hlo::Module& module,
                                            const lowering::PlanOptions& plan, KernelTimes* times,
                                            const PlanSearchOptions& options) {
  if (!plan.fuse) return absl::InvalidArgumentError("choices are for fused programs only");
  return PlanSearch(plan, times, options).Run(module);
}

}  // namespace halyard::autotuner
