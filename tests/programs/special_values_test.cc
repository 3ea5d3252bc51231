// Compiles and runs every program of tests/data/vectors, tests/data/check and tests/data/fixtures
// with special values in its float arguments, and compares with the evaluator. By default, runs a
// sample; with $HALYARD_NIGHTLY, all; with $HALYARD_SPECIAL=TEXT, those whose names contain TEXT.
#include "tests/programs/special_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/api/client.h"
#include "client/arrays/npz.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/write/write.h"
#include "tests/programs/agreement.h"
#include "tests/programs/minimize.h"
#include "tests/programs/test_programs.h"
#include "tests/source_folder.h"

namespace halyard::testing {
namespace {

// Where targets may differ from the evaluator, and why (special_values.txt).
struct Decision {
  bool IsFor(absl::string_view where, absl::string_view name) const {
    if (target == "*" ? where == "xla" : target != where) return false;
    if (!absl::StartsWith(name, program)) return false;
    // The program at line 1 is not the one at line 10.
    return name.size() == program.size() || !absl::ascii_isdigit(name[program.size()]);
  }

  std::string target;   // "*": any but XLA
  std::string program;  // what its name begins with
};

// The decision for a program that differs, or null.
const Decision* Decided(const std::vector<Decision>& decisions, absl::string_view target,
                        absl::string_view name) {
  const auto found = std::find_if(decisions.begin(), decisions.end(),
                                  [&](const Decision& d) { return d.IsFor(target, name); });
  return found == decisions.end() ? nullptr : &*found;
}

std::vector<Decision> ReadDecisions() {
  std::vector<Decision> decisions;
  std::ifstream in(SourceFolder() + "/tests/data/programs/special_values.txt");
  EXPECT_TRUE(in) << "special_values.txt is missing";
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> sides = absl::StrSplit(line, absl::MaxSplits(": ", 1));
    EXPECT_EQ(sides.size(), 2u) << "no reason: " << line;
    const std::vector<std::string> words = absl::StrSplit(sides[0], absl::MaxSplits(' ', 1));
    EXPECT_EQ(words.size(), 2u) << "TARGET PROGRAM: reason, not " << line;
    if (words.size() == 2) decisions.push_back({words[0], words[1]});
  }
  return decisions;
}

constexpr int kMinimized = 4;  // failures whose programs are reduced

struct Counts {
  int programs = 0, runs = 0, wrong = 0, decided = 0;
  std::map<std::string, int> left_out;
};

// Compiles and runs on one target, and compares with the evaluator.
class Checker {
 public:
  explicit Checker(const ClientOptions& options)
      : options_(options), client_(Client::Create(options)) {}

  const absl::Status& status() const { return client_.status(); }

  // Returns what is wrong, or "".
  std::string Check(const Program& program) {
    executable_ = absl::FailedPreconditionError("");
    return CheckAgain(program);
  }

  // Does the same with other arguments for the module of the last call, which is not compiled
  // again.
  std::string CheckAgain(const Program& program) {
    absl::StatusOr<Agreement> agreement = Agreement::WithEvaluator(program);
    if (!agreement.ok()) return absl::StrCat("evaluator: ", agreement.status().ToString());
    if (client_.ok() && !executable_.ok()) executable_ = (*client_)->Compile(*program.module);
    if (!client_.ok() || !executable_.ok()) {
      return (client_.ok() ? executable_.status() : client_.status()).ToString();
    }
    absl::StatusOr<std::vector<hlo::Literal>> got = (*executable_)->RunLiterals(program.arguments);
    if (got.ok()) return agreement->Check(*got, options_.target == "vulkan");
    // A kernel that failed on the device has broken it for this client.
    if (absl::IsAborted(got.status())) {
      executable_ = absl::AbortedError("");
      client_ = absl::AbortedError("");
      client_ = Client::Create(options_);
    }
    return got.status().ToString();
  }

 private:
  const ClientOptions options_;
  absl::StatusOr<std::unique_ptr<Client>> client_;
  absl::StatusOr<std::unique_ptr<Executable>> executable_ = absl::FailedPreconditionError("");
};

class SpecialValues : public ::testing::TestWithParam<std::pair<const char*, int>> {
 protected:
  void SetUp() override {
    target_ = GetParam().first;
    if (const char* seed = getenv("HALYARD_SPECIAL_SEED")) seed_ = atoi(seed);
    if (const char* only = getenv("HALYARD_SPECIAL")) only_ = only;
  }

  bool Wanted(const TestProgram& program) {
    if (!only_.empty()) return absl::StrContains(program.name, only_);
    if (getenv("HALYARD_NIGHTLY") != nullptr) return true;
    // Takes one program of each kind, the same each time.
    if (!kinds_.insert(program.kind).second) return false;
    return static_cast<int>(kinds_.size()) % GetParam().second == 0;
  }

  void Try(Checker& checker, TestProgram& test) {
    const std::vector<SpecialArguments> all = WithSpecialValues(
        *test.program.module, test.program.arguments, {.denormals = true, .seed = seed_});
    if (all.empty()) {
      ++counts_.left_out["no floats"];
      return;
    }
    // If a program fails with its own arguments, this is for other tests to find.
    if (const std::string wrong = checker.Check(test.program); !wrong.empty()) {
      ++counts_.left_out["does not run as it stands"];
      if (!only_.empty()) std::cout << test.name << ": " << wrong << "\n";
      return;
    }
    ++counts_.programs;
    for (const SpecialArguments& special : all) {
      test.program.arguments = special.arguments;
      if (!Evaluate(*test.program.module, special.arguments).ok()) {
        ++counts_.left_out["runs: a loop has no end"];
        continue;
      }
      ++counts_.runs;
      const std::string wrong = checker.CheckAgain(test.program);
      if (wrong.empty()) continue;
      if (Decided(decisions_, target_, test.name) != nullptr) {
        ++counts_.decided;
        return;
      }
      ++counts_.wrong;
      Report(checker, test, special.what, wrong);
      return;
    }
  }

  void Report(Checker& checker, const TestProgram& test, const std::string& what,
              const std::string& wrong) {
    std::string smallest;
    if (counts_.wrong <= kMinimized) {
      const Program small = Minimize(
          test.program, [&](const Program& p) { return !checker.Check(p).empty(); }, 60);
      smallest = absl::StrCat("\nSmallest: ", checker.Check(small), "\n", ToText(small));
    }
    ADD_FAILURE() << target_ << ": " << test.name << " (" << what << ", seed " << seed_
                  << "): " << wrong << smallest;
  }

  std::string target_, only_;
  uint32_t seed_ = 1;
  std::set<std::string> kinds_;
  Counts counts_;
  const std::vector<Decision> decisions_ = ReadDecisions();
};

TEST_P(SpecialValues, GiveWhatTheEvaluatorGives) {
  ClientOptions options;
  options.target = target_;
  Checker checker(options);
  if (!checker.status().ok()) GTEST_SKIP() << checker.status();
  ForEachTestProgram([&](TestProgram program) {
    if (Wanted(program)) Try(checker, program);
  });
  std::cout << target_ << ": " << counts_.programs << " programs, " << counts_.runs << " runs, "
            << counts_.wrong << " wrong, " << counts_.decided << " decided";
  for (const auto& [why, count] : counts_.left_out) {
    std::cout << "; " << count << " left out: " << why;
  }
  std::cout << std::endl;
  if (only_.empty()) {
    EXPECT_GT(counts_.runs, getenv("HALYARD_NIGHTLY") != nullptr ? 3000 : 20);
  }
}

// Compares the evaluator with XLA's CPU compiler, in three steps: WriteInputs, run_with_xla.py,
// Agrees. All of them use the folder $HALYARD_SPECIAL_XLA (scripts/nightly special).
class BesideXla : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = getenv("HALYARD_SPECIAL_XLA");
    if (folder == nullptr) GTEST_SKIP() << "$HALYARD_SPECIAL_XLA is not set";
    folder_ = folder;
  }

  // Calls `use` with each program, its number and its special arguments.
  template <typename Use>
  void ForEach(const Use& use) {
    int number = 0;
    ForEachTestProgram([&](TestProgram test) {
      ++number;
      if (const char* only = getenv("HALYARD_SPECIAL")) {
        if (!absl::StrContains(test.name, only)) return;
      }
      use(test, absl::StrCat(folder_, "/", number),
          WithSpecialValues(*test.program.module, test.program.arguments, {}));
    });
  }

  std::string folder_;
};

using Arrays = std::vector<std::pair<std::string, hlo::Literal>>;

TEST_F(BesideXla, WriteInputs) {
  ForEach([&](const TestProgram& test, const std::string& stem,
              const std::vector<SpecialArguments>& all) {
    if (all.empty()) return;
    auto document = stablehlo::WriteStableHlo(*test.program.module);
    if (!document.ok()) return;
    std::ofstream(stem + ".mlir") << stablehlo::PrintStableHlo(**document);
    for (size_t i = 0; i < all.size(); ++i) {
      Arrays arrays;
      for (const hlo::Literal& argument : all[i].arguments) {
        arrays.emplace_back(absl::StrCat("arg", arrays.size()), argument);
      }
      EXPECT_TRUE(WriteNpz(absl::StrCat(stem, ".", i, ".in.npz"), arrays).ok());
    }
  });
}

TEST_F(BesideXla, Agrees) {
  const std::vector<Decision> decisions = ReadDecisions();
  int runs = 0, decided = 0;
  std::set<std::string> met;
  ForEach(
      [&](TestProgram& test, const std::string& stem, const std::vector<SpecialArguments>& all) {
        for (size_t i = 0; i < all.size(); ++i) {
          auto arrays = ReadNpz(absl::StrCat(stem, ".", i, ".out.npz"));
          if (!arrays.ok()) return;  // XLA has not run it
          std::vector<hlo::Literal> wanted;
          while (arrays->contains(absl::StrCat("out", wanted.size()))) {
            wanted.push_back(arrays->at(absl::StrCat("out", wanted.size())));
          }
          test.program.arguments = all[i].arguments;
          auto values = Evaluate(*test.program.module, test.program.arguments);
          auto agreement = Agreement::WithResults(test.program, wanted);
          if (!values.ok() || !agreement.ok()) return;
          ++runs;
          std::vector<hlo::Literal> got;
          const hlo::Instruction* root = test.program.module->entry()->root();
          if (!root->shape.IsTuple()) got.push_back(values->at(root->name));
          for (const hlo::Instruction* operand : root->operands) {
            if (root->shape.IsTuple()) got.push_back(values->at(operand->name));
          }
          const std::string wrong = agreement->Check(got, /*flushes=*/false);
          if (wrong.empty()) continue;
          if (const Decision* known = Decided(decisions, "xla", test.name); known != nullptr) {
            met.insert(known->program);
            ++decided;
          } else {
            ADD_FAILURE() << "xla: " << test.name << " (" << all[i].what << "): " << wrong;
          }
          return;
        }
      });
  std::cout << "xla: " << runs << " runs, " << decided << " decided" << std::endl;
  EXPECT_GT(runs, 20);
  if (getenv("HALYARD_SPECIAL") != nullptr) return;
  for (const Decision& decision : decisions) {
    if (decision.target != "xla") continue;
    EXPECT_TRUE(met.contains(decision.program)) << decision.program << " agrees by now";
  }
}

// The numbers of the sample: about one kind of program in this many.
INSTANTIATE_TEST_SUITE_P(All, SpecialValues,
                         ::testing::Values(std::pair{"x86", 12}, std::pair{"vulkan", 20},
                                           std::pair{"cuda", 20}),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace halyard::testing
