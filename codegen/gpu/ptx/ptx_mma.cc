#include "codegen/gpu/ptx/ptx_mma.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codegen/gpu/ptx/ptx_attention.h"
#include "codegen/gpu/ptx/ptx_blocks.h"
#include "codegen/gpu/ptx/ptx_call.h"
#include "codegen/gpu/ptx/ptx_staged.h"
#include "codegen/gpu/ptx/ptx_text.h"
#include "codegen/gpu/ptx/ptx_wgmma.h"
#include "lowering/kernels/attention/warpgroups.h"
#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/device_intrinsics.h"

namespace halyard::lowering::gpu {
namespace {

// Rewrites the body of one function.
class FunctionRewriter {
 public:
  FunctionRewriter(std::vector<absl::string_view> lines, size_t first_line, int capability)
      : lines_(std::move(lines)), first_line_(first_line), capability_(capability) {}

  absl::StatusOr<std::vector<std::string>> Run() {
    absl::Status status = FindCalls();
    if (!status.ok()) return status;
    if (calls_.empty()) return std::vector<std::string>(lines_.begin(), lines_.end());
    for (size_t c = 0; c < calls_.size();) {
      const PtxCall& call = calls_[c];
      int value = 0;
      if (const MmaIntrinsic* mma = MmaOfFunction(call.function, &value)) {
        status = AddProduct(*mma, c);
        c += 4;
      } else if (const ScalarIntrinsic* scalar = ScalarOfFunction(call.function)) {
        status = AddScalar(*scalar, call);
        ++c;
      } else if (call.function == kArrive) {
        status = AddArrive(call);
        ++c;
      } else if (IsStagedFunction(call.function)) {
        status = AddStaged(call);
        ++c;
      } else if (IsAttentionFunction(call.function)) {
        status = AddAttention(call);
        ++c;
      } else {
        status = MalformedPtx(Line(call), absl::StrCat("names no intrinsic: ", call.function));
      }
      if (!status.ok()) return status;
    }
    status = CheckDropped();
    if (status.ok()) status = CheckConvergence(lines_, first_line_, convergent_);
    if (!status.ok()) return status;
    return Assemble();
  }

 private:
  size_t Line(const PtxCall& call) const { return first_line_ + call.first_line; }

  absl::Status FindCalls() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const absl::string_view line = absl::StripAsciiWhitespace(lines_[i]);
      if (WithoutComment(line) != "{") {
        if (absl::StrContains(WithoutComment(line), kIntrinsicPrefix) &&
            !IsLabel(WithoutComment(line)))
          return MalformedPtx(first_line_ + i, "stands outside of a call sequence");
        continue;
      }
      absl::StatusOr<std::optional<PtxCall>> call = ReadPtxCall(lines_, i);
      if (!call.ok()) return call.status();
      if (!call->has_value()) continue;
      calls_.push_back(**call);
      i = calls_.back().last_line;
    }
    return absl::OkStatus();
  }

  absl::Status CheckCapability(const char* name, int needed) const {
    if (capability_ >= needed) return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat(name, " needs sm_", needed, "; the device is sm_",
                                                 capability_, ": choose another schedule"));
  }

  absl::Status AddProduct(const MmaIntrinsic& mma, size_t first) {
    absl::Status able = CheckCapability(mma.name, mma.min_capability);
    if (!able.ok()) return able;
    const PtxCall& head = calls_[first];
    if (first + 4 > calls_.size()) return MalformedPtx(Line(head), "is one of less than four");
    // The results by value, and in the order of the calls.
    std::vector<std::string> results(4), in_order;
    for (int i = 0; i < 4; ++i) {
      const PtxCall& call = calls_[first + i];
      int value = 0;
      if (MmaOfFunction(call.function, &value) != &mma || !results[value].empty())
        return MalformedPtx(Line(call), "is out of its group's order");
      if (call.arguments.size() != static_cast<size_t>(mma.num_arguments()))
        return MalformedPtx(Line(call), "has another number of arguments than its intrinsic");
      for (size_t a = 0; a < call.arguments.size(); ++a) {
        if (call.arguments[a] == head.arguments[a]) continue;
        if (a >= 4)
          return MalformedPtx(Line(call), "has other words of A or B than its group's first");
        // The accumulator is the result of an earlier call.
        if (results[a].empty() || call.arguments[a] != results[a])
          return MalformedPtx(Line(call), "has an accumulator that is not its group's");
      }
      if (!IsRegister(call.result) ||
          std::find(in_order.begin(), in_order.end(), call.result) != in_order.end())
        return MalformedPtx(Line(call), "shares its result");
      results[value] = call.result;
      in_order.push_back(call.result);
    }
    absl::Status alone = CheckBetween(first, in_order);
    if (!alone.ok()) return alone;
    auto registers = [&](size_t begin, size_t count) {
      std::vector<std::string> names;
      for (size_t a = begin; a < begin + count; ++a)
        names.push_back(InRegister(first, head.arguments[a]));
      return absl::StrCat("{", absl::StrJoin(names, ", "), "}");
    };
    // Constants come first: InRegister adds their moves.
    const std::string a = registers(4, mma.lhs_words()), c = registers(0, 4);
    const std::string b = registers(4 + mma.lhs_words(), mma.words);
    Emit(first, absl::StrCat("\t", mma.ptx, " \t{", absl::StrJoin(results, ", "), "}, ", a, ", ", b,
                             ", ", c, ";"));
    convergent_.push_back(head.first_line);
    return absl::OkStatus();
  }

  // Checks that the calls of a group are in one basic block, that no instruction between them
  // writes one of their registers, and that those instructions read only results that an earlier
  // call has made.
  absl::Status CheckBetween(size_t first, const std::vector<std::string>& results) {
    std::set<std::string> registers(results.begin(), results.end()), early = registers;
    for (const std::string& argument : calls_[first].arguments) {
      if (IsRegister(argument)) registers.insert(argument);
    }
    for (size_t c = first; c + 1 < first + 4; ++c) {
      early.erase(results[c - first]);
      for (size_t i = calls_[c].last_line + 1; i < calls_[c + 1].first_line; ++i) {
        const absl::string_view line = WithoutComment(lines_[i]);
        if (EndsBlock(line))
          return MalformedPtx(first_line_ + i, "is in another block than its group");
        // A store does not write a register. Other instructions write their first operand.
        PtxInstruction instruction;
        const bool writes = ParsePtxInstruction(line, &instruction) && !instruction.Is("st") &&
                            !instruction.operands.empty();
        for (const std::string& name : RegistersOf(writes ? instruction.operands[0] : "")) {
          if (registers.count(name) != 0)
            return MalformedPtx(first_line_ + i, absl::StrCat("has its register ", name,
                                                              " redefined within its group"));
        }
        for (const std::string& name : RegistersOf(line)) {
          if (early.count(name) != 0)
            return MalformedPtx(first_line_ + i,
                                absl::StrCat("has its result ", name, " read before it is there"));
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddScalar(const ScalarIntrinsic& scalar, const PtxCall& call) {
    absl::Status able = CheckCapability(scalar.name, scalar.min_capability);
    if (!able.ok()) return able;
    if (call.arguments.size() != static_cast<size_t>(scalar.num_arguments))
      return MalformedPtx(Line(call), "has another number of arguments than its intrinsic");
    const size_t c = static_cast<size_t>(&call - calls_.data());
    std::vector<std::pair<std::string, std::string>> names = {{"$0", call.result}};
    for (int i = 0; i < scalar.num_arguments; ++i) {
      const std::string& argument = call.arguments[i];
      const bool constant = i >= scalar.num_arguments - scalar.num_constants;
      if (constant && IsRegister(argument))
        return MalformedPtx(Line(call), absl::StrCat("needs a constant, not ", argument));
      names.emplace_back(absl::StrCat("$", i + 1), constant ? argument : InRegister(c, argument));
    }
    Emit(c, absl::StrCat("\t", absl::StrReplaceAll(scalar.ptx, names)));
    if (scalar.convergent) convergent_.push_back(call.first_line);
    return absl::OkStatus();
  }

  // The fences order what the barriers around the call have ordered, too (PTX ISA, "Causality
  // order").
  absl::Status AddArrive(const PtxCall& call) {
    absl::Status able = CheckCapability(kArrive, kArriveCapability);
    if (!able.ok()) return able;
    if (call.arguments.size() != 2 || IsRegister(call.arguments[1]))
      return MalformedPtx(Line(call), "has no counter and constant");
    const absl::StatusOr<LoadedFrom> counter =
        TraceLoad(lines_, call.first_line, call.arguments[0]);
    if (!counter.ok()) return MalformedPtx(Line(call), "has a counter that is not loaded");
    Drop(counter->lines, "a counter of groups that arrive is not only counted");
    const size_t c = static_cast<size_t>(&call - calls_.data());
    Emit(c, "\tfence.acq_rel.gpu;");
    Emit(c, absl::StrCat("\tatom.relaxed.gpu.global.inc.u32 \t", call.result, ", ",
                         counter->address, ", ", call.arguments[1], ";"));
    Emit(c, "\tfence.acq_rel.gpu;");
    return absl::OkStatus();
  }

  absl::Status AddStaged(const PtxCall& call) {
    StagedCall staged = {call.function, call.arguments, call.result, ""};
    if (call.function == kStagedCopy && call.arguments.size() == 5) {
      absl::StatusOr<LoadedFrom> loaded = TraceLoad(lines_, call.first_line, call.arguments[2]);
      // The load is dropped even if nothing is copied: it may lie behind the end of the factor.
      if (!loaded.ok()) return loaded.status();
      staged.address = loaded->address;
      Drop(loaded->lines, "a factor of a product in stages is not only copied");
    }
    const absl::StatusOr<std::vector<std::string>> text = StagedInstructions(staged);
    if (!text.ok()) return MalformedPtx(Line(call), text.status().message());
    const size_t c = static_cast<size_t>(&call - calls_.data());
    for (const std::string& line : *text) Emit(c, line);
    if (IsStagedConvergent(call.function)) convergent_.push_back(call.first_line);
    uses_staged_ = true;
    return absl::OkStatus();
  }

  absl::Status AddAttention(const PtxCall& call) {
    const size_t c = static_cast<size_t>(&call - calls_.data());
    StagedCall staged = {call.function, call.arguments, call.result, ""};
    // Factors may be constants, which comparisons do not take as they are written.
    if (call.function == kAttentionScale) {
      for (size_t i = 0; i < 2 && i < staged.arguments.size(); ++i)
        staged.arguments[i] = InRegister(c, staged.arguments[i]);
    }
    const absl::StatusOr<std::vector<std::string>> text = AttentionInstructions(staged);
    if (!text.ok()) return MalformedPtx(Line(call), text.status().message());
    for (const std::string& line : *text) Emit(c, line);
    if (IsAttentionConvergent(call.function)) convergent_.push_back(call.first_line);
    uses_staged_ = uses_attention_ = true;
    return absl::OkStatus();
  }

  // `use` says what is wrong if anything else uses what these lines load.
  void Drop(const std::vector<size_t>& lines, const char* use) {
    for (const size_t line : lines) dropped_.emplace(line, use);
  }

  // Checks that nothing else uses what copies replace (copies of one element may share a load).
  absl::Status CheckDropped() const {
    std::map<std::string, const char*> gone;
    for (const auto& [line, use] : dropped_) {
      PtxInstruction instruction;
      if (ParsePtxInstruction(lines_[line], &instruction))
        gone.emplace(instruction.operands[0], use);
    }
    if (gone.empty()) return absl::OkStatus();
    size_t next = 0;
    for (size_t i = 0; i < lines_.size(); ++i) {
      while (next < calls_.size() && calls_[next].last_line < i) ++next;
      const bool in_copy =
          next < calls_.size() && calls_[next].first_line <= i &&
          (calls_[next].function == kStagedCopy || calls_[next].function == kArrive);
      if (in_copy || dropped_.count(i) != 0) continue;
      for (const std::string& name : RegistersOf(WithoutComment(lines_[i]))) {
        const auto other = gone.find(name);
        if (other != gone.end()) {
          return absl::ResourceExhaustedError(
              absl::StrCat(other->second, ": line ", first_line_ + i + 1, " uses it, too"));
        }
      }
    }
    return absl::OkStatus();
  }

  // Returns the operand, in a register of its own if it is a constant.
  std::string InRegister(size_t call, const std::string& operand) {
    if (IsRegister(operand)) return operand;
    auto [it, added] =
        constants_.try_emplace(operand, absl::StrCat("%hy_constant", constants_.size()));
    Emit(call, absl::StrCat("\tmov.b32 \t", it->second, ", ", operand, ";"));
    return it->second;
  }

  void Emit(size_t call, std::string text) {
    text_[calls_[call].first_line].push_back(std::move(text));
  }

  std::vector<std::string> Assemble() const {
    std::vector<std::string> out;
    size_t next = 0;
    bool declared = constants_.empty() && !uses_staged_;
    for (size_t i = 0; i < lines_.size(); ++i) {
      PtxInstruction instruction;
      if (!declared && (ParsePtxInstruction(lines_[i], &instruction) ||
                        (next < calls_.size() && calls_[next].first_line == i))) {
        declared = true;
        if (!constants_.empty())
          out.push_back(absl::StrCat("\t.reg .b32 \t%hy_constant<", constants_.size(), ">;"));
        if (uses_staged_) {
          const std::vector<std::string> registers = StagedDeclarations();
          out.insert(out.end(), registers.begin(), registers.end());
        }
        if (uses_attention_) {
          const std::vector<std::string> registers = AttentionDeclarations();
          out.insert(out.end(), registers.begin(), registers.end());
        }
      }
      if (next < calls_.size() && calls_[next].first_line == i) {
        if (const auto text = text_.find(i); text != text_.end())
          out.insert(out.end(), text->second.begin(), text->second.end());
        i = calls_[next++].last_line;
        continue;
      }
      if (dropped_.count(i) == 0) out.emplace_back(lines_[i]);
    }
    return out;
  }

  std::vector<absl::string_view> lines_;
  size_t first_line_;
  int capability_;
  std::vector<PtxCall> calls_;
  std::unordered_map<std::string, std::string> constants_;
  std::unordered_map<size_t, std::vector<std::string>> text_;  // by the line of a call
  std::vector<size_t> convergent_;
  // Loads that copies and arrivals take the place of, and what is wrong if others use them.
  std::map<size_t, const char*> dropped_;
  bool uses_staged_ = false, uses_attention_ = false;
};

bool IsWgmma(const std::string& line) { return absl::StartsWith(line, "\twgmma."); }

// Products of sm_75, copies that may give zeros, and 8-bit floats are newer than the version of PTX
// that LLVM names.
std::string RaiseVersion(absl::string_view line, const char* least) {
  absl::string_view number = line;
  double version = 0, needed = 0;
  if (!absl::ConsumePrefix(&number, ".version ") || !absl::SimpleAtod(number, &version) ||
      !absl::SimpleAtod(least, &needed) || version >= needed)
    return std::string(line);
  return absl::StrCat(".version ", least);
}

}  // namespace

absl::StatusOr<std::string> RewriteIntrinsics(absl::string_view ptx, int capability) {
  const absl::string_view text = ptx.substr(0, ptx.find('\0'));
  if (!absl::StrContains(text, kIntrinsicPrefix)) return std::string(text);
  const bool staged = absl::StrContains(text, kStagedBegin);
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  std::vector<std::string> out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (absl::StartsWith(lines[i], ".extern .func")) {
      // A declaration, up to its semicolon.
      size_t end = i;
      std::string declaration;
      for (; end < lines.size(); ++end) {
        absl::StrAppend(&declaration, WithoutComment(lines[end]), " ");
        if (absl::StrContains(WithoutComment(lines[end]), ";")) break;
      }
      if (end == lines.size()) return MalformedPtx(i, "is declared without an end");
      if (!absl::StrContains(declaration, kIntrinsicPrefix))
        for (size_t k = i; k <= end; ++k) out.emplace_back(lines[k]);
      i = end;
      continue;
    }
    out.emplace_back(lines[i]);
    if (lines[i] != "{") continue;
    size_t end = i + 1;
    while (end < lines.size() && lines[end] != "}") ++end;
    if (end == lines.size()) return MalformedPtx(i, "is in a function that does not end");
    FunctionRewriter rewriter({lines.begin() + static_cast<ptrdiff_t>(i) + 1,
                               lines.begin() + static_cast<ptrdiff_t>(end)},
                              i + 1, capability);
    absl::StatusOr<std::vector<std::string>> body = rewriter.Run();
    if (!body.ok()) return body.status();
    out.insert(out.end(), body->begin(), body->end());
    out.emplace_back("}");
    i = end;
  }
  const bool small_floats = std::any_of(out.begin(), out.end(), [](const std::string& line) {
    return absl::StrContains(line, ".e4m3") || absl::StrContains(line, ".e5m2");
  });
  const bool wgmma = std::any_of(out.begin(), out.end(), IsWgmma);
  if (wgmma && capability != kWgmmaCapability)
    return absl::UnimplementedError(absl::StrCat("wgmma is of sm_", kWgmmaCapability,
                                                 " alone; the device is sm_", capability,
                                                 ": choose another schedule"));
  for (std::string& line : out) {
    if (absl::StartsWith(line, ".version "))
      line = RaiseVersion(line, small_floats ? "8.4" : wgmma ? "8.0" : staged ? "7.5" : "6.5");
    // LLVM knows no device that has 8-bit floats.
    if (small_floats && absl::StartsWith(line, ".target ")) line = ".target sm_89";
    if (wgmma && absl::StartsWith(line, ".target ")) line = absl::StrCat(".target ", kWgmmaTarget);
  }
  return absl::StrJoin(out, "\n");
}

}  // namespace halyard::lowering::gpu
