#include "autotuner/measure/worker.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codegen/service/frame.h"

namespace halyard::autotuner {

using lowering::EncodeFrame;
using lowering::Frame;
using lowering::FrameReader;

namespace {

absl::Status Malformed(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("worker message: ", what));
}

// Reads the numbers of a part, which are separated by spaces. Returns false unless there are as
// many of them as pointers, and each fits its type.
template <typename... Numbers>
bool ReadNumbers(absl::string_view text, Numbers*... numbers) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.size() != sizeof...(numbers)) return false;
  size_t next = 0;
  auto read = [&](auto* number) {
    double value = 0;
    if (!absl::SimpleAtod(words[next++], &value)) return false;
    using Type = std::remove_reference_t<decltype(*number)>;
    if constexpr (std::is_integral_v<Type>) {
      // Within this bound, doubles hold integers exactly. The negation makes NaN fail, too.
      if (!(std::abs(value) <=
            std::min(0x1p53, static_cast<double>(std::numeric_limits<Type>::max()))))
        return false;
    }
    *number = static_cast<Type>(value);
    return true;
  };
  return (read(numbers) && ...);
}

std::string Number(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

// Returns a rule as numbers. ReadRule reads them back.
std::string RuleText(const OutputRule& rule) {
  return absl::StrCat(static_cast<int>(rule.type), " ", Number(rule.of_largest), " ",
                      Number(rule.of_element), " ", Number(rule.absolute), " ", Number(rule.scale),
                      " ", rule.may_differ, " ", rule.signed_zeros ? 1 : 0, " ",
                      rule.nan_for_number ? 1 : 0, " ", rule.nan_for_infinity ? 1 : 0);
}

// Bundles of older Halyards have rules without the last number.
bool ReadRule(absl::string_view text, OutputRule* rule) {
  int type = 0, signed_zeros = 0, nan_for_number = 0, nan_for_infinity = 0;
  const auto read = [&](auto... last) {
    return ReadNumbers(text, &type, &rule->of_largest, &rule->of_element, &rule->absolute,
                       &rule->scale, &rule->may_differ, &signed_zeros, &nan_for_number, last...);
  };
  if ((!read(&nan_for_infinity) && !read()) || type < 0 ||
      type > static_cast<int>(hlo::ElementType::kC128)) {
    return false;
  }
  rule->type = static_cast<hlo::ElementType>(type);
  rule->signed_zeros = signed_zeros != 0;
  rule->nan_for_number = nan_for_number != 0;
  rule->nan_for_infinity = nan_for_infinity != 0;
  return true;
}

// Takes the parts out of `parts`. Data of older Halyards has no count of samples.
absl::StatusOr<TrialData> DataFrom(std::vector<std::string>& parts) {
  TrialData data;
  int32_t cases = 0, inputs = 0, outputs = 0, aliases = 0, samples = 0;
  if (parts.size() < 2 ||
      (!ReadNumbers(parts[1], &cases, &inputs, &outputs, &aliases, &samples) &&
       !ReadNumbers(parts[1], &cases, &inputs, &outputs, &aliases)) ||
      cases < 1 || inputs < 0 || outputs < 0 || aliases < 0 || samples < 0 ||
      parts.size() != 2 +
                          static_cast<size_t>(cases) *
                              (1 + static_cast<size_t>(inputs) + 2 * static_cast<size_t>(outputs)) +
                          static_cast<size_t>(aliases) + static_cast<size_t>(samples)) {
    return Malformed("counts of data");
  }
  auto next = parts.begin() + 2;
  for (int32_t c = 0; c < cases; ++c) {
    TrialCase one;
    one.name = *next++;
    for (int32_t i = 0; i < inputs; ++i) one.inputs.push_back(std::move(*next++));
    for (int32_t o = 0; o < outputs; ++o) one.expected.push_back(std::move(*next++));
    for (int32_t o = 0; o < outputs; ++o) {
      OutputRule rule;
      if (!ReadRule(*next++, &rule)) return Malformed("rule of an output");
      one.rules.push_back(rule);
    }
    data.cases.push_back(std::move(one));
  }
  for (int32_t a = 0; a < aliases; ++a) {
    std::pair<int32_t, int32_t> alias;
    if (!ReadNumbers(*next++, &alias.first, &alias.second) || alias.first < 0 ||
        alias.first >= outputs || alias.second < 0 || alias.second >= inputs) {
      return Malformed("alias");
    }
    data.aliases.push_back(alias);
  }
  for (int32_t s = 0; s < samples; ++s) {
    if (!ParseSample(*next++, &data.samples.emplace_back())) return Malformed("sample");
  }
  return data;
}

}  // namespace

std::string JoinParts(const std::vector<std::string>& parts) {
  size_t total = 0;
  for (const std::string& part : parts) total += sizeof(uint64_t) + part.size();
  std::string bytes;
  bytes.reserve(total);
  for (const std::string& part : parts) {
    const uint64_t size = part.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes += part;
  }
  return bytes;
}

absl::StatusOr<std::vector<std::string>> SplitParts(absl::string_view bytes) {
  std::vector<std::string> parts;
  while (!bytes.empty()) {
    uint64_t size;
    if (bytes.size() < sizeof(size)) return Malformed("size of a part");
    memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    if (size > bytes.size()) return Malformed("end of a part");
    parts.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return parts;
}

std::string EncodeData(const TrialData& data) {
  const bool empty = data.cases.empty();
  std::vector<std::string> parts = {
      "data", absl::StrCat(data.cases.size(), " ", empty ? 0 : data.cases[0].inputs.size(), " ",
                           empty ? 0 : data.cases[0].expected.size(), " ", data.aliases.size(), " ",
                           data.samples.size())};
  for (const TrialCase& one : data.cases) {
    parts.push_back(one.name);
    parts.insert(parts.end(), one.inputs.begin(), one.inputs.end());
    parts.insert(parts.end(), one.expected.begin(), one.expected.end());
    for (const OutputRule& rule : one.rules) parts.push_back(RuleText(rule));
  }
  for (const auto& [output, input] : data.aliases)
    parts.push_back(absl::StrCat(output, " ", input));
  for (const ArraySample& sample : data.samples) parts.push_back(SampleText(sample));
  return JoinParts(parts);
}

absl::StatusOr<TrialData> DecodeData(absl::string_view bytes) {
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(bytes);
  if (!parts.ok()) return parts.status();
  if (parts->empty() || parts->front() != "data") return Malformed("no data");
  return DataFrom(*parts);
}

std::string EncodeReference(absl::string_view object) {
  return JoinParts({"reference", std::string(object)});
}

std::string EncodeBest(absl::string_view object) {
  return JoinParts({"best", std::string(object)});
}

std::string EncodeOptions(const TrialOptions& options) {
  const PairedOptions& paired = options.paired;
  return absl::StrCat(paired.least_rounds, " ", paired.most_rounds, " ", Number(paired.confidence),
                      " ", Number(paired.equal_within), " ", Number(paired.race_ratio), " ",
                      paired.race_rounds, " ", Number(options.round_seconds), " ",
                      Number(options.most_seconds), " ", options.cold_caches ? 1 : 0, " ",
                      options.new_process ? 1 : 0);
}

absl::StatusOr<TrialOptions> DecodeOptions(absl::string_view text) {
  TrialOptions options;
  int cold = 0, new_process = 0;
  if (!ReadNumbers(text, &options.paired.least_rounds, &options.paired.most_rounds,
                   &options.paired.confidence, &options.paired.equal_within,
                   &options.paired.race_ratio, &options.paired.race_rounds, &options.round_seconds,
                   &options.most_seconds, &cold, &new_process)) {
    return Malformed("options of a trial");
  }
  options.cold_caches = cold != 0;
  options.new_process = new_process != 0;
  return options;
}

std::string EncodeTry(absl::string_view object, const TrialOptions& options) {
  return JoinParts({"try", EncodeOptions(options), std::string(object)});
}

std::string EncodeResult(const TrialResult& r) {
  return JoinParts(
      {absl::StrCat(static_cast<int>(r.outcome), " ", static_cast<int>(r.verdict), " ",
                    Number(r.seconds), " ", Number(r.spread), " ", Number(r.best_seconds), " ",
                    Number(r.ratio), " ", r.rounds, " ", Number(r.difference)),
       r.error});
}

absl::StatusOr<TrialResult> DecodeResult(absl::string_view bytes) {
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(bytes);
  if (!parts.ok()) return parts.status();
  TrialResult r;
  int outcome = 0, verdict = 0;
  if (parts->size() != 2 ||
      !ReadNumbers((*parts)[0], &outcome, &verdict, &r.seconds, &r.spread, &r.best_seconds,
                   &r.ratio, &r.rounds, &r.difference) ||
      outcome < 0 || outcome > static_cast<int>(kLastOutcome) || verdict < 0 ||
      verdict > static_cast<int>(Verdict::kEqual)) {
    return Malformed("result");
  }
  r.outcome = static_cast<Outcome>(outcome);
  r.verdict = static_cast<Verdict>(verdict);
  r.error = (*parts)[1];
  return r;
}

absl::StatusOr<std::string> AnswerMessage(TrialRunner& runner, absl::string_view message) {
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(message);
  if (!parts.ok()) return parts.status();
  const std::string kind = parts->empty() ? "" : (*parts)[0];
  if (kind == "data") {
    absl::StatusOr<TrialData> data = DataFrom(*parts);
    if (!data.ok()) return data.status();
    if (absl::Status s = runner.SetData(*std::move(data)); !s.ok()) return s;
    return std::string();
  }
  if (kind == "reference" && parts->size() == 2)
    return EncodeResult(runner.SetReference((*parts)[1]));
  if (kind == "best" && parts->size() == 2) return EncodeResult(runner.SetBest((*parts)[1]));
  if (kind == "try" && parts->size() == 3) {
    absl::StatusOr<TrialOptions> options = DecodeOptions((*parts)[1]);
    if (!options.ok()) return options.status();
    return EncodeResult(runner.Try((*parts)[2], *options));
  }
  return Malformed(absl::StrCat("kind \"", kind, "\""));
}

int ServeTrials(runtime::Device* device, int socket) {
  TrialRunner runner(device);
  FrameReader reader;
  std::vector<char> buffer(1 << 16);
  while (true) {
    std::optional<Frame> frame;
    if (!reader.Next(&frame).ok()) return 1;
    if (!frame.has_value()) {
      const ssize_t got = recv(socket, buffer.data(), buffer.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got == 0 ? 0 : 1;
      reader.Append(absl::string_view(buffer.data(), static_cast<size_t>(got)));
      continue;
    }
    absl::StatusOr<std::string> answer = AnswerMessage(runner, frame->bytes);
    const std::string bytes =
        EncodeFrame(answer.ok() ? Frame{frame->id, absl::StatusCode::kOk, *answer}
                                : Frame{frame->id, answer.status().code(),
                                        std::string(answer.status().message())});
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t wrote = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (wrote < 0 && errno != EINTR) return 1;
      if (wrote > 0) sent += static_cast<size_t>(wrote);
    }
  }
}

}  // namespace halyard::autotuner
