// For the build: trains a cost model on records.
//
//   train_model RECORDS MODEL
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "autotuner/cost_model.h"
#include "autotuner/features.h"
#include "autotuner/record_text.h"
#include "autotuner/version.h"

namespace halyard::autotuner {
namespace {

// Few enough trees to be carried along.
constexpr TrainingOptions kShipped = {.trees = 120};

absl::StatusOr<std::vector<Sample>> SamplesOf(const std::vector<Record>& records) {
  std::vector<Sample> samples;
  std::map<std::string, KernelFacts> kernels;
  for (const Record& record : records) {
    if (record.outcome != Outcome::kGood || record.version != VersionOfLine(record.schedule))
      continue;
    auto [kernel, added] = kernels.try_emplace(record.kernel);
    if (added) {
      absl::StatusOr<KernelFacts> facts = FactsOf(record.kernel);
      if (!facts.ok()) return facts.status();
      kernel->second = *std::move(facts);
    }
    absl::StatusOr<schedules::Schedule> schedule = schedules::Schedule::Parse(record.schedule);
    if (!schedule.ok()) return schedule.status();
    samples.push_back({record.kernel, FeaturesOf(kernel->second, *schedule), record.seconds});
  }
  return samples;
}

absl::Status Train(const std::string& from, const std::string& to) {
  std::ifstream in(from, std::ios::binary);
  if (!in) return absl::NotFoundError(from + " cannot be read");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  absl::StatusOr<std::vector<Record>> records = ReadRecordText(text, from);
  if (!records.ok()) return records.status();
  absl::StatusOr<std::vector<Sample>> samples = SamplesOf(*records);
  if (!samples.ok()) return samples.status();
  absl::StatusOr<CostModel> model = CostModel::Train(*samples, kShipped);
  if (!model.ok()) return model.status();
  std::ofstream out(to, std::ios::binary);
  out << model->Save();
  return out.flush() ? absl::OkStatus() : absl::DataLossError(to + " cannot be written");
}

}  // namespace
}  // namespace halyard::autotuner

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: train_model RECORDS MODEL\n");
    return 1;
  }
  const absl::Status status = halyard::autotuner::Train(argv[1], argv[2]);
  if (!status.ok()) fprintf(stderr, "train_model: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
