#include "codegen/gpu/ptx/ptx_passes.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codegen/gpu/ptx/ptx_text.h"
#include "codegen/gpu/ptx/ptx_wgmma.h"

namespace halyard::lowering::gpu {
namespace {

std::string SharedDeclaration(bool wgmma) {
  return absl::StrCat(".extern .shared .align ", wgmma ? kWgmmaAlignment : 128,
                      " .b8 hy_shared[];");
}
constexpr char kRegisters[] =
    "\t.reg .b16 \t%hy_product16;\n\t.reg .b32 \t%hy_product32;\n\t.reg .b64 \t%hy_product64;\n"
    "\t.reg .b32 \t%hy_base32;\n\t.reg .b64 \t%hy_base64;\n"
    "\t.reg .b32 \t%hy_address32;\n\t.reg .b64 \t%hy_address64;";

absl::string_view ProductRegister(absl::string_view type) {
  if (type == "f64" || type == "f32x2") return "%hy_product64";
  return type == "f16" ? "%hy_product16" : "%hy_product32";
}

bool HasRounding(const PtxInstruction& i) {
  return i.Has("rn") || i.Has("rz") || i.Has("rm") || i.Has("rp") || i.Has("rni") || i.Has("rzi");
}

bool IsMemoryAccess(const PtxInstruction& i) {
  return i.Is("ld") || i.Is("st") || i.Is("atom") || i.Is("red");
}

// Of addresses that count from 0: those of ptx_staged.cc begin at hy_shared already.
bool IsSharedAccess(const PtxInstruction& i) {
  if (i.opcode.size() < 2 || i.opcode[1] != "shared" || i.operands.size() < 2) return false;
  if (!IsMemoryAccess(i)) return false;
  return !absl::StartsWith(i.operands[i.Is("st") || i.Is("red") ? 0 : 1], "[%hy_");
}

bool NamesShared(const PtxInstruction& i) {
  return i.operands.size() == 2 && i.operands[1] == "hy_shared";
}

// Rewrites one function's instructions.
class FunctionPass {
 public:
  explicit FunctionPass(const PtxOptions& options) : options_(options) {}

  bool uses_shared() const { return uses_shared_; }

  absl::StatusOr<std::vector<std::string>> Run(const std::vector<absl::string_view>& lines) {
    std::vector<PtxInstruction> instructions;
    std::vector<int> index(lines.size(), -1);
    for (size_t i = 0; i < lines.size(); ++i) {
      PtxInstruction instruction;
      if (!ParsePtxInstruction(lines[i], &instruction)) continue;
      uses_shared_ |= IsSharedAccess(instruction) || NamesShared(instruction);
      index[i] = static_cast<int>(instructions.size());
      instructions.push_back(std::move(instruction));
    }
    std::vector<bool> accumulates(instructions.size(), false);
    if (options_.fuse_multiply_accumulate) accumulates = FindAccumulations(instructions);
    // Halide's own registers are declared first; the first instruction follows.
    bool declared = false;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (index[i] < 0) {
        out_.emplace_back(lines[i]);
        continue;
      }
      if (!std::exchange(declared, true)) Declare();
      absl::Status status = Rewrite(std::move(instructions[index[i]]), accumulates[index[i]]);
      if (!status.ok()) return status;
    }
    return std::move(out_);
  }

 private:
  void Declare() {
    out_.emplace_back(kRegisters);
    if (!uses_shared_) return;
    out_.emplace_back("\tmov.u32 \t%hy_base32, hy_shared;");
    out_.emplace_back("\tmov.u64 \t%hy_base64, hy_shared;");
  }

  absl::Status Rewrite(PtxInstruction i, bool accumulates) {
    if (i.Is("fma") && IsPtxFloat(i.type()) && i.operands.size() == 4) {
      if (!accumulates) {
        SplitFma(i);
        return absl::OkStatus();
      }
    } else if ((i.Is("add") || i.Is("sub") || i.Is("mul")) && IsPtxFloat(i.type()) &&
               !HasRounding(i)) {
      i.opcode.insert(i.opcode.begin() + 1, "rn");
    } else if ((i.Is("sqrt") || i.Is("div") || i.Is("rcp")) && (i.Has("approx") || i.Has("full"))) {
      i.opcode = {i.opcode[0], "rn", i.type()};
    } else if (i.Is("cvt")) {
      // Floor and ceiling: exact but for the denormals that this would flush.
      std::erase(i.opcode, "ftz");
    }
    // A device intrinsic's; nothing else makes one.
    const bool asked_for = i.Is("ex2") && i.Has("approx") && i.Has("ftz");
    if (asked_for) {
      out_.push_back(i.Print());
      return absl::OkStatus();
    }
    if (i.Has("approx") || i.Has("ftz") || i.Is("mad") ? IsPtxFloat(i.type()) : false) {
      return absl::UnimplementedError(
          absl::StrCat("a CUDA kernel uses ", absl::StrJoin(i.opcode, "."),
                       ", which does not round correctly; write the function out"));
    }
    if (IsSharedAccess(i)) return RebaseShared(std::move(i));
    if (IsMemoryAccess(i) && i.Has("shared") && i.opcode[1] != "shared") {
      return absl::UnimplementedError(
          absl::StrCat("a CUDA kernel uses ", absl::StrJoin(i.opcode, "."),
                       ", whose addresses are not known to be rebased"));
    }
    if (i.Is("cvta") && i.Has("shared")) {
      return absl::UnimplementedError("a CUDA kernel takes a generic address of shared memory");
    }
    out_.push_back(i.Print());
    return absl::OkStatus();
  }

  // The guard holds for both: a guarded fma leaves its result alone otherwise.
  void SplitFma(const PtxInstruction& fma) {
    const std::string product(ProductRegister(fma.type()));
    PtxInstruction mul = fma, add = fma;
    mul.opcode = {"mul", "rn", fma.type()};
    mul.operands = {product, fma.operands[1], fma.operands[2]};
    add.opcode = {"add", "rn", fma.type()};
    add.operands = {fma.operands[0], product, fma.operands[3]};
    out_.push_back(mul.Print());
    out_.push_back(add.Print());
  }

  absl::Status RebaseShared(PtxInstruction i) {
    std::string& address = i.operands[i.Is("st") || i.Is("red") ? 0 : 1];
    absl::string_view inner = address;
    if (!absl::ConsumePrefix(&inner, "[") || !absl::ConsumeSuffix(&inner, "]")) {
      return absl::UnimplementedError(absl::StrCat("unknown shared-memory address ", address));
    }
    int64_t constant = 0;
    if (absl::SimpleAtoi(inner, &constant)) {
      address = absl::StrCat("[hy_shared+", constant, "]");
    } else if (absl::StartsWith(inner, "%")) {
      const size_t plus = inner.find_first_of("+-");
      const absl::string_view base = inner.substr(0, plus);
      const bool wide = absl::StartsWith(base, "%rd");
      const char* bits = wide ? "64" : "32";
      out_.push_back(absl::StrCat("\tadd.s", bits, " \t%hy_address", bits, ", ", base, ", %hy_base",
                                  bits, ";"));
      const absl::string_view rest =
          plus == absl::string_view::npos ? absl::string_view() : inner.substr(plus);
      address = absl::StrCat("[%hy_address", bits, rest, "]");
    } else {
      return absl::UnimplementedError(absl::StrCat("unknown shared-memory address ", address));
    }
    out_.push_back(i.Print());
    return absl::OkStatus();
  }

  const PtxOptions& options_;
  bool uses_shared_ = false;
  std::vector<std::string> out_;
};

// "name" of ".visible .entry name(".
absl::string_view EntryName(absl::string_view line) {
  const size_t at = line.find(".entry ");
  if (at == absl::string_view::npos) return "";
  line = line.substr(at + 7);
  return line.substr(0, line.find_first_of("( \t"));
}

}  // namespace

absl::StatusOr<std::string> PreparePtx(absl::string_view ptx, const PtxOptions& options) {
  std::vector<std::string> out;
  std::vector<absl::string_view> body;
  std::string entry;
  size_t shared_position = 0;
  bool in_function = false, uses_shared = false;
  // Halide hands the text over with a zero at its end.
  const absl::string_view text = ptx.substr(0, ptx.find('\0'));
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!in_function) {
      if (!EntryName(line).empty()) entry = std::string(EntryName(line));
      if (line == "{") {
        in_function = true;
        body.clear();
        const auto group = options.group.find(entry);
        if (group != options.group.end()) {
          out.push_back(absl::StrCat(".maxntid ", absl::StrJoin(group->second, ", ")));
        }
        if (options.max_registers > 0)
          out.push_back(absl::StrCat(".maxnreg ", options.max_registers));
      }
      out.emplace_back(line);
      if (absl::StartsWith(line, ".address_size")) shared_position = out.size();
      continue;
    }
    if (line != "}") {
      body.push_back(line);
      continue;
    }
    FunctionPass pass(options);
    absl::StatusOr<std::vector<std::string>> rewritten = pass.Run(body);
    if (!rewritten.ok()) return rewritten.status();
    out.insert(out.end(), rewritten->begin(), rewritten->end());
    out.emplace_back("}");
    uses_shared |= pass.uses_shared();
    in_function = false;
  }
  if (in_function || shared_position == 0) {
    return absl::DataLossError("Halide's PTX ends inside a function, or has no .address_size");
  }
  if (uses_shared) {
    out.insert(out.begin() + static_cast<ptrdiff_t>(shared_position),
               SharedDeclaration(absl::StrContains(text, "\twgmma.")));
  }
  return absl::StrJoin(out, "\n");
}

}  // namespace halyard::lowering::gpu
