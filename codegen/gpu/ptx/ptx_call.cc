#include "codegen/gpu/ptx/ptx_call.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codegen/gpu/ptx/ptx_staged.h"
#include "codegen/gpu/ptx/ptx_text.h"
#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/device_intrinsics.h"

namespace halyard::lowering::gpu {
namespace {

// "param3" of "[param3]".
bool SlotOf(absl::string_view operand, absl::string_view prefix, int* slot) {
  if (!absl::ConsumePrefix(&operand, "[") || !absl::ConsumeSuffix(&operand, "]") ||
      !absl::ConsumePrefix(&operand, prefix)) {
    return false;
  }
  return absl::SimpleAtoi(operand, slot);
}

// Reads one call.
class CallReader {
 public:
  CallReader(const std::vector<absl::string_view>& lines, size_t begin)
      : lines_(lines), begin_(begin) {}

  absl::StatusOr<std::optional<PtxCall>> Read() {
    call_.first_line = begin_;
    bool ended = false;
    std::string text;  // the call instruction, printed over several lines
    for (size_t i = begin_ + 1; i < lines_.size() && !ended; ++i) {
      const absl::string_view line = WithoutComment(lines_[i]);
      if (line.empty()) continue;
      if (line == "}") {
        call_.last_line = i;
        ended = true;
      } else if (!text.empty() && !absl::EndsWith(text, ";")) {
        absl::StrAppend(&text, " ", line);
      } else if (absl::StartsWith(line, "call")) {
        if (!text.empty()) return MalformedPtx(i, "is followed by another");
        text = std::string(line);
      } else {
        absl::Status read = ReadLine(i, line);
        if (!read.ok()) return read;
      }
    }
    if (!ended) return MalformedPtx(begin_, "does not end");
    absl::Status named = ReadCall(text);
    if (!named.ok()) return named;
    if (!absl::StartsWith(call_.function, kIntrinsicPrefix)) return std::nullopt;
    if (!odd_.empty()) return MalformedPtx(begin_, absl::StrCat("holds `", odd_, "`"));
    for (const std::string& argument : call_.arguments) {
      if (argument.empty()) return MalformedPtx(begin_, "leaves an argument out");
    }
    if (call_.result.empty() && !IsStagedFunction(call_.function))
      return MalformedPtx(begin_, "has no result");
    return std::optional<PtxCall>(call_);
  }

 private:
  absl::Status ReadLine(size_t i, absl::string_view line) {
    if (absl::StartsWith(line, ".param ") || absl::StartsWith(line, ".reg "))
      return absl::OkStatus();
    PtxInstruction instruction;
    int slot = 0;
    if (!ParsePtxInstruction(line, &instruction)) {
      odd_ = std::string(line);
    } else if (instruction.Is("st") && instruction.Has("param") && instruction.guard.empty() &&
               instruction.operands.size() == 2 &&
               SlotOf(instruction.operands[0], "param", &slot) && slot >= 0 && slot < 64) {
      if (call_.arguments.size() <= static_cast<size_t>(slot)) call_.arguments.resize(slot + 1);
      if (!call_.arguments[slot].empty()) return MalformedPtx(i, "sets an argument twice");
      if (!absl::EndsWith(instruction.type(), "32")) odd_ = std::string(line);
      call_.arguments[slot] = instruction.operands[1];
    } else if (instruction.Is("ld") && instruction.Has("param") && instruction.guard.empty() &&
               instruction.operands.size() == 2 && instruction.operands[1] == "[retval0]" &&
               absl::EndsWith(instruction.type(), "32")) {
      if (!call_.result.empty()) return MalformedPtx(i, "has two results");
      call_.result = instruction.operands[0];
    } else {
      odd_ = std::string(line);
    }
    return absl::OkStatus();
  }

  // "call.uni (retval0), NAME, ( param0, param1 );"
  absl::Status ReadCall(absl::string_view text) {
    const std::vector<std::string> parts = absl::StrSplit(text, absl::MaxSplits(',', 2));
    if (parts.size() < 2 || !absl::EndsWith(text, ";"))
      return MalformedPtx(begin_, "has no callee");
    call_.function = std::string(absl::StripAsciiWhitespace(absl::StripSuffix(parts[1], ";")));
    // A call without a result, "call.uni NAME, (…);", does not call an intrinsic.
    if (!absl::StrContains(parts[0], "(retval0)")) {
      call_.function.clear();
      if (absl::StrContains(text, kIntrinsicPrefix)) return MalformedPtx(begin_, "has no result");
    }
    return absl::OkStatus();
  }

  const std::vector<absl::string_view>& lines_;
  size_t begin_;
  PtxCall call_;
  std::string odd_;  // a line that no intrinsic's call has
};

}  // namespace

absl::Status MalformedPtx(size_t line, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("line ", line + 1, " of Halide's PTX: a device intrinsic's call ", what));
}

absl::string_view WithoutComment(absl::string_view line) {
  return absl::StripAsciiWhitespace(line.substr(0, line.find("//")));
}

bool IsRegister(absl::string_view operand) { return absl::StartsWith(operand, "%"); }

std::set<std::string> RegistersOf(absl::string_view line) {
  std::set<std::string> registers;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '%') continue;
    size_t end = i + 1;
    while (end < line.size() && (absl::ascii_isalnum(static_cast<unsigned char>(line[end])) ||
                                 line[end] == '_' || line[end] == '$'))
      ++end;
    registers.emplace(line.substr(i, end - i));
    i = end;
  }
  return registers;
}

absl::StatusOr<std::optional<PtxCall>> ReadPtxCall(const std::vector<absl::string_view>& lines,
                                                   size_t begin) {
  return CallReader(lines, begin).Read();
}

}  // namespace halyard::lowering::gpu
