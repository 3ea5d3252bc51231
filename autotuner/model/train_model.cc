// The build runs this program: train_model RECORDS MODEL trains a cost model on records.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "autotuner/model/cost_model.h"
#include "autotuner/model/measured_kernels.h"
#include "frontend/files/standard_streams.h"

namespace halyard::autotuner {
namespace {

// The number of trees is small, because the model ships with Halyard.
constexpr TrainingOptions kShipped = {.trees = 120};

absl::Status Train(const std::string& from, const std::string& to) {
  absl::StatusOr<MeasuredKernels> kernels = ReadMeasuredKernels(from);
  if (!kernels.ok()) return kernels.status();
  std::vector<Sample> samples;
  for (const auto& [key, kernel] : *kernels) AddSamples(key, kernel, &samples);
  absl::StatusOr<CostModel> model = CostModel::Train(samples, kShipped);
  if (!model.ok()) return model.status();
  std::ofstream out(to, std::ios::binary);
  out << model->Save();
  return out.flush() ? absl::OkStatus() : absl::DataLossError(to + " cannot be written");
}

}  // namespace
}  // namespace halyard::autotuner

int main(int argc, char** argv) {
  halyard::OpenStandardStreams();
  if (argc != 3) {
    fprintf(stderr, "usage: train_model RECORDS MODEL\n");
    return 1;
  }
  const absl::Status status = halyard::autotuner::Train(argv[1], argv[2]);
  if (!status.ok()) fprintf(stderr, "train_model: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
