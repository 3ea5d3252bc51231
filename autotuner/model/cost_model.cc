#include "autotuner/model/cost_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "autotuner/model/xgboost_api.h"

namespace halyard::autotuner {

namespace {

constexpr absl::string_view kMagic = "halyard-cost-model 1";

// Train and Load, which make every model, have checked that the library is there.
const XgboostApi& Xgboost() {
  const XgboostApi* api = nullptr;
  (void)LoadXgboost(&api);
  return *api;
}

absl::Status ToStatus(int code) {
  return code == 0 ? absl::OkStatus()
                   : absl::InternalError(absl::StrCat("XGBoost: ", Xgboost().XGBGetLastError()));
}

// A dense matrix of rows × columns; unknown values are NaN.
class Matrix {
 public:
  Matrix(absl::Span<const Features> rows, const std::vector<std::string>& columns) {
    std::vector<float> values;
    values.reserve(rows.size() * columns.size());
    for (const Features& row : rows) {
      for (const std::string& column : columns) {
        const auto found = row.find(column);
        values.push_back(found == row.end() ? std::numeric_limits<float>::quiet_NaN()
                                            : found->second);
      }
    }
    status_ = ToStatus(Xgboost().XGDMatrixCreateFromMat(values.data(), rows.size(), columns.size(),
                                                        std::numeric_limits<float>::quiet_NaN(),
                                                        &handle_));
  }
  ~Matrix() {
    if (handle_ != nullptr) Xgboost().XGDMatrixFree(handle_);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  DMatrixHandle handle() const { return handle_; }
  const absl::Status& status() const { return status_; }

 private:
  DMatrixHandle handle_ = nullptr;
  absl::Status status_;
};

}  // namespace

struct CostModel::State {
  std::vector<std::string> columns;
  BoosterHandle booster = nullptr;
  ~State() {
    if (booster != nullptr) Xgboost().XGBoosterFree(booster);
  }
};

CostModel::CostModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
CostModel::CostModel(CostModel&&) noexcept = default;
CostModel& CostModel::operator=(CostModel&&) noexcept = default;
CostModel::~CostModel() = default;

absl::StatusOr<CostModel> CostModel::Train(absl::Span<const Sample> samples,
                                           const TrainingOptions& options) {
  const XgboostApi* api = nullptr;
  if (absl::Status s = LoadXgboost(&api); !s.ok()) return s;
  std::map<std::string, std::vector<const Sample*>> kernels;
  for (const Sample& sample : samples) kernels[sample.kernel].push_back(&sample);
  std::vector<Features> rows;
  std::vector<float> labels;
  std::vector<unsigned> groups;
  std::set<std::string> names;
  for (const auto& [kernel, members] : kernels) {
    if (members.size() < 2) continue;
    double best = std::numeric_limits<double>::infinity();
    for (const Sample* sample : members) best = std::min(best, sample->seconds);
    for (const Sample* sample : members) {
      rows.push_back(sample->features);
      labels.push_back(static_cast<float>(best / sample->seconds));
      for (const auto& [name, value] : sample->features) names.insert(name);
    }
    groups.push_back(static_cast<unsigned>(members.size()));
  }
  if (rows.empty())
    return absl::FailedPreconditionError("no kernel has two measured schedules to learn from");

  auto state = std::make_unique<State>();
  state->columns.assign(names.begin(), names.end());
  const Matrix matrix(rows, state->columns);
  if (!matrix.status().ok()) return matrix.status();
  absl::Status status = ToStatus(
      Xgboost().XGDMatrixSetFloatInfo(matrix.handle(), "label", labels.data(), labels.size()));
  const DMatrixHandle handles[] = {matrix.handle()};
  if (status.ok()) status = ToStatus(Xgboost().XGBoosterCreate(handles, 1, &state->booster));
  const std::pair<const char*, std::string> parameters[] = {
      // The model learns best ÷ seconds, because ranks far below the fastest are of no use. In
      // benchmarks/ranking this finds more of the fastest schedules than pairwise ranking did.
      {"objective", "reg:squarederror"},
      {"eta", absl::StrCat(options.learning_rate)},
      {"max_depth", absl::StrCat(options.depth)},
      {"subsample", "0.8"},
      {"seed", absl::StrCat(options.seed)},
      {"nthread", "1"},  // so that every machine trains the same trees
      {"verbosity", "0"}};
  for (const auto& [name, value] : parameters) {
    if (status.ok())
      status = ToStatus(Xgboost().XGBoosterSetParam(state->booster, name, value.c_str()));
  }
  for (int64_t tree = 0; tree < options.trees && status.ok(); ++tree) {
    status = ToStatus(
        Xgboost().XGBoosterUpdateOneIter(state->booster, static_cast<int>(tree), matrix.handle()));
  }
  if (!status.ok()) return status;
  return CostModel(std::move(state));
}

std::string CostModel::Save() const {
  bst_ulong size = 0;
  const char* bytes = nullptr;
  if (Xgboost().XGBoosterSaveModelToBuffer(state_->booster, R"({"format": "ubj"})", &size,
                                           &bytes) != 0)
    return "";
  return absl::StrCat(kMagic, "\n", absl::StrJoin(state_->columns, "\t"), "\n",
                      absl::string_view(bytes, size));
}

absl::StatusOr<CostModel> CostModel::Load(absl::string_view bytes) {
  const XgboostApi* api = nullptr;
  if (absl::Status s = LoadXgboost(&api); !s.ok()) return s;
  const std::vector<absl::string_view> parts = absl::StrSplit(bytes, absl::MaxSplits('\n', 2));
  if (parts.size() != 3 || parts[0] != kMagic)
    return absl::DataLossError("not a cost model, or of another version");
  auto state = std::make_unique<State>();
  state->columns = absl::StrSplit(parts[1], '\t', absl::SkipEmpty());
  absl::Status status = ToStatus(Xgboost().XGBoosterCreate(nullptr, 0, &state->booster));
  if (status.ok()) {
    status = ToStatus(
        Xgboost().XGBoosterLoadModelFromBuffer(state->booster, parts[2].data(), parts[2].size()));
  }
  bst_ulong features = 0;
  if (status.ok()) status = ToStatus(Xgboost().XGBoosterGetNumFeature(state->booster, &features));
  if (!status.ok()) return absl::DataLossError(status.message());
  if (features != state->columns.size())
    return absl::DataLossError("the cost model's trees and columns differ");
  return CostModel(std::move(state));
}

absl::StatusOr<std::vector<double>> CostModel::Predict(absl::Span<const Features> schedules) const {
  std::vector<double> scores;
  if (schedules.empty()) return scores;
  const Matrix matrix(schedules, state_->columns);
  if (!matrix.status().ok()) return matrix.status();
  bst_ulong size = 0;
  const float* values = nullptr;
  const absl::Status status = ToStatus(
      Xgboost().XGBoosterPredict(state_->booster, matrix.handle(), 0, 0, 0, &size, &values));
  if (!status.ok()) return status;
  for (bst_ulong i = 0; i < size; ++i) scores.push_back(-static_cast<double>(values[i]));
  return scores;
}

RankingQuality QualityOf(absl::Span<const double> predicted, absl::Span<const double> seconds,
                         double share, int64_t count) {
  RankingQuality quality;
  if (seconds.empty()) return quality;
  auto order = [](absl::Span<const double> values) {
    std::vector<size_t> places(values.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&values](size_t a, size_t b) { return values[a] < values[b]; });
    return places;
  };
  const std::vector<size_t> model = order(predicted), truth = order(seconds);
  const size_t top =
      std::max<size_t>(1, static_cast<size_t>(share * static_cast<double>(seconds.size()) + 0.5));
  const double enough = seconds[truth[top - 1]] * (1 + kTie);
  for (size_t i = 0; i < top; ++i) quality.recall += seconds[model[i]] <= enough ? 1 : 0;
  quality.recall /= static_cast<double>(top);
  double best = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < std::min<size_t>(model.size(), static_cast<size_t>(count)); ++i)
    best = std::min(best, seconds[model[i]]);
  quality.speed_of_first = seconds[truth[0]] / best;
  return quality;
}

}  // namespace halyard::autotuner
