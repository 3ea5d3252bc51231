#include "autotuner/search/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halyard::autotuner {

using schedules::Schedule;

namespace {

// Returns how far the features of two kernels are apart; a feature that only one of them has counts
// as 0 in the other.
double Distance(const Features& a, const Features& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    sum += std::abs(value - (other == b.end() ? 0.0f : other->second));
  }
  for (const auto& [name, value] : b) {
    if (a.count(name) == 0) sum += std::abs(value);
  }
  return sum;
}

}  // namespace

History::History(runtime::DeviceKind kind, const TrainingOptions& options)
    : kind_(kind), options_(options) {}
History::~History() = default;

History::Kernel* History::Find(const std::string& key) {
  auto [at, added] = kernels_.try_emplace(key);
  if (added) {
    absl::StatusOr<KernelFacts> facts = FactsOf(key);
    if (facts.ok()) {
      at->second = std::make_unique<Kernel>();
      at->second->facts = *std::move(facts);
    }
  }
  return at->second.get();
}

absl::Status History::Load(const Database& database) {
  return database.ForEach({.good_only = true}, [this](const Record& record) {
    Add(record);
    return true;
  });
}

void History::Add(const Record& record) {
  if (record.outcome != Outcome::kGood || record.seconds <= 0) return;
  if (record.version != VersionOfLine(record.schedule)) return;
  Kernel* kernel = Find(record.kernel);
  if (kernel == nullptr || kernel->facts.device.kind != kind_) return;
  ++added_;
  // A record that is confirmed comes again, with other seconds.
  const auto known = std::find_if(kernel->good.begin(), kernel->good.end(), [&](const Good& good) {
    return good.schedule == record.schedule;
  });
  if (known != kernel->good.end()) {
    compiled_ += (record.resources.known() ? 1 : 0) - (known->resources.known() ? 1 : 0);
    *known = {record.seconds, record.schedule, record.resources};
    return;
  }
  kernel->good.push_back({record.seconds, record.schedule, record.resources});
  ++records_;
  if (record.resources.known()) ++compiled_;
}

std::vector<Schedule> History::Nearest(const KernelTask& task, int64_t count) const {
  const absl::StatusOr<KernelFacts> own = FactsOf(task.key);
  if (!own.ok()) return {};
  std::vector<std::pair<double, const Kernel*>> near;
  for (const auto& [key, kernel] : kernels_) {
    if (key == task.key || kernel == nullptr || kernel->good.empty()) continue;
    if (kernel->facts.family != own->family) continue;
    near.emplace_back(Distance(own->features, kernel->facts.features), kernel.get());
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Schedule> schedules;
  for (const auto& [distance, kernel] : near) {
    // Takes only two from each kernel, because the best schedule of the next kernel is as good a
    // start as the third of this one.
    std::vector<Good> best = kernel->good;
    std::sort(best.begin(), best.end());
    for (size_t i = 0; i < best.size() && i < 2; ++i) {
      absl::StatusOr<Schedule> schedule = Schedule::Parse(best[i].schedule);
      if (schedule.ok()) schedules.push_back(*std::move(schedule));
      if (static_cast<int64_t>(schedules.size()) == count) return schedules;
    }
  }
  return schedules;
}

void History::SetModel(CostModel model) {
  prior_ = std::make_shared<const CostModel>(std::move(model));
}

absl::Status History::AddPrior(const CostModel& prior, std::vector<Features>* schedules) {
  absl::StatusOr<std::vector<double>> scores = prior.Predict(*schedules);
  if (!scores.ok()) return scores.status();
  for (size_t i = 0; i < schedules->size(); ++i)
    (*schedules)[i]["prior"] = static_cast<float>((*scores)[i]);
  return absl::OkStatus();
}

std::shared_ptr<const CostModel> History::TrainOn(int64_t records, bool compiled) const {
  if (records < kFewest) return nullptr;
  // Training on more records would take longer than they are worth, so each kernel's records are
  // thinned out to every `step`-th, beginning with the fastest.
  constexpr int64_t kMostSamples = 8192;
  const size_t step = static_cast<size_t>((records + kMostSamples - 1) / kMostSamples);
  std::vector<Sample> samples;
  for (const auto& [key, kernel] : kernels_) {
    if (kernel == nullptr) continue;
    std::vector<Good> good;
    for (const Good& one : kernel->good) {
      if (!compiled || one.resources.known()) good.push_back(one);
    }
    if (good.size() < 2) continue;
    if (step > 1) std::sort(good.begin(), good.end());
    std::vector<Features> features;
    std::vector<double> seconds;
    for (size_t i = 0; i < good.size(); i += step) {
      absl::StatusOr<Schedule> schedule = Schedule::Parse(good[i].schedule);
      if (!schedule.ok()) continue;
      features.push_back(FeaturesOf(kernel->facts, *schedule));
      if (compiled) AddCompiled(kernel->facts.device, good[i].resources, &features.back());
      seconds.push_back(good[i].seconds);
    }
    if (prior_ != nullptr && !AddPrior(*prior_, &features).ok()) return nullptr;
    for (size_t i = 0; i < features.size(); ++i)
      samples.push_back({key, std::move(features[i]), seconds[i]});
  }
  absl::StatusOr<CostModel> model = CostModel::Train(samples, options_);
  return model.ok() ? std::make_shared<const CostModel>(*std::move(model)) : nullptr;
}

void History::Retrain() {
  if (records_ < kFewest || added_ < trained_ + std::max<int64_t>(8, trained_ / 10)) return;
  trained_ = added_;
  if (auto model = TrainOn(records_, /*compiled=*/false); model != nullptr)
    model_ = std::move(model);
  if (kind_ == runtime::DeviceKind::kX86) return;
  if (auto model = TrainOn(compiled_, /*compiled=*/true); model != nullptr)
    compiled_model_ = std::move(model);
}

absl::StatusOr<CompiledRanker> History::CompiledRankerOf(const std::string& kernel_key) {
  const Kernel* kernel = Find(kernel_key);
  if (kernel == nullptr) return FactsOf(kernel_key).status();
  Retrain();
  if (compiled_model_ == nullptr) return CompiledRanker();
  const KernelFacts* facts = &kernel->facts;
  return CompiledRanker([facts, prior = prior_, model = compiled_model_](
                            absl::Span<const Schedule> schedules,
                            absl::Span<const lowering::KernelResources> resources) {
    std::vector<Features> features;
    for (size_t i = 0; i < schedules.size(); ++i) {
      features.push_back(FeaturesOf(*facts, schedules[i]));
      AddCompiled(facts->device, resources[i], &features.back());
    }
    const std::vector<double> as_they_came(schedules.size(), 0.0);
    if (prior != nullptr && !AddPrior(*prior, &features).ok()) return as_they_came;
    absl::StatusOr<std::vector<double>> scores = model->Predict(features);
    return scores.ok() ? *std::move(scores) : as_they_came;
  });
}

absl::StatusOr<Ranker> History::RankerOf(const std::string& kernel_key) {
  const Kernel* kernel = Find(kernel_key);
  if (kernel == nullptr) return FactsOf(kernel_key).status();
  Retrain();
  const KernelFacts* facts = &kernel->facts;
  auto roofline = [facts](absl::Span<const Schedule> schedules) {
    std::vector<double> scores;
    for (const Schedule& schedule : schedules) scores.push_back(RooflineEstimate(*facts, schedule));
    return scores;
  };
  if (model_ == nullptr && prior_ == nullptr) return Ranker(roofline);
  return Ranker(
      [facts, roofline, prior = prior_, model = model_](absl::Span<const Schedule> schedules) {
        std::vector<Features> features;
        for (const Schedule& schedule : schedules) features.push_back(FeaturesOf(*facts, schedule));
        if (model != nullptr && prior != nullptr && !AddPrior(*prior, &features).ok())
          return roofline(schedules);
        absl::StatusOr<std::vector<double>> scores =
            (model != nullptr ? model : prior)->Predict(features);
        return scores.ok() ? *std::move(scores) : roofline(schedules);
      });
}

}  // namespace halyard::autotuner
