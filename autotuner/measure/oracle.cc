#include "autotuner/measure/oracle.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/worker.h"
#include "autotuner/records/database.h"
#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/rounding_rules.h"
#include "autotuner/rules/sampled_kernel.h"
#include "autotuner/rules/special_values.h"
#include "frontend/files/read_file.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::autotuner {

using hlo::Literal;

namespace {

// Returns `body` with its checksum before it.
std::string WithChecksum(const std::string& body) {
  const uint64_t sum = XXH3_64bits(body.data(), body.size());
  return std::string(reinterpret_cast<const char*>(&sum), sizeof(sum)) + body;
}

constexpr char kInputsVersion[] = "oracle 4";

constexpr std::pair<const char*, InputKind> kCases[] = {{"plain values", InputKind::kPlain},
                                                        {"whole numbers", InputKind::kWhole},
                                                        {"special values", InputKind::kSpecial}};

std::string CachePath(const std::string& folder, const lowering::KernelRequest& request,
                      const Specials& specials, double most_work) {
  // A kernel computes the same on all devices, but not all devices have denormals.
  return absl::StrCat(
      folder, "/",
      KernelFingerprint(absl::StrCat(kInputsVersion, specials.denormals ? " " : " normal ",
                                     most_work, request.hlo)),
      ".oracle");
}

std::optional<std::vector<std::string>> ReadCache(const std::string& path, const std::string& hlo) {
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, kOwnFileLimits);
  if (!bytes.ok() || bytes->size() < 8 || WithChecksum(bytes->substr(8)) != *bytes)
    return std::nullopt;
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(absl::string_view(*bytes).substr(8));
  if (!parts.ok() || parts->empty() || (*parts)[0] != hlo) return std::nullopt;
  parts->erase(parts->begin());
  return *std::move(parts);
}

// Writes the outputs to the cache. Ignores failures, because they only cost time later.
void WriteCache(const std::string& folder, const std::string& path, const std::string& hlo,
                const std::vector<std::string>& outputs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<std::string> parts = {hlo};
  parts.insert(parts.end(), outputs.begin(), outputs.end());
  const std::string temporary = absl::StrCat(path, ".", getpid());
  bool good = false;
  {
    std::ofstream file(temporary, std::ios::binary);
    file << WithChecksum(JoinParts(parts));
    good = file.flush().good();
  }
  if (good) {
    std::filesystem::rename(temporary, path, error);
  } else {
    std::filesystem::remove(temporary, error);
  }
}

std::string BytesOf(const Literal& literal) {
  return std::string(reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size());
}

absl::StatusOr<std::vector<std::string>> Evaluate(const hlo::Module& module,
                                                  const std::vector<Literal>& arguments) {
  hlo::Evaluator evaluator;
  evaluator.multiply_padding = false;
  absl::StatusOr<Literal> result = evaluator.Run(module, arguments);
  if (!result.ok()) return result.status();
  const std::vector<Literal> leaves =
      result->shape().IsTuple() ? result->elements() : std::vector<Literal>{*result};
  std::vector<std::string> outputs;
  for (const Literal& leaf : leaves) outputs.push_back(BytesOf(leaf));
  return outputs;
}

// Returns the outputs of one case: all of them, or the samples if there are any.
absl::StatusOr<std::vector<std::string>> Evaluate(const hlo::Module& module,
                                                  const std::vector<SampledOutput>& samples,
                                                  const std::vector<Literal>& inputs) {
  if (samples.empty()) return Evaluate(module, inputs);
  std::vector<std::string> outputs;
  for (const SampledOutput& sample : samples) {
    std::vector<Literal> arguments;
    for (const SampledParameter& parameter : sample.parameters)
      arguments.push_back(PartOf(inputs[static_cast<size_t>(parameter.number)], parameter.part));
    absl::StatusOr<std::vector<std::string>> output = Evaluate(*sample.module, arguments);
    if (!output.ok()) return output.status();
    outputs.push_back(std::move(output->front()));
  }
  return outputs;
}

// Calls work(c) for every case, in threads.
template <typename Work>
void ForEachCase(const Work& work) {
  std::vector<std::thread> threads;
  for (size_t c = 1; c < std::size(kCases); ++c) threads.emplace_back(work, c);
  work(size_t{0});
  for (std::thread& thread : threads) thread.join();
}

// Sets the scale of each output to its largest element. Outputs for special values get the scale of
// the plain values, so that large special numbers do not excuse wrong ordinary ones.
void SetScales(TrialData* data) {
  for (TrialCase& one : data->cases) {
    for (size_t o = 0; o < one.rules.size(); ++o) {
      const bool special = one.name == kCases[2].first;
      const std::string& from = special ? data->cases[0].expected[o] : one.expected[o];
      one.rules[o].scale = LargestOf(from, one.rules[o].type);
    }
  }
}

}  // namespace

absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder, double keep_after,
                                        double most_work) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      hlo_text::ParseModule(request.hlo, "kernel.hlo");
  if (!module.ok()) return module.status();
  const Specials specials = SpecialsFor(**module, request.device);
  const std::vector<SampledOutput> samples = SampleOutputs(**module, most_work);
  TrialData data;
  data.aliases = request.aliases;
  for (const SampledOutput& sample : samples) data.samples.push_back(sample.sample);
  constexpr size_t kCount = std::size(kCases);
  data.cases.resize(kCount);
  std::vector<std::vector<Literal>> inputs(kCount);
  ForEachCase([&](size_t c) {
    const auto& [name, kind] = kCases[c];
    inputs[c] = MadeUpInputs(**module, kind, specials);
    TrialCase& one = data.cases[c];
    one.name = name;
    for (const Literal& input : inputs[c]) one.inputs.push_back(BytesOf(input));
    one.rules = RulesOf(**module, kind, specials);
  });

  const std::string path = folder.empty() ? "" : CachePath(folder, request, specials, most_work);
  std::optional<std::vector<std::string>> outputs;
  if (!path.empty()) outputs = ReadCache(path, request.hlo);
  const size_t count = data.cases.front().rules.size();
  if (!outputs.has_value() || outputs->size() != count * kCount) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<absl::StatusOr<std::vector<std::string>>> made(
        kCount, absl::InternalError("not evaluated"));
    ForEachCase([&](size_t c) { made[c] = Evaluate(**module, samples, inputs[c]); });
    outputs.emplace();
    for (absl::StatusOr<std::vector<std::string>>& one : made) {
      if (!one.ok()) return one.status();
      for (std::string& output : *one) outputs->push_back(std::move(output));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (!path.empty() && took.count() > keep_after) WriteCache(folder, path, request.hlo, *outputs);
  }
  for (size_t i = 0; i < outputs->size(); ++i)
    data.cases[i / count].expected.push_back(std::move((*outputs)[i]));
  SetScales(&data);
  return data;
}

}  // namespace halyard::autotuner
