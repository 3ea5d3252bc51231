#include "client/check/check.h"

#include <algorithm>
#include <unordered_set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/check/ops.h"
#include "client/check/rewrite.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/vhlo/vhlo.h"

namespace halyard::check {
namespace {

using hlo::Literal;

constexpr absl::string_view kEntry = "halyard.check";

// Returns whether the line is "// -----", perhaps with more dashes.
bool IsDivider(absl::string_view line) {
  line = absl::StripTrailingAsciiWhitespace(line);
  return absl::StartsWith(line, "// -----") &&
         line.find_first_not_of('-', 3) == absl::string_view::npos;
}

bool IsBlank(absl::string_view text) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (!line.empty() && !absl::StartsWith(line, "//")) return false;
  }
  return true;
}

Literal ValueOf(const Constant& constant, const hlo::Shape& shape) {
  const mlir::DenseData& data = *constant.value->data;
  if (!data.splat) return Literal::FromBytes(shape, data.bytes);
  const Literal one = Literal::FromBytes(hlo::Shape::Scalar(data.element_type), data.bytes);
  Literal all = Literal::Splat(shape.Storage().WithDefaultLayout(), one);
  const absl::Span<const std::byte> bytes = all.bytes();
  return Literal::FromBytes(shape, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

// Returns the number of leaves of each value that a function returns.
std::vector<size_t> LeavesOfResults(const hlo::Shape& root, size_t results) {
  if (results == 1) return {hlo::FlattenShape(root).size()};
  std::vector<size_t> leaves;
  for (const hlo::Shape& element : root.elements()) {
    leaves.push_back(hlo::FlattenShape(element).size());
  }
  return leaves;
}

// Returns the names in `from`, and those of all functions that they refer to, directly or not.
std::unordered_set<std::string> Reached(const std::vector<std::unique_ptr<Function>>& functions,
                                        const std::vector<const Function*>& from) {
  std::unordered_set<std::string> names;
  std::vector<std::string> open;
  for (const Function* function : from) open.push_back(function->name);
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!names.insert(name).second) continue;
    for (const auto& function : functions) {
      if (function->name != name) continue;
      std::unordered_set<std::string> symbols;
      AddSymbols(*function->op, &symbols);
      open.insert(open.end(), symbols.begin(), symbols.end());
    }
  }
  return names;
}

// Returns what the expectation's probe saw in this run, or else the saved array.
absl::StatusOr<Literal> Serialized(const Expectation& expectation,
                                   const std::vector<Interpreter::Seen>& seen,
                                   const std::string& folder) {
  int64_t count = 0;
  for (const Interpreter::Seen& one : seen) {
    if (one.id == expectation.probe && count++ == expectation.iteration) return one.value;
  }
  if (count == 0) return ReadSerialized(expectation, folder);
  return absl::FailedPreconditionError(absl::StrCat(
      expectation.place, ": ", expectation.name, ": probe ", expectation.probe, " saw ", count,
      " values, of which number ", expectation.iteration, " (from 0) is wanted"));
}

}  // namespace

std::vector<std::string> SplitPrograms(absl::string_view text) {
  std::vector<std::string> programs;
  std::string program;
  size_t lines = 0;
  auto finish = [&] {
    if (!IsBlank(program)) programs.push_back(std::move(program));
    program.assign(lines, '\n');
  };
  while (!text.empty()) {
    const size_t end = text.find('\n');  // each line keeps its line break, if it has one
    const size_t size = end == absl::string_view::npos ? text.size() : end + 1;
    const absl::string_view line = text.substr(0, size);
    ++lines;
    if (IsDivider(absl::StripSuffix(line, "\n"))) {
      finish();
    } else {
      absl::StrAppend(&program, line);
    }
    text.remove_prefix(size);
  }
  finish();
  return programs;
}

Program::~Program() = default;

absl::StatusOr<std::unique_ptr<Program>> Program::Read(absl::string_view bytes,
                                                       absl::string_view filename) {
  auto document = stablehlo::IsBytecode(bytes) ? stablehlo::ReadBytecode(bytes, filename)
                                               : mlir::ParseMlir(bytes, filename, CheckSyntax());
  if (!document.ok()) return document.status();
  auto program = std::unique_ptr<Program>(new Program());
  program->document_ = *std::move(document);
  program->functions_ = FindFunctions(*program->document_);
  program->interpreter_ = std::make_unique<Interpreter>();
  return program;
}

void Program::Prepare(bool hoist_constants) {
  if (prepared_) return;
  prepared_ = true;
  Rewrite(*document_, functions_, *interpreter_, hoist_constants).RewriteAll();
}

absl::Status Program::Verify() {
  Prepare(/*hoist_constants=*/false);
  for (const auto& function : functions_) {
    if (!function->status.ok()) return function->status;
  }
  std::string entry = functions_.empty() ? "" : functions_[0]->name;
  for (const auto& function : functions_) {
    if (function->name == "main") entry = "main";
  }
  return stablehlo::VerifyDocument(*document_, entry);
}

std::vector<const Function*> Program::Running() const {
  std::vector<const Function*> running;
  for (const auto& function : functions_) {
    if (function->runs) running.push_back(function.get());
  }
  return running;
}

std::vector<std::string> Program::functions() const {
  std::vector<std::string> names;
  for (const Function* function : Running()) names.push_back(function->name);
  return names;
}

// Takes the functions that `needed` do not reach out of the document while it exists, so that
// errors in them do not affect the others.
class Program::Focus {
 public:
  // If `entry`, adds a function kEntry that calls the needed functions.
  Focus(mlir::Document& document, const std::vector<std::unique_ptr<Function>>& functions,
        const std::vector<const Function*>& needed, bool entry)
      : entry_(entry) {
    const std::unordered_set<std::string> names = Reached(functions, needed);
    for (const auto& function : functions) {
      if (names.contains(function->name)) continue;
      auto found = std::find_if(function->home->begin(), function->home->end(),
                                [&](const auto& op) { return op.get() == function->op; });
      aside_.emplace_back(function->home, std::move(*found));
      function->home->erase(found);
    }
    if (entry_) document.operations.push_back(Rewrite::MakeEntry(document, needed, kEntry));
    document_ = &document;
  }
  Focus(const Focus&) = delete;
  Focus& operator=(const Focus&) = delete;
  ~Focus() {
    if (entry_) document_->operations.pop_back();
    for (auto& [home, op] : aside_) home->push_back(std::move(op));
  }

 private:
  const bool entry_;
  mlir::Document* document_ = nullptr;
  std::vector<std::pair<Operations*, std::unique_ptr<mlir::Operation>>> aside_;
};

absl::StatusOr<Runnable> Program::MakeRunnable(const std::vector<const Function*>& functions) {
  Focus focus(*document_, functions_, functions, /*entry=*/true);
  auto module = stablehlo::ConvertDocument(*document_, kEntry);
  if (!module.ok()) return module.status();
  Runnable runnable{functions[0]->name, *std::move(module), {}};
  const std::vector<hlo::Instruction*>& parameters = runnable.module->entry()->parameters();
  for (const Function* function : functions) {
    for (const Constant& constant : function->constants) {
      const size_t next = runnable.arguments.size();
      if (next >= parameters.size() || !parameters[next]->shape.IsArray()) {
        return absl::InternalError("the program has too few arguments");
      }
      runnable.arguments.push_back(ValueOf(constant, parameters[next]->shape.Storage()));
    }
  }
  return runnable;
}

std::vector<Runnable> Program::Runnables() {
  Prepare(/*hoist_constants=*/true);
  std::vector<Runnable> runnables;
  for (const Function* function : Running()) {
    const std::unordered_set<std::string> names = Reached(functions_, {function});
    const bool left_out =
        !function->status.ok() || function->takes_arguments ||
        std::any_of(functions_.begin(), functions_.end(), [&](const auto& reached) {
          return names.contains(reached->name) &&
                 (reached->probes || !reached->parallel_place.empty());
        });
    if (left_out) continue;
    absl::StatusOr<Runnable> runnable = MakeRunnable({function});
    if (runnable.ok()) runnables.push_back(*std::move(runnable));
  }
  return runnables;
}

absl::Status Program::RunTogether(const Runner& runner,
                                  const std::vector<const Function*>& functions,
                                  std::vector<absl::Status>* outcomes) {
  outcomes->clear();
  interpreter_->Clear();
  absl::StatusOr<Runnable> runnable = MakeRunnable(functions);
  if (!runnable.ok()) return runnable.status();
  auto executable = runner.client.Compile(*runnable->module, runner.options);
  if (!executable.ok()) return executable.status();
  size_t results = 0;
  for (const Function* function : functions) results += function->type()->results.size();
  auto values = (*executable)->RunLiterals(runnable->arguments);
  if (!values.ok()) return values.status();
  const std::vector<Interpreter::Seen> seen = interpreter_->seen();
  if (!runner.settings.probes.empty()) {
    if (absl::Status s = WriteProbes(seen, runner.settings.probes); !s.ok()) return s;
  }
  const std::vector<size_t> leaves =
      LeavesOfResults(runnable->module->entry()->root()->shape, results);
  size_t leaf = 0, result = 0;
  for (const Function* function : functions) {
    size_t checked = 0;
    for (const Expectation& expectation : function->expectations) {
      checked += static_cast<size_t>(expectation.operands());
    }
    for (size_t own = function->type()->results.size() - checked; own > 0; --own) {
      leaf += leaves[result++];
    }
    absl::Status& outcome = outcomes->emplace_back();
    for (const Expectation& expectation : function->expectations) {
      const Literal& actual = (*values)[leaf];
      absl::StatusOr<Literal> expected = actual;
      if (expectation.constant.has_value()) {
        expected = *expectation.constant;
      } else if (expectation.kind == Expectation::Kind::kSerializedEq) {
        expected = Serialized(expectation, seen, runner.settings.data);
      } else {
        expected = (*values)[leaf + 1];
      }
      leaf += static_cast<size_t>(expectation.operands());
      result += static_cast<size_t>(expectation.operands());
      if (!outcome.ok()) continue;
      outcome = expected.ok() ? Compare(expectation, actual, *expected) : expected.status();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Program::UsesInterpreter(const Client& client,
                                              const Function& function) const {
  bool uses = false;
  const std::unordered_set<std::string> names = Reached(functions_, {&function});
  for (const auto& reached : functions_) {
    if (!names.contains(reached->name)) continue;
    uses = uses || reached->probes || !reached->parallel_place.empty();
    if (!reached->parallel_place.empty() &&
        client.target().device.kind != runtime::DeviceKind::kReference) {
      return absl::UnimplementedError(absl::StrCat(
          reached->parallel_place, ": error: '", kParallelTarget, "' runs several processes, and ",
          client.options().target, " runs one: use --target=reference"));
    }
  }
  return uses;
}

// Makes modules of the functions of parallel runs.
absl::Status Program::MakeProcesses() {
  for (const ParallelSite& site : interpreter_->parallel_sites()) {
    for (const std::vector<std::string>* names : {&site.programs, &site.infeed}) {
      for (const std::string& name : *names) {
        if (interpreter_->HasModule(name)) continue;
        auto found = std::find_if(functions_.begin(), functions_.end(),
                                  [&](const auto& function) { return function->name == name; });
        Focus focus(*document_, functions_, {found->get()}, /*entry=*/false);
        auto module = stablehlo::ConvertDocument(*document_, name);
        if (!module.ok()) return module.status();
        interpreter_->SetModule(name, *std::move(module));
      }
    }
  }
  return absl::OkStatus();
}

std::vector<absl::Status> Program::Run(Client& client, const RunSettings& settings,
                                       const CompileOptions& options) {
  Prepare(/*hoist_constants=*/true);
  const Runner runner{client, settings, options};
  const std::vector<const Function*> running = Running();
  std::vector<absl::Status> outcomes(running.size());
  std::vector<const Function*> good;
  std::vector<size_t> places;
  for (size_t i = 0; i < running.size(); ++i) {
    outcomes[i] = running[i]->status;
    if (!outcomes[i].ok()) continue;
    if (running[i]->takes_arguments) {
      outcomes[i] = absl::InvalidArgumentError(document_->source.ErrorAt(
          running[i]->op->offset,
          absl::StrCat("@", running[i]->name, " takes arguments: there is nothing to run it on")));
      continue;
    }
    const absl::StatusOr<bool> alone = UsesInterpreter(client, *running[i]);
    outcomes[i] = alone.status();
    if (!outcomes[i].ok()) continue;
    if (*alone) {
      std::vector<absl::Status> own;
      outcomes[i] = MakeProcesses();
      if (outcomes[i].ok()) RunOrSplit(runner, {running[i]}, &own);
      if (!own.empty()) outcomes[i] = own[0];
      continue;
    }
    good.push_back(running[i]);
    places.push_back(i);
  }
  std::vector<absl::Status> some;
  RunOrSplit(runner, good, &some);
  for (size_t i = 0; i < good.size(); ++i) outcomes[places[i]] = some[i];
  return outcomes;
}

void Program::RunOrSplit(const Runner& runner, const std::vector<const Function*>& functions,
                         std::vector<absl::Status>* outcomes) {
  outcomes->clear();
  if (functions.empty()) return;
  const absl::Status status = RunTogether(runner, functions, outcomes);
  if (status.ok()) return;
  if (functions.size() == 1) {
    outcomes->assign(1, status);
    return;
  }
  // Each half is tried alone, to find the functions that are wrong.
  const auto half = functions.begin() + static_cast<int64_t>(functions.size() / 2);
  std::vector<absl::Status> later;
  RunOrSplit(runner, {functions.begin(), half}, outcomes);
  RunOrSplit(runner, {half, functions.end()}, &later);
  outcomes->insert(outcomes->end(), later.begin(), later.end());
}

}  // namespace halyard::check
