#include "autotuner/model/measured_kernels.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/records/record_text.h"
#include "autotuner/records/version.h"
#include "frontend/files/read_file.h"

namespace halyard::autotuner {

std::vector<Features> MeasuredKernel::ScheduleFeatures(bool compiled) const {
  std::vector<Features> features;
  for (size_t i = 0; i < schedules.size(); ++i) {
    features.push_back(FeaturesOf(facts, schedules[i]));
    if (compiled) AddCompiled(facts.device, resources[i], &features.back());
  }
  return features;
}

absl::StatusOr<MeasuredKernels> ReadMeasuredKernels(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kRecordLimits);
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<Record>> records = ReadRecordText(*text, path);
  if (!records.ok()) return records.status();
  MeasuredKernels kernels;
  for (const Record& record : *records) {
    if (record.outcome != Outcome::kGood || record.version != VersionOfLine(record.schedule))
      continue;
    absl::StatusOr<schedules::Schedule> schedule = schedules::Schedule::Parse(record.schedule);
    if (!schedule.ok()) return schedule.status();
    auto [kernel, added] = kernels.try_emplace(record.kernel);
    if (added) {
      absl::StatusOr<KernelFacts> facts = FactsOf(record.kernel);
      if (!facts.ok()) return facts.status();
      kernel->second.facts = *std::move(facts);
    }
    kernel->second.schedules.push_back(*std::move(schedule));
    kernel->second.seconds.push_back(record.seconds);
    kernel->second.resources.push_back(record.resources);
  }
  return kernels;
}

void AddSamples(const std::string& key, const MeasuredKernel& kernel, std::vector<Sample>* samples,
                bool compiled) {
  std::vector<Features> features = kernel.ScheduleFeatures(compiled);
  for (size_t i = 0; i < features.size(); ++i)
    samples->push_back({key, std::move(features[i]), kernel.seconds[i]});
}

}  // namespace halyard::autotuner
