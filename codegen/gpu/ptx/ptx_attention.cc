#include "codegen/gpu/ptx/ptx_attention.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codegen/gpu/ptx/ptx_wgmma.h"
#include "lowering/kernels/attention/warpgroups.h"
#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering::gpu {
namespace {

constexpr char kScore[] = "%hy_score", kSum[] = "%hy_sum", kWeight[] = "%hy_weight";
constexpr int kMostScores = 64, kMostSums = 128, kMostWeights = 32;

bool ReadShape(const StagedCall& call, size_t first, WarpgroupAttention* attention) {
  std::vector<int64_t> numbers;
  for (size_t i = first; i < first + WarpgroupAttention::kNumbers && i < call.arguments.size();
       ++i) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(call.arguments[i], &number)) return false;
    numbers.push_back(number);
  }
  return WarpgroupAttention::FromNumbers(numbers, attention);
}

// A result's register names the call: "%f12".
std::string LabelOf(absl::string_view result) {
  return std::string(absl::StripPrefix(result, "%"));
}

class Lines {
 public:
  void Put(const std::string& text) { lines_.push_back("\t" + text); }

  void PutLabel(const std::string& label) { lines_.push_back(label + ":"); }

  void Descriptor(const char* descriptor, const std::string& place, int64_t offset, int64_t block) {
    for (std::string& line : WgmmaDescriptor(descriptor, place, absl::StrCat(offset), block))
      lines_.push_back(std::move(line));
  }
  // `bytes` further, or back.
  void Advance(const char* descriptor, int64_t bytes) {
    Put(absl::StrCat("add.s64 ", descriptor, ", ", descriptor, ", ", bytes / 16, ";"));
  }
  std::vector<std::string> Take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

constexpr char kA[] = "%hy_wgmma_a", kB[] = "%hy_wgmma_b";
constexpr int64_t kProductBytes = 32;  // of a line, that one product along it takes

// Queries · keys, both along the head.
std::vector<std::string> Scores(const WarpgroupAttention& a, const StagedCall& call) {
  Lines lines;
  lines.Descriptor(kA, call.arguments[0], a.first_byte(a.kQueries), 0);
  lines.Descriptor(kB, call.arguments[1], a.first_byte(a.kKeys), 0);
  const std::string scores = PtxVector(kScore, 0, a.score_registers());
  lines.Put("wgmma.fence.sync.aligned;");
  const int64_t products = a.head / a.kProductTerms, of_line = a.kLine / kProductBytes;
  for (int64_t i = 0; i < products; ++i) {
    if (i > 0) {
      // The next 32 bytes of the lines, or the first ones of the next 64 elements' lines.
      const int64_t back = i % of_line == 0 ? a.kLine - kProductBytes : 0;
      lines.Advance(kA, i % of_line == 0 ? a.rows(a.kQueries) * a.kLine - back : kProductBytes);
      lines.Advance(kB, i % of_line == 0 ? a.rows(a.kKeys) * a.kLine - back : kProductBytes);
    }
    lines.Put(absl::StrCat("wgmma.mma_async.sync.aligned.m64n", a.keys, "k16.",
                           TypesOfWgmma(*a.scores), " ", scores, ", ", kA, ", ", kB, ", ",
                           i == 0 ? 0 : 1, ", 1, 1, 0, 0;"));
  }
  lines.Put("wgmma.commit_group.sync.aligned;");
  return lines.Take();
}

// Sums · factors. Factors are 1 where no row of the warp has a larger maximum than before, which
// soon is the rule.
std::vector<std::string> Scale(const WarpgroupAttention& a, const StagedCall& call) {
  Lines lines;
  const std::string label = absl::StrCat("$hy_scaled_", LabelOf(call.result));
  lines.Put("wgmma.wait_group.sync.aligned 0;");
  lines.Put(absl::StrCat("setp.neu.f32 %hy_run, ", call.arguments[0], ", 0f3f800000;"));
  lines.Put(absl::StrCat("setp.neu.or.f32 %hy_run, ", call.arguments[1], ", 0f3f800000, %hy_run;"));
  lines.Put("vote.sync.any.pred %hy_run, %hy_run, 0xffffffff;");
  lines.Put(absl::StrCat("@!%hy_run bra ", label, ";"));
  for (int64_t i = 0; i < a.sum_registers(); ++i) {
    const std::string sum = absl::StrCat(kSum, i);
    lines.Put(absl::StrCat("mul.f32 ", sum, ", ", sum, ", ", call.arguments[i / 2 % 2], ";"));
  }
  lines.PutLabel(label);
  return lines.Take();
}

// Registers of their own for what products take: the same word may be that of several weights, and
// ptxas makes all products wait if the next ones' registers are written while some go on. It would
// find that a copy is one, so a zero is added that it does not know to be one: groups lie along x.
std::vector<std::string> Weights(const WarpgroupAttention& a, const StagedCall& call) {
  Lines lines;
  for (int64_t i = 0; i < a.weight_words(); ++i)
    lines.Put(absl::StrCat("add.u32 ", kWeight, i, ", ",
                           call.arguments[WarpgroupAttention::kNumbers + static_cast<size_t>(i)],
                           ", %hy_unknown_zero;"));
  return lines.Take();
}

// Sums + weights · values, which lie across the keys.
std::vector<std::string> Sums(const WarpgroupAttention& a, const StagedCall& call) {
  Lines lines;
  lines.Descriptor(kB, call.arguments[0], a.first_byte(a.kValues), a.keys * a.kLine);
  const std::string sums = PtxVector(kSum, 0, a.sum_registers());
  lines.Put("wgmma.fence.sync.aligned;");
  for (int64_t i = 0; i < a.keys / a.kProductTerms; ++i) {
    if (i > 0) lines.Advance(kB, a.kProductTerms * a.kLine);
    lines.Put(absl::StrCat("wgmma.mma_async.sync.aligned.m64n", a.values, "k16.",
                           TypesOfWgmma(*a.product), " ", sums, ", ", PtxVector(kWeight, 4 * i, 4),
                           ", ", kB, ", 1, 1, 1, 1;"));
  }
  lines.Put("wgmma.commit_group.sync.aligned;");
  return lines.Take();
}

}  // namespace

bool IsAttentionFunction(absl::string_view function) {
  for (const char* name : {kAttentionBegin, kAttentionScore, kAttentionWeights, kAttentionSum}) {
    if (function == name) return true;
  }
  return IsAttentionConvergent(function);
}

bool IsAttentionConvergent(absl::string_view function) {
  for (const char* name : {kAttentionBeginScores, kAttentionWait, kAttentionScale,
                           kAttentionBeginSums, kAttentionEnd}) {
    if (function == name) return true;
  }
  return false;
}

absl::StatusOr<std::vector<std::string>> AttentionInstructions(const StagedCall& call) {
  std::vector<std::string> lines;
  WarpgroupAttention a;
  const auto reads = [&](const char* name, int most) {
    int64_t number = 0;
    if (call.arguments.empty() || !absl::SimpleAtoi(call.arguments[0], &number) || number < 0 ||
        number >= most || call.result.empty())
      return false;
    lines = {absl::StrCat("\tmov.b32 ", call.result, ", ", name, number, ";")};
    return true;
  };
  if (call.function == kAttentionScore) {
    if (!reads(kScore, kMostScores)) return absl::DataLossError("reads no score");
    return lines;
  }
  if (call.function == kAttentionSum) {
    if (!reads(kSum, kMostSums)) return absl::DataLossError("reads no sum");
    return lines;
  }
  size_t shape = 0;  // arguments before it
  if (call.function == kAttentionBeginScores || call.function == kAttentionScale) shape = 2;
  if (call.function == kAttentionBeginSums) shape = 1;
  if (!ReadShape(call, shape, &a)) return absl::DataLossError("names no attention");
  if (call.function == kAttentionBegin) {
    lines = {"\tmov.u32 %hy_slots, hy_shared;", "\tmov.u32 %hy_unknown_zero, %ctaid.z;"};
    for (int64_t i = 0; i < a.sum_registers(); ++i)
      lines.push_back(absl::StrCat("\tmov.b32 ", kSum, i, ", 0;"));
  } else if (call.function == kAttentionBeginScores) {
    lines = Scores(a, call);
  } else if (call.function == kAttentionScale) {
    lines = Scale(a, call);
  } else if (call.function == kAttentionWeights) {
    if (call.arguments.size() !=
        WarpgroupAttention::kNumbers + static_cast<size_t>(a.weight_words()))
      return absl::DataLossError("has another number of weights");
    lines = Weights(a, call);
  } else if (call.function == kAttentionBeginSums) {
    lines = Sums(a, call);
  } else {
    lines.push_back(absl::StrCat("\twgmma.wait_group.sync.aligned ",
                                 call.function == kAttentionWait ? 1 : 0, ";"));
  }
  if (!call.result.empty()) lines.push_back(absl::StrCat("\tmov.b32 ", call.result, ", 0;"));
  return lines;
}

std::vector<std::string> AttentionDeclarations() {
  return {absl::StrCat("\t.reg .b32 \t", kScore, "<", kMostScores, ">;"),
          absl::StrCat("\t.reg .b32 \t", kSum, "<", kMostSums, ">;"),
          absl::StrCat("\t.reg .b32 \t", kWeight, "<", kMostWeights, ">, %hy_unknown_zero;")};
}

}  // namespace halyard::lowering::gpu
