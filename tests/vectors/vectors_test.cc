// Runs every vector of this folder on the evaluator, x86 and Vulkan, and compiles one for each op
// for CUDA. Many vectors become one module, so that kernels are compiled in parallel, and equal
// ones only once.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/vectors/vector_file.h"

namespace halyard {
namespace {

using hlo::Literal;

constexpr size_t kBatch = 48;

const std::vector<Vector>& AllVectors() {
  static const auto* vectors = [] {
    auto* all = new std::vector<Vector>();
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(HALYARD_SOURCE_DIR) +
                                                                 "/tests/data/vectors")) {
      if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
      auto read = ReadVectors(path);
      EXPECT_TRUE(read.ok()) << path << ": " << read.status();
      if (read.ok()) all->insert(all->end(), read->begin(), read->end());
    }
    return all;
  }();
  return *vectors;
}

class Report {
 public:
  explicit Report(absl::string_view target) {
    const char* folder = std::getenv("HALYARD_RESULTS_DIR");
    if (folder == nullptr) return;
    std::filesystem::create_directories(folder);
    out_.open(absl::StrCat(folder, "/vectors_", target, ".txt"));
  }
  void Add(const Vector& vector, bool ok) {
    if (!out_.is_open()) return;
    for (const std::string& op : vector.ops) {
      out_ << op << " " << vector.element_class << " " << vector.type << " "
           << (ok ? "ok" : "failed") << "\n";
    }
  }

 private:
  std::ofstream out_;
};

// Returns the results of all `vectors`, one after the other.
absl::StatusOr<std::vector<Literal>> RunMerged(Client& client,
                                               const std::vector<const Vector*>& vectors) {
  auto module = vectors.size() == 1
                    ? stablehlo::ParseStableHlo(vectors[0]->program, vectors[0]->place)
                    : stablehlo::ParseStableHlo(MergedProgram(vectors), "merged.mlir");
  if (!module.ok()) return module.status();
  auto executable = client.Compile(**module);
  if (!executable.ok()) return executable.status();
  std::vector<Literal> arguments;
  for (const Vector* vector : vectors) {
    for (const Literal& input : vector->inputs) arguments.push_back(input);
  }
  return (*executable)->RunLiterals(arguments);
}

// A client for a target. If its device is broken, a new client takes its place.
class Runner {
 public:
  explicit Runner(const std::string& target)
      : target_(target), client_(Client::Create({.target = target})) {}

  const absl::Status& status() const { return client_.status(); }
  const std::string& target() const { return target_; }
  absl::StatusOr<std::vector<Literal>> Run(const std::vector<const Vector*>& vectors) {
    auto results = RunMerged(**client_, vectors);
    if (!absl::IsAborted(results.status())) return results;
    client_ = absl::UnavailableError("");
    client_ = Client::Create({.target = target_});
    return client_.ok() ? results : client_.status();
  }

 private:
  const std::string target_;
  absl::StatusOr<std::unique_ptr<Client>> client_;
};

void RunBatch(Runner& runner, const std::vector<const Vector*>& batch, Report* report) {
  const std::string& target = runner.target();
  auto results = runner.Run(batch);
  if (!results.ok() && batch.size() > 1) {  // one of them is wrong: which?
    size_t half = batch.size() / 2;
    RunBatch(runner, {batch.begin(), batch.begin() + half}, report);
    RunBatch(runner, {batch.begin() + half, batch.end()}, report);
    return;
  }
  size_t next = 0;
  for (const Vector* vector : batch) {
    bool ok = results.ok();
    EXPECT_TRUE(results.ok()) << target << ": " << vector->place << " " << vector->id << ": "
                              << results.status();
    for (size_t i = 0; results.ok() && i < vector->expected.size(); ++i, ++next) {
      if (next >= results->size()) {
        ok = false;
        ADD_FAILURE() << vector->place << ": too few results";
        break;
      }
      std::string wrong = Mismatch(*vector, i, (*results)[next]);
      EXPECT_EQ(wrong, "") << target << ": " << vector->place << " " << vector->id;
      ok = ok && wrong.empty();
    }
    if (report != nullptr) report->Add(*vector, ok);
  }
}

// `report` may be null.
void RunAll(const std::string& target, Report* report) {
  Runner runner(target);
  if (!runner.status().ok()) GTEST_SKIP() << runner.status();
  std::vector<const Vector*> batch;
  const char* only = std::getenv("HALYARD_VECTORS");  // only those whose place contains this
  for (const Vector& vector : AllVectors()) {
    if (only != nullptr && !absl::StrContains(vector.place, only)) continue;
    if (vector.skip.contains(target) || vector.replicas > 1) continue;
    if (vector.alone) {
      RunBatch(runner, {&vector}, report);
      continue;
    }
    batch.push_back(&vector);
    if (batch.size() < kBatch) continue;
    RunBatch(runner, batch, report);
    batch.clear();
  }
  if (!batch.empty()) RunBatch(runner, batch, report);
}

class Vectors : public testing::TestWithParam<const char*> {};

TEST_P(Vectors, GiveTheExpectedValues) {
  Report report(GetParam());
  RunAll(GetParam(), &report);
}
INSTANTIATE_TEST_SUITE_P(Targets, Vectors, testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

absl::StatusOr<std::vector<std::vector<Literal>>> RunProcesses(Client& client,
                                                               const Vector& vector) {
  auto module = stablehlo::ParseStableHlo(vector.program, vector.place);
  if (!module.ok()) return module.status();
  auto executable = client.Compile(**module, {.num_replicas = vector.replicas});
  if (!executable.ok()) return executable.status();
  const size_t arguments = vector.inputs.size() / vector.replicas;
  std::vector<std::vector<Literal>> inputs(vector.replicas);
  for (size_t i = 0; i < vector.inputs.size(); ++i) {
    inputs[i / arguments].push_back(vector.inputs[i]);
  }
  return (*executable)->RunGridLiterals(inputs);
}

// `report` may be null.
void RunAllProcesses(const std::string& target, Report* report) {
  auto client = Client::Create({.target = target});
  if (!client.ok()) GTEST_SKIP() << client.status();
  int count = 0;
  for (const Vector& vector : AllVectors()) {
    if (vector.replicas == 1) continue;
    ++count;
    auto results = RunProcesses(**client, vector);
    EXPECT_TRUE(results.ok()) << target << ": " << vector.place << ": " << results.status();
    bool ok = results.ok();
    size_t index = 0;
    for (size_t process = 0; ok && process < results->size(); ++process) {
      for (const Literal& got : (*results)[process]) {
        std::string wrong = Mismatch(vector, index++, got);
        EXPECT_EQ(wrong, "") << target << ": " << vector.place << " " << vector.id << ", process "
                             << process;
        ok = ok && wrong.empty();
      }
    }
    if (ok) {
      EXPECT_EQ(index, vector.expected.size()) << vector.place;
    }
    if (report != nullptr) report->Add(vector, ok);
  }
  EXPECT_GE(count, 10);
}

// Vectors of several processes. The report is the evaluator's.
class Processes : public testing::TestWithParam<const char*> {};

TEST_P(Processes, GiveTheExpectedValues) {
  const bool is_reference = GetParam() == std::string("reference");
  std::optional<Report> report;
  if (is_reference) report.emplace("processes");
  RunAllProcesses(GetParam(), is_reference ? &*report : nullptr);
}
INSTANTIATE_TEST_SUITE_P(Targets, Processes, testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

// A vector must contain the ops that it names.
TEST(VectorFiles, HoldTheOpsTheyName) {
  EXPECT_GT(AllVectors().size(), 300u);
  for (const Vector& vector : AllVectors()) {
    EXPECT_FALSE(vector.ops.empty()) << vector.place;
    for (const std::string& op : vector.ops) {
      EXPECT_TRUE(absl::StrContains(vector.program, "." + op) ||
                  absl::StrContains(vector.program, " " + op))
          << vector.place << ": no " << op;
    }
  }
}

// Runs on a GPU or, as the test vectors_cuda, in the fake driver's interpreter.
TEST(Cuda, GivesTheExpectedValues) { RunAll("cuda", nullptr); }

TEST(Cuda, ProcessesGiveTheExpectedValues) { RunAllProcesses("cuda", nullptr); }

// Compiles each op's first vector of each class of types for CUDA.
TEST(Cuda, CompilesEveryOp) {
  if (std::string(HALYARD_PTXAS).empty()) GTEST_SKIP() << "no ptxas";
  auto target = ParseTarget("cuda:sm_80");
  ASSERT_TRUE(target.ok()) << target.status();
  std::set<std::string> seen;
  std::vector<const Vector*> chosen;
  for (const Vector& vector : AllVectors()) {
    if (vector.skip.contains("cuda") || vector.replicas > 1) continue;
    bool fresh = false;
    for (const std::string& op : vector.ops) fresh = seen.insert(op).second || fresh;
    if (fresh) chosen.push_back(&vector);
  }
  Report report("cuda");
  auto compile = [&](auto& self, const std::vector<const Vector*>& vectors) -> void {
    auto module = vectors.size() == 1
                      ? stablehlo::ParseStableHlo(vectors[0]->program, vectors[0]->place)
                      : stablehlo::ParseStableHlo(MergedProgram(vectors), "merged.mlir");
    absl::Status status = module.status();
    if (status.ok()) {
      ProgramCompiler compiler;
      status = compiler.Compile(**module, *target).status();
    }
    if (!status.ok() && vectors.size() > 1) {
      size_t half = vectors.size() / 2;
      self(self, {vectors.begin(), vectors.begin() + half});
      self(self, {vectors.begin() + half, vectors.end()});
      return;
    }
    for (const Vector* vector : vectors) {
      EXPECT_TRUE(status.ok()) << "cuda: " << vector->place << ": " << status;
      report.Add(*vector, status.ok());
    }
  };
  std::vector<const Vector*> together;
  for (const Vector* vector : chosen) {
    if (vector->alone) {
      compile(compile, {vector});
    } else {
      together.push_back(vector);
    }
  }
  compile(compile, together);
}

}  // namespace
}  // namespace halyard
