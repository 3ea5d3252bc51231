// Makes the records for training the cost model that ships, and finds out how well it ranks.
//
//   ranking sample --db=DB [--each=N] [--target=x86] FILE...
//       Measures N schedules, drawn at random, of every kernel of the programs.
//   ranking quality RECORDS [--svg=FILE] [--compiled]
//       For each family of kernels, trains a model without that family, and lets it rank the
//       family's schedules. With --compiled, the features for training and ranking include what
//       compiling has found out.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/model/cost_model.h"
#include "autotuner/model/measured_kernels.h"
#include "autotuner/search/tune_kernel.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "codegen/service/kernel_compiler.h"
#include "frontend/files/standard_streams.h"

namespace halyard::autotuner {
namespace {

int Fail(const absl::Status& status) {
  fprintf(stderr, "ranking: error: %s\n", std::string(status.message()).c_str());
  return 1;
}

struct SampleOptions {
  std::string database, target = "x86";
  std::vector<std::string> files;
  int64_t each = 100;
};

// Returns whether another search makes the template's schedules, so that its lines do not describe
// them.
bool IsOpaque(const schedules::TemplateSpace& space) {
  for (const char* name : {"adams2019", "li2018", "mullapudi2016", "anderson2021", "library"}) {
    if (space.name == name) return true;
  }
  return false;
}

absl::Status SampleFile(const std::string& file, const Target& target, const SampleOptions& options,
                        lowering::KernelCompiler& compiler, Trials& trials, Database& database) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(file);
  if (!module.ok()) return module.status();
  absl::StatusOr<ProgramSpec> program = ProgramCompiler().Plan(**module, target);
  if (!program.ok()) return program.status();
  absl::StatusOr<std::vector<KernelTask>> tasks = TasksOf(*program, compiler);
  if (!tasks.ok()) return tasks.status();
  for (KernelTask& task : *tasks) {
    task.space.erase(std::remove_if(task.space.begin(), task.space.end(), IsOpaque),
                     task.space.end());
    KernelTuneOptions tune;
    tune.most_trials = options.each;
    tune.patience = options.each;
    tune.warm_starts = 0;
    tune.search.explore = 1;
    History none(target.device.kind);
    KernelTuner tuner(task, &database, &none, tune);
    absl::Status status = tuner.Resume();
    while (status.ok() && !tuner.done()) status = tuner.Step(trials);
    if (!status.ok()) return status;
    printf("%s %s: %lld schedules, default %.1f us, best %.1f us; %s\n", file.c_str(),
           task.name.c_str(), static_cast<long long>(tuner.trials()), tuner.default_seconds() * 1e6,
           tuner.best_seconds() * 1e6, tuner.why_done().c_str());
    fflush(stdout);
  }
  return absl::OkStatus();
}

int MeasureSamples(const SampleOptions& options) {
  absl::StatusOr<Target> target = ParseTarget(options.target);
  if (!target.ok()) return Fail(target.status());
  absl::StatusOr<Database> database = Database::Open(options.database, Database::Mode::kReadWrite);
  if (!database.ok()) return Fail(database.status());
  const auto compiler = lowering::KernelCompiler::Create({});
  LocalTrials trials(compiler.get(), {.target = options.target}, "");
  for (const std::string& file : options.files) {
    const absl::Status status = SampleFile(file, *target, options, *compiler, trials, *database);
    if (!status.ok())
      return Fail(absl::Status(status.code(), absl::StrCat(file, ": ", status.message())));
  }
  return 0;
}

using Family = MeasuredKernels;

constexpr size_t kFewest = 30;  // fewer schedules of a kernel would leave too small a top tenth

// Reads the kernels that have enough records, by KernelFacts::family.
absl::StatusOr<std::map<std::string, Family>> ReadFamilies(const std::string& path) {
  absl::StatusOr<MeasuredKernels> kernels = ReadMeasuredKernels(path);
  if (!kernels.ok()) return kernels.status();
  std::map<std::string, Family> families;
  for (auto& [key, kernel] : *kernels) {
    if (kernel.seconds.size() >= kFewest)
      families[kernel.facts.family].emplace(key, std::move(kernel));
  }
  return families;
}

std::vector<Sample> SamplesWithout(const std::map<std::string, Family>& families,
                                   const std::string& left_out, bool compiled) {
  std::vector<Sample> samples;
  for (const auto& [name, family] : families) {
    if (name == left_out) continue;
    for (const auto& [key, kernel] : family) AddSamples(key, kernel, &samples, compiled);
  }
  return samples;
}

struct FamilyQuality {
  std::string name;  // the root of its first kernel
  int64_t kernels = 0, schedules = 0;
  RankingQuality model, roofline;  // means over its kernels
};

void Add(const RankingQuality& one, double share, RankingQuality* sum) {
  sum->recall += one.recall * share;
  sum->speed_of_first += one.speed_of_first * share;
}

// Describes the kernel's root, for example "dot of f32[128,128]".
std::string RootOf(const std::string& key) {
  const size_t root = key.rfind("ROOT ");
  if (root == std::string::npos) return "?";
  const size_t type = key.find("= ", root), operation = key.find(' ', type + 2);
  if (type == std::string::npos || operation == std::string::npos) return "?";
  const std::string shape = key.substr(type + 2, operation - type - 2);
  return absl::StrCat(key.substr(operation + 1, key.find('(', operation) - operation - 1), " of ",
                      shape.substr(0, shape.find('{')));
}

// Finds how well a family's kernels are ranked by a model that has seen none of them, and by the
// roofline estimate, which needs no records.
absl::StatusOr<FamilyQuality> QualityOfFamily(const std::map<std::string, Family>& families,
                                              const std::string& name, bool compiled) {
  absl::StatusOr<CostModel> model = CostModel::Train(SamplesWithout(families, name, compiled));
  if (!model.ok()) return model.status();
  const Family& family = families.at(name);
  FamilyQuality quality;
  quality.name = RootOf(family.begin()->first);
  quality.kernels = static_cast<int64_t>(family.size());
  const double share = 1 / static_cast<double>(family.size());
  for (const auto& [key, kernel] : family) {
    std::vector<double> roofline;
    for (const schedules::Schedule& schedule : kernel.schedules)
      roofline.push_back(RooflineEstimate(kernel.facts, schedule));
    absl::StatusOr<std::vector<double>> predicted =
        model->Predict(kernel.ScheduleFeatures(compiled));
    if (!predicted.ok()) return predicted.status();
    Add(QualityOf(*predicted, kernel.seconds), share, &quality.model);
    Add(QualityOf(roofline, kernel.seconds), share, &quality.roofline);
    quality.schedules += static_cast<int64_t>(kernel.seconds.size());
  }
  return quality;
}

// Draws two bars for each family and measure (the model's and the roofline's), and a line at the
// wanted value.
std::string FigureOf(const std::vector<FamilyQuality>& rows) {
  constexpr int kRow = 24, kTop = 64, kNames = 250, kBar = 300, kGap = 40;
  const int height = kTop + kRow * static_cast<int>(rows.size()) + 16;
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
      "fill=\"white\"/>\n",
      kNames + 2 * (kBar + kGap), height);
  const char* titles[] = {"true top 10 % found in the model's top 10 %",
                          "speed of the best of the model's first 20"};
  const double wanted[] = {0.5, 0.9};
  for (int column = 0; column < 2; ++column) {
    const int left = kNames + column * (kBar + kGap);
    absl::StrAppendFormat(&svg, "<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>\n", left,
                          titles[column]);
    absl::StrAppendFormat(
        &svg, "<text x=\"%d\" y=\"40\" fill=\"#666\">0 … 100 %%; dashed: wanted, %.0f %%</text>\n",
        left, wanted[column] * 100);
    for (size_t i = 0; i < rows.size(); ++i) {
      const int y = kTop + kRow * static_cast<int>(i);
      const RankingQuality* both[] = {&rows[i].model, &rows[i].roofline};
      for (int bar = 0; bar < 2; ++bar) {
        const double value = column == 0 ? both[bar]->recall : both[bar]->speed_of_first;
        absl::StrAppendFormat(&svg,
                              "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"8\" fill=\"%s\"/>\n",
                              left, y + 9 * bar, value * kBar, bar == 0 ? "#2a6fb0" : "#c9ced6");
      }
    }
    const double x = left + wanted[column] * kBar;
    absl::StrAppendFormat(&svg,
                          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#b02a2a\" "
                          "stroke-dasharray=\"4 3\"/>\n",
                          x, kTop - 8, x, height - 12);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::StrAppendFormat(&svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                          kNames - 8, kTop + kRow * static_cast<int>(i) + 13, rows[i].name);
  }
  absl::StrAppend(&svg, "<text x=\"8\" y=\"20\">families held out</text>\n",
                  "<text x=\"8\" y=\"36\" fill=\"#2a6fb0\">model</text>\n",
                  "<text x=\"8\" y=\"52\" fill=\"#8a919c\">roofline estimate</text>\n</svg>\n");
  return svg;
}

int Quality(const std::string& records, const std::string& figure, bool compiled) {
  absl::StatusOr<std::map<std::string, Family>> families = ReadFamilies(records);
  if (!families.ok()) return Fail(families.status());
  std::vector<FamilyQuality> rows;
  FamilyQuality mean{.name = "mean"};
  for (const auto& [name, family] : *families) {
    absl::StatusOr<FamilyQuality> row = QualityOfFamily(*families, name, compiled);
    if (!row.ok()) return Fail(row.status());
    const double share = 1 / static_cast<double>(families->size());
    Add(row->model, share, &mean.model);
    Add(row->roofline, share, &mean.roofline);
    mean.kernels += row->kernels;
    mean.schedules += row->schedules;
    rows.push_back(*std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const FamilyQuality& a, const FamilyQuality& b) { return a.name < b.name; });
  rows.push_back(mean);
  printf(
      "| family held out | kernels | schedules | top 10 %% found | first 20's speed | "
      "roofline: found | speed |\n|---|---|---|---|---|---|---|\n");
  for (const FamilyQuality& row : rows) {
    printf("| %s | %lld | %lld | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", row.name.c_str(),
           static_cast<long long>(row.kernels), static_cast<long long>(row.schedules),
           row.model.recall * 100, row.model.speed_of_first * 100, row.roofline.recall * 100,
           row.roofline.speed_of_first * 100);
  }
  if (figure.empty()) return 0;
  std::ofstream out(figure, std::ios::binary);
  out << FigureOf(rows);
  if (!out.flush()) return Fail(absl::DataLossError(absl::StrCat(figure, " cannot be written")));
  return 0;
}

int Main(int argc, char** argv) {
  CLI::App app("Records and quality of the cost model");
  app.require_subcommand(1);
  SampleOptions sample;
  CLI::App* command = app.add_subcommand("sample", "Measure schedules drawn at random");
  command->add_option("--db", sample.database, "The database that they go to")->required();
  command->add_option("--each", sample.each, "Schedules of each kernel")->capture_default_str();
  command->add_option("--target", sample.target, "Where they are measured")->capture_default_str();
  command->add_option("FILE", sample.files, "Programs")->required();
  std::string records, figure;
  command = app.add_subcommand("quality", "How well a model ranks families that it has not seen");
  command->add_option("RECORDS", records, "What `halyard db export` has written")->required();
  command->add_option("--svg", figure, "A figure to write");
  bool compiled = false;
  command->add_flag("--compiled", compiled, "Tell the model what compiling has found out");
  CLI11_PARSE(app, argc, argv);
  return app.got_subcommand("sample") ? MeasureSamples(sample) : Quality(records, figure, compiled);
}

}  // namespace
}  // namespace halyard::autotuner

int main(int argc, char** argv) {
  halyard::OpenStandardStreams();
  return halyard::autotuner::Main(argc, argv);
}
