#include "client/check.h"

#include <algorithm>
#include <unordered_set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/check_ops.h"
#include "client/check_rewrite.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/vhlo.h"

namespace halyard::check {
namespace {

using hlo::Literal;

constexpr absl::string_view kEntry = "halyard.check";

// "// -----", or with more dashes.
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

Literal Value(const Constant& constant, const hlo::Shape& shape) {
  const mlir::DenseData& data = *constant.value->data;
  if (!data.splat) return Literal::FromBytes(shape, data.bytes);
  const Literal one = Literal::FromBytes(hlo::Shape::Scalar(data.element_type), data.bytes);
  Literal all = Literal::Splat(shape.Storage().WithDefaultLayout(), one);
  const absl::Span<const std::byte> bytes = all.bytes();
  return Literal::FromBytes(shape, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

// Leaves of each of the values that a function gives.
std::vector<size_t> LeavesOfResults(const hlo::Shape& root, size_t results) {
  if (results == 1) return {hlo::FlattenShape(root).size()};
  std::vector<size_t> leaves;
  for (const hlo::Shape& element : root.elements()) {
    leaves.push_back(hlo::FlattenShape(element).size());
  }
  return leaves;
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
    const size_t end = text.find('\n');  // of the line, which keeps its end, or has none
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
  return program;
}

void Program::Prepare(bool hoist_constants) {
  if (prepared_) return;
  prepared_ = true;
  Rewrite(*document_, functions_, hoist_constants).RewriteAll();
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

// Puts aside the functions that `needed` do not reach, so that what is wrong with them is theirs.
class Program::Focus {
 public:
  Focus(mlir::Document& document, const std::vector<std::unique_ptr<Function>>& functions,
        const std::vector<const Function*>& needed) {
    std::unordered_set<std::string> names;
    std::vector<std::string> open;
    for (const Function* function : needed) open.push_back(function->name);
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
    for (const auto& function : functions) {
      if (names.contains(function->name)) continue;
      auto found = std::find_if(function->home->begin(), function->home->end(),
                                [&](const auto& op) { return op.get() == function->op; });
      aside_.emplace_back(function->home, std::move(*found));
      function->home->erase(found);
    }
    document.operations.push_back(Rewrite::MakeEntry(document, needed, kEntry));
    document_ = &document;
  }
  Focus(const Focus&) = delete;
  Focus& operator=(const Focus&) = delete;
  ~Focus() {
    document_->operations.pop_back();
    for (auto& [home, op] : aside_) home->push_back(std::move(op));
  }

 private:
  mlir::Document* document_ = nullptr;
  std::vector<std::pair<Operations*, std::unique_ptr<mlir::Operation>>> aside_;
};

absl::Status Program::RunTogether(const Runner& runner,
                                  const std::vector<const Function*>& functions,
                                  std::vector<absl::Status>* outcomes) {
  outcomes->clear();
  Focus focus(*document_, functions_, functions);
  auto module = stablehlo::ConvertDocument(*document_, kEntry);
  if (!module.ok()) return module.status();
  auto executable = runner.client.Compile(**module, runner.options);
  if (!executable.ok()) return executable.status();
  std::vector<Literal> arguments;
  size_t results = 0;
  for (const Function* function : functions) {
    results += function->type()->results.size();
    for (const Constant& constant : function->constants) {
      const size_t next = arguments.size();
      if (next >= (*executable)->parameter_shapes().size()) {
        return absl::InternalError("the program has too few arguments");
      }
      arguments.push_back(Value(constant, (*executable)->parameter_shapes()[next]));
    }
  }
  auto values = (*executable)->RunLiterals(arguments);
  if (!values.ok()) return values.status();
  const std::vector<size_t> leaves = LeavesOfResults((*module)->entry()->root()->shape, results);
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
        expected = ReadSerialized(expectation, runner.data);
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

std::vector<absl::Status> Program::Run(Client& client, const std::string& data,
                                       const CompileOptions& options) {
  Prepare(/*hoist_constants=*/true);
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
    good.push_back(running[i]);
    places.push_back(i);
  }
  std::vector<absl::Status> some;
  RunOrSplit({client, data, options}, good, &some);
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
  // One of them: which?
  const auto half = functions.begin() + static_cast<int64_t>(functions.size() / 2);
  std::vector<absl::Status> later;
  RunOrSplit(runner, {functions.begin(), half}, outcomes);
  RunOrSplit(runner, {half, functions.end()}, &later);
  outcomes->insert(outcomes->end(), later.begin(), later.end());
}

}  // namespace halyard::check
