#include "frontend/hlo_proto/attribute_words.h"

namespace halyard::hlo_proto {
namespace {

using Word = absl::string_view;

constexpr Word kPrecisionWords[] = {"default", "high", "highest"};
constexpr Word kDotAlgorithmWords[] = {
    "",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "dot_bf16_bf16_f32_x9",
};
constexpr Word kRngAlgorithmWords[] = {"rng_default", "rng_three_fry", "rng_philox"};
constexpr Word kDistributionWords[] = {"", "rng_uniform", "rng_normal"};
constexpr Word kFftTypeWords[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr Word kTransposeWords[] = {"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr Word kApiVersionWords[] = {
    "API_VERSION_UNSPECIFIED",      "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
};
constexpr Word kScheduleWords[] = {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
constexpr Word kShardingTypeWords[] = {"replicated", "maximal", "",         "",
                                       "manual",     "unknown", "unreduced"};

}  // namespace

const WordTable kPrecisions = kPrecisionWords;
const WordTable kDotAlgorithms = kDotAlgorithmWords;
const WordTable kRngAlgorithms = kRngAlgorithmWords;
const WordTable kDistributions = kDistributionWords;
const WordTable kFftTypes = kFftTypeWords;
const WordTable kTransposes = kTransposeWords;
const WordTable kApiVersions = kApiVersionWords;
const WordTable kSchedules = kScheduleWords;
const WordTable kShardingTypes = kShardingTypeWords;

std::optional<int> NumberOf(WordTable table, Word word) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] == word) return static_cast<int>(i);
  }
  return std::nullopt;
}

std::optional<Word> WordOf(WordTable table, int64_t number) {
  if (number < 0 || number >= static_cast<int64_t>(table.size())) return std::nullopt;
  return table[number];
}

}  // namespace halyard::hlo_proto
