#include "codegen/gpu/ptx/ptx_blocks.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "codegen/gpu/ptx/ptx_call.h"
#include "codegen/gpu/ptx/ptx_text.h"

namespace halyard::lowering::gpu {
namespace {

// Basic blocks: which line begins each, and where each may go on; exits go nowhere.
struct Blocks {
  std::vector<size_t> first_line;
  std::vector<std::vector<size_t>> next;
  std::vector<bool> parts;  // ends in a branch that lanes may take or not

  size_t Of(size_t line) const {
    return static_cast<size_t>(std::upper_bound(first_line.begin(), first_line.end(), line) -
                               first_line.begin()) -
           1;
  }
  // Blocks that can be reached from `start` (itself among them) without entering `barred`.
  std::vector<bool> Reach(size_t start, size_t barred) const {
    std::vector<bool> seen(next.size(), false);
    std::vector<size_t> stack;
    auto visit = [&](size_t block) {
      if (block == barred || seen[block]) return;
      seen[block] = true;
      stack.push_back(block);
    };
    visit(start);
    while (!stack.empty()) {
      const size_t block = stack.back();
      stack.pop_back();
      for (size_t successor : next[block]) visit(successor);
    }
    return seen;
  }
};

absl::StatusOr<Blocks> FindBlocks(absl::Span<const absl::string_view> lines,
                                  size_t first_line_number) {
  std::unordered_map<std::string, size_t> labels;
  std::vector<size_t> first_line = {0};
  for (size_t i = 0; i < lines.size(); ++i) {
    const absl::string_view line = WithoutComment(lines[i]);
    if (IsLabel(line)) {
      labels[std::string(absl::StripSuffix(line, ":"))] = i;
      first_line.push_back(i);
    } else if (EndsBlock(line)) {
      first_line.push_back(i + 1);
    }
  }
  std::sort(first_line.begin(), first_line.end());
  first_line.erase(std::unique(first_line.begin(), first_line.end()), first_line.end());
  Blocks blocks;
  blocks.first_line = first_line;
  blocks.next.resize(first_line.size());
  blocks.parts.resize(first_line.size(), false);
  for (size_t b = 0; b < first_line.size(); ++b) {
    const size_t end = b + 1 < first_line.size() ? first_line[b + 1] : lines.size();
    PtxInstruction last;
    const bool parsed = end > first_line[b] && ParsePtxInstruction(lines[end - 1], &last);
    const bool guarded = parsed && !last.guard.empty();
    bool falls = true;
    if (parsed && last.Is("brx")) {
      return MalformedPtx(first_line_number + end - 1, "is in a function with tables of branches");
    }
    if (parsed && last.Is("bra")) {
      const auto label = labels.find(last.operands.empty() ? "" : last.operands[0]);
      if (label == labels.end())
        return MalformedPtx(first_line_number + end - 1,
                            "is in a function with a branch to nowhere");
      blocks.next[b].push_back(blocks.Of(label->second));
      falls = guarded;
    } else if (parsed && (last.Is("ret") || last.Is("exit"))) {
      falls = guarded;
    }
    blocks.parts[b] = guarded && EndsBlock(WithoutComment(lines[end - 1]));
    if (falls && b + 1 < first_line.size()) blocks.next[b].push_back(b + 1);
  }
  return blocks;
}

}  // namespace

bool IsLabel(absl::string_view line) { return absl::EndsWith(line, ":"); }

bool EndsBlock(absl::string_view line) {
  PtxInstruction instruction;
  if (!ParsePtxInstruction(line, &instruction)) return IsLabel(line);
  return instruction.Is("bra") || instruction.Is("ret") || instruction.Is("brx") ||
         instruction.Is("exit");
}

absl::Status CheckConvergence(absl::Span<const absl::string_view> lines, size_t first_line,
                              absl::Span<const size_t> convergent) {
  if (convergent.empty()) return absl::OkStatus();
  absl::StatusOr<Blocks> blocks = FindBlocks(lines, first_line);
  if (!blocks.ok()) return blocks.status();
  std::set<size_t> checked;
  for (size_t line : convergent) {
    const size_t target = blocks->Of(line);
    if (!checked.insert(target).second) continue;
    const std::vector<bool> before = blocks->Reach(0, target);
    for (size_t b = 0; b < before.size(); ++b) {
      if (!before[b] || !blocks->parts[b]) continue;
      const std::vector<bool> around = blocks->Reach(b, target);
      bool reaches = false, leaves = false;
      for (size_t x = 0; x < around.size(); ++x) {
        if (!around[x]) continue;
        const std::vector<size_t>& next = blocks->next[x];
        reaches |= std::find(next.begin(), next.end(), target) != next.end();
        leaves |= next.empty() || (blocks->parts[x] && next.size() < 2);  // a guarded ret
      }
      if (reaches && leaves)
        return MalformedPtx(first_line + line, "is done by some lanes of a warp only");
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering::gpu
