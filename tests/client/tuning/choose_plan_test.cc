// Choices are searched, compared with the default and kept, on real devices.
#include "client/tuning/choose_plan.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/records/kept_choices.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/plan/fuse/choices.h"

namespace halyard {
namespace {

using autotuner::Database;
using autotuner::Verdict;

// Memory traffic dominates these ops, so one kernel is the best choice and five are the worst.
constexpr char kLight[] = R"(HloModule m
ENTRY e {
  x = f32[N] parameter(0)
  a = f32[N] abs(x)
  b = f32[N] negate(a)
  c = f32[N] floor(b)
  d = f32[N] abs(c)
  ROOT f = f32[N] negate(d)
})";

std::unique_ptr<hlo::Module> Light(int64_t elements) {
  const std::string text = absl::StrReplaceAll(kLight, {{"[N]", absl::StrCat("[", elements, "]")}});
  auto module = hlo_text::ParseModule(text, "light.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

std::string CutEverywhere(const hlo::Module& module) {
  std::string text;
  for (const auto& [inst, name] : lowering::CanonicalNames(module)) {
    if (inst->opcode != hlo::Opcode::kParameter && inst != module.entry()->root()) {
      absl::StrAppend(&text, "store ", name, "\n");
    }
  }
  return text;
}

// Compares a result of every class of type. Each must count.
TEST(ComparePlanResults, OfEveryType) {
  using hlo::ElementType;
  for (ElementType type :
       {ElementType::kPred, ElementType::kS8, ElementType::kU64, ElementType::kS4,
        ElementType::kF8E5M2, ElementType::kF16, ElementType::kBF16, ElementType::kF32,
        ElementType::kF64, ElementType::kC64, ElementType::kC128}) {
    SCOPED_TRACE(std::string(hlo::HloName(type)));
    hlo::Literal want(hlo::Shape::Array(type, {8}));
    for (int64_t i = 0; i < 8; ++i) {
      if (hlo::IsComplex(type)) {
        want.SetComplex(i, {1, 1});
      } else if (hlo::IsFloat(type)) {
        want.SetFloat(i, 1);
      } else {
        want.SetInt(i, 1);
      }
    }
    const autotuner::OutputRule rule = {
        .type = hlo::PartType(type), .of_largest = 1e-6, .scale = 1};
    EXPECT_TRUE(ComparePlanResults({want}, {want}, {rule}).ok());
    hlo::Literal got = want;
    if (hlo::IsComplex(type)) {
      got.SetComplex(7, {1, 0.5});
    } else if (hlo::IsFloat(type)) {
      got.SetFloat(7, 0.5);
    } else {
      got.SetInt(7, 0);
    }
    const absl::Status differ = ComparePlanResults({want, got}, {want, want}, {rule, rule});
    EXPECT_EQ(differ.code(), absl::StatusCode::kInternal);
    EXPECT_NE(differ.message().find("result 1: element "), std::string::npos) << differ;
  }
}

class TunePlanTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ClientOptions options;
    options.target = GetParam();
    auto client = Client::Create(options);
    if (!client.ok()) GTEST_SKIP() << client.status();
    client_ = *std::move(client);
    folder_ = std::filesystem::temp_directory_path() / absl::StrCat("tune_plan.", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Client> client_;
  std::filesystem::path folder_;
};

TEST_P(TunePlanTest, CutsOfLightOpsAreSlower) {
  const std::unique_ptr<hlo::Module> module = Light(int64_t{1} << 20);
  const std::string cut = CutEverywhere(*module);
  absl::StatusOr<PlanComparison> slower = ComparePlans(*client_, *module, {}, cut, "");
  ASSERT_TRUE(slower.ok()) << slower.status();
  EXPECT_EQ(slower->verdict, Verdict::kSlower) << slower->seconds << " " << slower->base_seconds;
  absl::StatusOr<PlanComparison> faster = ComparePlans(*client_, *module, {}, "", cut);
  ASSERT_TRUE(faster.ok()) << faster.status();
  EXPECT_EQ(faster->verdict, Verdict::kFaster) << faster->seconds << " " << faster->base_seconds;
}

// The database holds choices that used to be good, but no longer are. The search must find better
// ones by measuring, and what it keeps must be used from then on.
TEST_P(TunePlanTest, FindsBetterChoicesThanThoseKept) {
  const std::unique_ptr<hlo::Module> module = Light(int64_t{1} << 20);
  absl::StatusOr<Database> database =
      Database::Open(folder_ / "tuning.sqlite", Database::Mode::kReadWrite);
  ASSERT_TRUE(database.ok()) << database.status();
  const runtime::DeviceInfo& device = client_->target().device;
  autotuner::Record bad;
  bad.kernel = lowering::ProgramKey(*module, device);
  bad.device = device.name;
  bad.schedule = absl::StrReplaceAll(CutEverywhere(*module), {{"\n", "; "}});
  bad.version = autotuner::ChoicesVersion();
  bad.seconds = 1;
  ASSERT_TRUE(database->Put({&bad, 1}).ok());

  auto compiler = lowering::KernelCompiler::Create({});
  autotuner::MeasureOptions measure;
  measure.target = GetParam();
  autotuner::LocalTrials trials(compiler.get(), measure, "");
  absl::StatusOr<PlanTuneResult> result = TunePlan(*client_, *module, {}, &*database, &trials);
  ASSERT_TRUE(result.ok()) << result.status();
  std::cout << PlanTuneText(*result);
  EXPECT_FALSE(result->before.empty());
  EXPECT_EQ(result->comparison.verdict, Verdict::kFaster);
  EXPECT_LT(result->search.seconds, result->search.default_seconds);
  EXPECT_NE(result->kept, result->before);
  absl::StatusOr<std::optional<std::string>> kept =
      autotuner::KeptChoices(*database, bad.kernel, device.name);
  ASSERT_TRUE(kept.ok()) << kept.status();
  ASSERT_TRUE(kept->has_value());
  EXPECT_EQ(**kept, absl::StrReplaceAll(result->kept, {{"\n", "; "}}));
  // The record that was there keeps its time, however fast the machine is now. The new record's
  // time is relative to it, so that both are on one scale.
  absl::StatusOr<std::optional<autotuner::Record>> best =
      autotuner::KeptRecord(*database, bad.kernel, device.name);
  ASSERT_TRUE(best.ok() && best->has_value());
  EXPECT_NEAR((*best)->seconds, result->comparison.seconds / result->comparison.base_seconds, 1e-9);

  // In a second search, every kernel is known.
  absl::StatusOr<PlanTuneResult> again = TunePlan(*client_, *module, {}, &*database, &trials);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->before, **kept);
}

// Compilations use kept choices, unless these are of another version or are disabled.
TEST(KeptChoices, AreUsedByCompiles) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / absl::StrCat("used_choices.", getpid());
  std::filesystem::create_directories(folder);
  const std::string path = folder / "tuning.sqlite";
  const std::unique_ptr<hlo::Module> module = Light(4096);
  autotuner::Record record;
  {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.status();
    absl::StatusOr<Target> target = ParseTarget("x86");
    ASSERT_TRUE(target.ok());
    record.kernel = lowering::ProgramKey(*module, target->device);
    record.device = target->device.name;
    record.schedule = absl::StrReplaceAll(CutEverywhere(*module), {{"\n", "; "}});
    record.version = autotuner::ChoicesVersion();
    record.seconds = 1;
    ASSERT_TRUE(database->Put({&record, 1}).ok());
  }
  auto kernels = [&](bool use_tuning, const std::string& choices) {
    ClientOptions options;
    options.target = "x86";
    options.tuning_database = path;
    options.use_tuning = use_tuning;
    auto client = Client::Create(options);
    EXPECT_TRUE(client.ok()) << client.status();
    CompileOptions compile;
    compile.choices = choices;
    auto executable = (*client)->Compile(*module, compile);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return executable.ok() ? (*executable)->stats().kernels : -1;
  };
  EXPECT_EQ(kernels(true, ""), 3);  // abs, negate and floor
  EXPECT_EQ(kernels(false, ""), 1);
  EXPECT_EQ(kernels(true, "#"), 1);  // "#" forces the rules
  std::filesystem::remove_all(folder);
}

TEST(KeptChoices, OtherVersionsDoNotCount) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / absl::StrCat("kept_choices.", getpid());
  std::filesystem::create_directories(folder);
  absl::StatusOr<Database> database =
      Database::Open(folder / "tuning.sqlite", Database::Mode::kReadWrite);
  ASSERT_TRUE(database.ok()) << database.status();
  autotuner::Record record;
  record.kernel = "program";
  record.device = "d";
  record.schedule = "store v0";
  record.version = "choices 0";
  record.seconds = 1;
  ASSERT_TRUE(database->Put({&record, 1}).ok());
  EXPECT_EQ(*autotuner::KeptChoices(*database, "program", "d"), std::nullopt);
  record.version = autotuner::ChoicesVersion();
  ASSERT_TRUE(database->Put({&record, 1}).ok());
  EXPECT_EQ(*autotuner::KeptChoices(*database, "program", "d"), "store v0");
  EXPECT_EQ(*autotuner::KeptChoices(*database, "program", "e"), std::nullopt);
  record.schedule = autotuner::kRules;
  record.seconds = 0.5;
  ASSERT_TRUE(database->Put({&record, 1}).ok());
  EXPECT_EQ(*autotuner::KeptChoices(*database, "program", "d"), "");
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, TunePlanTest, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace halyard
