#include "client/tuning/choose_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/records/kept_choices.h"
#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/rounding_rules.h"
#include "autotuner/rules/special_values.h"
#include "autotuner/search/measured_times.h"
#include "client/api/program_compiler.h"
#include "lowering/plan/compile_plan.h"
#include "lowering/plan/fuse/choices.h"

namespace halyard {

using autotuner::InputKind;
using autotuner::Verdict;
using hlo::Literal;

namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) return leaves->push_back(literal);
  for (const Literal& element : literal.elements()) Flatten(element, leaves);
}

// Returns a text that stands for exactly these choices, whatever the database holds.
std::string Exactly(const std::string& choices) { return choices.empty() ? "#" : choices; }

class Contender {
 public:
  static absl::StatusOr<Contender> Make(Client& client, const hlo::Module& module,
                                        CompileOptions compile, const std::string& choices) {
    compile.choices = Exactly(choices);
    Contender made;
    absl::StatusOr<std::unique_ptr<Executable>> executable = client.Compile(module, compile);
    if (!executable.ok()) return executable.status();
    made.executable_ = *std::move(executable);
    return made;
  }

  // Returns the seconds of one run, measured over `runs` in a row.
  absl::StatusOr<double> Time(const std::vector<Buffer>& arguments, int64_t runs) {
    const Clock::time_point start = Clock::now();
    for (int64_t i = 0; i < runs; ++i) {
      absl::StatusOr<std::vector<Buffer>> results =
          executable_->Run(arguments, {.asynchronous = false});
      if (!results.ok()) return results.status();
      for (const Buffer& result : *results) {
        if (absl::Status s = result.Wait(); !s.ok()) return s;
      }
    }
    return Since(start) / static_cast<double>(runs);
  }

  absl::StatusOr<std::vector<Literal>> Results(const std::vector<Literal>& arguments) {
    return executable_->RunLiterals(arguments);
  }

 private:
  std::unique_ptr<Executable> executable_;
};

struct Arguments {
  std::vector<Literal> literals;
  std::vector<Buffer> buffers;
};

absl::StatusOr<Arguments> MakeArguments(Client& client, const hlo::Module& module,
                                        InputKind kind = InputKind::kPlain,
                                        const autotuner::Specials& specials = {}) {
  Arguments arguments;
  for (const Literal& literal : autotuner::MadeUpInputs(module, kind, specials)) {
    Flatten(literal, &arguments.literals);
  }
  for (const Literal& literal : arguments.literals) {
    absl::StatusOr<Buffer> buffer = client.BufferFromLiteral(literal);
    if (!buffer.ok()) return buffer.status();
    arguments.buffers.push_back(*std::move(buffer));
  }
  return arguments;
}

absl::string_view BytesOf(const Literal& literal) {
  return {reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size()};
}

std::vector<double> ScalesOf(absl::Span<const Literal> results,
                             absl::Span<const autotuner::OutputRule> rules) {
  std::vector<double> scales;
  for (size_t i = 0; i < results.size(); ++i) {
    scales.push_back(results[i].shape().IsArray()
                         ? autotuner::LargestOf(BytesOf(results[i]), rules[i].type)
                         : 0);
  }
  return scales;
}

// Checks that two plans of the program agree, in results of all types and on each kind of inputs.
// The results of single kernels are checked where the kernels are measured.
class Agreement {
 public:
  static constexpr InputKind kKinds[] = {InputKind::kPlain, InputKind::kWhole, InputKind::kSpecial};

  Agreement(Client& client, const hlo::Module& module)
      : client_(client),
        module_(module),
        specials_(autotuner::SpecialsFor(module, client.target().device)) {}

  absl::Status Check(Contender& candidate, Contender& standing) {
    std::vector<double> scales;
    for (InputKind kind : kKinds) {
      absl::StatusOr<Arguments> arguments = MakeArguments(client_, module_, kind, specials_);
      if (!arguments.ok()) return arguments.status();
      absl::StatusOr<std::vector<Literal>> got = candidate.Results(arguments->literals);
      if (!got.ok()) return got.status();
      absl::StatusOr<std::vector<Literal>> want = standing.Results(arguments->literals);
      if (!want.ok()) return want.status();
      std::vector<autotuner::OutputRule> rules =
          autotuner::ProgramRulesOf(module_, kind, specials_);
      // Large numbers among special values do not excuse other differences.
      if (kind != InputKind::kSpecial) scales = ScalesOf(*want, rules);
      for (size_t i = 0; i < rules.size(); ++i) rules[i].scale = scales[i];
      if (absl::Status s = ComparePlanResults(*got, *want, rules); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

 private:
  Client& client_;
  const hlo::Module& module_;
  const autotuner::Specials specials_;
};

// The number of runs that take about 20 ms.
int64_t RunsFor(double seconds) {
  return std::clamp<int64_t>(static_cast<int64_t>(0.02 / std::max(seconds, 1e-9)), 1, 20000);
}

// Returns the median time of some runs of the program as it is.
absl::StatusOr<double> ProgramSeconds(Client& client, const hlo::Module& module,
                                      const CompileOptions& compile, const std::string& choices) {
  absl::StatusOr<Contender> program = Contender::Make(client, module, compile, choices);
  if (!program.ok()) return program.status();
  absl::StatusOr<Arguments> arguments = MakeArguments(client, module);
  if (!arguments.ok()) return arguments.status();
  absl::StatusOr<double> first = program->Time(arguments->buffers, 1);
  if (first.ok()) first = program->Time(arguments->buffers, 1);
  if (!first.ok()) return first.status();
  std::vector<double> seconds;
  for (int i = 0; i < 7; ++i) {
    absl::StatusOr<double> one = program->Time(arguments->buffers, RunsFor(*first));
    if (!one.ok()) return one.status();
    seconds.push_back(*one);
  }
  return autotuner::Median(std::move(seconds));
}

autotuner::Record RecordOf(const std::string& key, const runtime::DeviceInfo& device,
                           const std::string& choices, double seconds, int64_t rounds) {
  autotuner::Record record;
  record.kernel = key;
  record.device = device.name;
  record.schedule =
      choices.empty() ? autotuner::kRules : absl::StrReplaceAll(choices, {{"\n", "; "}});
  record.version = autotuner::ChoicesVersion();
  record.seconds = seconds;
  record.rounds = rounds;
  record.created = time(nullptr);
  record.machine = autotuner::MachineName(device);
  return record;
}

}  // namespace

absl::Status ComparePlanResults(absl::Span<const Literal> got, absl::Span<const Literal> want,
                                absl::Span<const autotuner::OutputRule> rules) {
  if (got.size() != want.size() || want.size() != rules.size())
    return absl::InternalError("two plans of the program give different numbers of results");
  for (size_t i = 0; i < want.size(); ++i) {
    if (!want[i].shape().IsArray()) continue;
    double difference = 0;
    const std::string wrong =
        autotuner::CompareOutput(BytesOf(got[i]), BytesOf(want[i]), rules[i], &difference);
    if (wrong.empty()) continue;
    return absl::InternalError(
        absl::StrCat("two plans of the program differ: result ", i, ": ", wrong));
  }
  return absl::OkStatus();
}

absl::StatusOr<PlanComparison> ComparePlans(Client& client, const hlo::Module& module,
                                            const CompileOptions& compile,
                                            const std::string& choices, const std::string& base,
                                            const autotuner::PairedOptions& paired,
                                            double most_seconds) {
  absl::StatusOr<Contender> candidate = Contender::Make(client, module, compile, choices);
  if (!candidate.ok()) return candidate.status();
  absl::StatusOr<Contender> standing = Contender::Make(client, module, compile, base);
  if (!standing.ok()) return standing.status();
  absl::StatusOr<Arguments> arguments = MakeArguments(client, module);
  if (!arguments.ok()) return arguments.status();
  Agreement agreement(client, module);
  if (absl::Status s = agreement.Check(*candidate, *standing); !s.ok()) return s;

  const Clock::time_point start = Clock::now();
  absl::StatusOr<double> once = standing->Time(arguments->buffers, 1);
  if (!once.ok()) return once.status();
  const int64_t runs = RunsFor(*once);
  autotuner::PairedRounds rounds(paired);
  while (rounds.verdict() == Verdict::kUndecided && Since(start) < most_seconds) {
    // The order changes from round to round, because the second finds caches and clocks as the
    // first left them.
    Contender* turns[2] = {&*candidate, &*standing};
    const bool swapped = rounds.rounds() % 2 != 0;
    if (swapped) std::swap(turns[0], turns[1]);
    absl::StatusOr<double> first = turns[0]->Time(arguments->buffers, runs);
    absl::StatusOr<double> second = turns[1]->Time(arguments->buffers, runs);
    if (!first.ok()) return first.status();
    if (!second.ok()) return second.status();
    rounds.Add(swapped ? *second : *first, swapped ? *first : *second);
  }
  // The results are compared once more, because they may depend on what earlier runs of the plan
  // left.
  if (rounds.verdict() == Verdict::kFaster) {
    if (absl::Status s = agreement.Check(*candidate, *standing); !s.ok()) return s;
  }
  return PlanComparison{rounds.verdict(), rounds.candidate(), rounds.best(), rounds.rounds()};
}

absl::StatusOr<PlanTuneResult> TunePlan(Client& client, const hlo::Module& module,
                                        const CompileOptions& compile,
                                        autotuner::Database* database, autotuner::Trials* trials,
                                        const PlanTuneOptions& options) {
  absl::StatusOr<lowering::PlanOptions> plan = PlanOptionsFor(client.target(), compile);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = lowering::PrepareModule(module, *plan);
  if (!prepared.ok()) return prepared.status();
  const runtime::DeviceInfo& device = client.target().device;
  const std::string key = lowering::ProgramKey(**prepared, device);
  absl::StatusOr<std::optional<autotuner::Record>> kept =
      autotuner::KeptRecord(*database, key, device.name);
  if (!kept.ok()) return kept.status();

  PlanTuneResult result;
  result.before = result.kept = kept->has_value() ? autotuner::ChoicesOf(**kept) : "";
  plan->choices = Exactly(result.before);
  autotuner::PlanSearchOptions search = options.search;
  absl::StatusOr<double> seconds = ProgramSeconds(client, module, compile, result.before);
  if (!seconds.ok()) return seconds.status();
  search.program_seconds = *seconds;
  autotuner::MeasuredTimes times(database, trials);
  absl::StatusOr<autotuner::PlanSearchResult> found =
      autotuner::SearchPlan(module, *plan, &times, search);
  if (!found.ok()) return found.status();
  result.search = *std::move(found);
  if (result.search.choices == plan->choices) {
    result.search.choices = result.before;
    return result;
  }

  absl::StatusOr<PlanComparison> compared =
      ComparePlans(client, module, compile, result.search.choices, result.before, options.paired,
                   options.most_compare_seconds);
  if (!compared.ok()) return compared.status();
  result.comparison = *compared;
  if (compared->verdict != Verdict::kFaster) return result;
  result.kept = result.search.choices;
  // Both records come from the same rounds, so that the database, too, has the faster plan as the
  // faster one. They are put on the scale of the record that is already there.
  autotuner::Record faster =
      RecordOf(key, device, result.kept, compared->seconds, compared->rounds);
  autotuner::Record slower =
      RecordOf(key, device, result.before, compared->base_seconds, compared->rounds);
  if (kept->has_value()) {
    autotuner::PutOnScale((*kept)->seconds, compared->base_seconds, compared->verdict, &faster);
    slower.seconds = (*kept)->seconds;
  }
  const autotuner::Record records[] = {faster, slower};
  if (absl::Status s = database->Put(records); !s.ok()) return s;
  return result;
}

std::string PlanTuneText(const PlanTuneResult& result) {
  const autotuner::PlanSearchResult& search = result.search;
  std::string text = absl::StrFormat(
      "plan: %d kernels of other plans measured, %d frontiers looked at%s\n", search.measured,
      search.states, search.complete ? "" : " (not all: limits of the search)");
  const PlanComparison& compared = result.comparison;
  if (compared.rounds == 0) {
    absl::StrAppend(&text, "plan: no other promises to be faster; ",
                    result.before.empty() ? "the rules stay\n" : "what was chosen stays\n");
    return text;
  }
  absl::StrAppendFormat(&text, "plan: by its kernels %.2fx; as a whole %.2fx (%d rounds)%s\n",
                        search.default_seconds / search.seconds,
                        compared.base_seconds / compared.seconds, compared.rounds,
                        result.kept == search.choices ? ": kept" : ": not known to be faster");
  if (result.kept != search.choices) return text;
  if (result.kept.empty()) return text + "  the rules\n";
  for (absl::string_view line : absl::StrSplit(result.kept, '\n')) {
    absl::StrAppend(&text, "  ", line, "\n");
  }
  return text;
}

}  // namespace halyard
