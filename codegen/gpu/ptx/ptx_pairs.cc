#include "codegen/gpu/ptx/ptx_pairs.h"

#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "codegen/gpu/ptx/ptx_text.h"

namespace halyard::lowering::gpu {
namespace {

bool IsWide(absl::string_view operand) { return absl::StartsWith(operand, "%rd"); }

// What an instruction does with 64-bit registers, as far as halves can do it.
enum class Form {
  kOther,   // nothing that is known here
  kPack,    // mov.b64 %rd, {%a, %b}
  kUnpack,  // mov.b64 {%a, %b}, %rd
  kCopy,    // mov.b64 %rd, %rd or a constant
  kLogic,   // and, or, xor
  kShift,   // shr.u64, shl.b64 by a constant of 32 to 63
  kSelect,  // selp
  kWiden,   // cvt.u64.u32, cvt.u64.u16
  kNarrow,  // cvt.u32.u64
  kLoad,    // of 64-bit elements, 16 bytes at most
  kStore,
};

bool Is64(const PtxInstruction& i) {
  return i.type() == "b64" || i.type() == "u64" || i.type() == "s64" || i.type() == "f64";
}

// A register, or an integer whose halves can be written down.
bool IsValue(absl::string_view operand) {
  int64_t number = 0;
  return IsWide(operand) || absl::SimpleAtoi(operand, &number);
}

bool IsAccess(const PtxInstruction& i, const char* name, size_t address) {
  if (!i.Is(name) || i.operands.size() != 2 || i.Has("param") || !Is64(i)) return false;
  return PtxRegisters(i.operands[1 - address]).size() <= 2 &&
         absl::StartsWith(i.operands[address], "[");
}

Form FormOf(const PtxInstruction& i) {
  const std::vector<std::string>& o = i.operands;
  if (i.Is("mov") && i.opcode.size() == 2 && o.size() == 2 && Is64(i)) {
    const bool pack = absl::StartsWith(o[1], "{"), unpack = absl::StartsWith(o[0], "{");
    if (pack || unpack) {
      if (!IsWide(o[pack ? 0 : 1])) return Form::kOther;
      const bool two = PtxRegisters(o[pack ? 1 : 0]).size() == 2;
      return !two || pack == unpack ? Form::kOther : pack ? Form::kPack : Form::kUnpack;
    }
    return IsValue(o[1]) ? Form::kCopy : Form::kOther;
  }
  int64_t by = 0;
  if ((i.Is("and") || i.Is("or") || i.Is("xor")) && o.size() == 3 && i.type() == "b64")
    return IsValue(o[1]) && IsValue(o[2]) ? Form::kLogic : Form::kOther;
  if (((i.Is("shr") && i.type() == "u64") || (i.Is("shl") && i.type() == "b64")) && o.size() == 3 &&
      IsWide(o[1]) && absl::SimpleAtoi(o[2], &by) && by >= 32 && by < 64)
    return Form::kShift;
  if (i.Is("selp") && o.size() == 4 && Is64(i))
    return IsValue(o[1]) && IsValue(o[2]) ? Form::kSelect : Form::kOther;
  const std::string opcode = absl::StrJoin(i.opcode, ".");
  if (opcode == "cvt.u64.u32" || opcode == "cvt.u64.u16") return Form::kWiden;
  if (opcode == "cvt.u32.u64") return Form::kNarrow;
  if (IsAccess(i, "ld", 1)) return Form::kLoad;
  if (IsAccess(i, "st", 0)) return Form::kStore;
  return Form::kOther;
}

// The 64-bit registers that an instruction names, addresses among them.
std::vector<std::string> WideRegisters(const PtxInstruction& i) {
  std::vector<std::string> wide;
  for (const std::string& operand : i.operands) {
    for (absl::string_view part : absl::StrSplit(operand, absl::ByAnyChar("{}[](), +;\t"))) {
      if (IsWide(part)) wide.emplace_back(part);
    }
  }
  return wide;
}

class FunctionSplitter {
 public:
  std::vector<std::string> Run(const std::vector<absl::string_view>& lines) {
    std::vector<PtxInstruction> parsed(lines.size());
    std::vector<bool> is_instruction(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      is_instruction[i] = ParsePtxInstruction(lines[i], &parsed[i]);
      if (is_instruction[i]) {
        Note(parsed[i]);
      } else {
        parsed[i].operands = {std::string(lines[i])};
        Keep(WideRegisters(parsed[i]));  // of what is not understood
      }
    }
    ChooseSplit();
    std::vector<std::string> out;
    bool declared = first_half_.empty();
    for (size_t i = 0; i < lines.size(); ++i) {
      if (is_instruction[i] && !std::exchange(declared, true)) {
        out.push_back(absl::StrCat("\t.reg .b32 \t%hy_half<", 2 * first_half_.size(), ">;"));
      }
      if (is_instruction[i] && UsesSplit(parsed[i])) {
        Rewrite(parsed[i], &out);
      } else {
        out.emplace_back(lines[i]);
      }
    }
    return out;
  }

 private:
  struct Facts {
    bool is_pair = false;  // packed or unpacked somewhere
    bool stays = false;    // used in a way that halves cannot follow
  };

  size_t Node(const std::string& name) {
    const auto [it, added] = nodes_.try_emplace(name, facts_.size());
    if (added) {
      facts_.emplace_back();
      parent_.push_back(parent_.size());
    }
    return it->second;
  }
  size_t Root(size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  // Registers that must be split together, or all stay.
  void Join(const std::vector<std::string>& operands) {
    const std::string* first = nullptr;
    for (const std::string& operand : operands) {
      if (!IsWide(operand)) continue;
      if (first == nullptr) first = &operand;
      const size_t a = Root(Node(*first)), b = Root(Node(operand));
      parent_[b] = a;
    }
  }

  void Note(const PtxInstruction& i) {
    const std::vector<std::string>& o = i.operands;
    switch (FormOf(i)) {
      case Form::kOther:
        for (const std::string& name : WideRegisters(i)) facts_[Node(name)].stays = true;
        break;
      case Form::kPack:
        facts_[Node(o[0])].is_pair = true;
        break;
      case Form::kUnpack:
        facts_[Node(o[1])].is_pair = true;
        break;
      case Form::kCopy:
      case Form::kLogic:
      case Form::kSelect:
        Join(o);
        break;
      case Form::kShift:
        Join({o[0], o[1]});
        break;
      case Form::kWiden:
        Node(o[0]);
        break;
      case Form::kNarrow:
        Node(o[1]);
        break;
      case Form::kLoad:
      case Form::kStore: {
        const size_t address = i.Is("ld") ? 1 : 0;
        const std::vector<std::string> values = PtxRegisters(o[1 - address]);
        Join(values);
        // A constant or "_" has no halves here.
        for (const std::string& value : values) {
          if (!IsWide(value)) Keep(values);
        }
        PtxInstruction only_address;
        only_address.operands = {o[address]};
        Keep(WideRegisters(only_address));
        break;
      }
    }
  }
  void Keep(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (IsWide(name)) facts_[Node(name)].stays = true;
    }
  }

  void ChooseSplit() {
    std::vector<bool> pair(facts_.size()), stays(facts_.size());
    for (size_t n = 0; n < facts_.size(); ++n) {
      const size_t root = Root(n);
      pair[root] = pair[root] || facts_[n].is_pair;
      stays[root] = stays[root] || facts_[n].stays;
    }
    for (const auto& [name, node] : nodes_) {
      const size_t root = Root(node);
      if (pair[root] && !stays[root]) first_half_.emplace(name, 2 * first_half_.size());
    }
  }

  bool UsesSplit(const PtxInstruction& i) const {
    for (const std::string& name : WideRegisters(i)) {
      if (first_half_.count(name) != 0) return true;
    }
    return false;
  }

  // A half of a register that is split, or of a constant.
  std::string Half(const std::string& operand, int half) const {
    if (IsWide(operand)) return absl::StrCat("%hy_half", first_half_.at(operand) + half);
    int64_t number = 0;
    if (!absl::SimpleAtoi(operand, &number)) return "0";
    return absl::StrCat(static_cast<int32_t>(static_cast<uint64_t>(number) >> 32 * half));
  }

  void Rewrite(const PtxInstruction& i, std::vector<std::string>* out) const {
    const std::vector<std::string>& o = i.operands;
    auto put = [&](std::vector<std::string> opcode, std::vector<std::string> operands) {
      PtxInstruction one;
      one.guard = i.guard;
      one.opcode = std::move(opcode);
      one.operands = std::move(operands);
      out->push_back(one.Print());
    };
    const std::vector<std::string> move = {"mov", "b32"};
    switch (FormOf(i)) {
      case Form::kPack:
        for (int h : {0, 1}) put(move, {Half(o[0], h), PtxRegisters(o[1])[h]});
        break;
      case Form::kUnpack:
        for (int h : {0, 1}) {
          const std::string to = PtxRegisters(o[0])[h];
          if (to != "_") put(move, {to, Half(o[1], h)});
        }
        break;
      case Form::kCopy:
        for (int h : {0, 1}) put(move, {Half(o[0], h), Half(o[1], h)});
        break;
      case Form::kLogic:
        for (int h : {0, 1})
          put({i.opcode[0], "b32"}, {Half(o[0], h), Half(o[1], h), Half(o[2], h)});
        break;
      case Form::kSelect:
        for (int h : {0, 1})
          put({"selp", "b32"}, {Half(o[0], h), Half(o[1], h), Half(o[2], h), o[3]});
        break;
      case Form::kShift: {
        // Into the half that the bits go to, first: both registers may be the same.
        const int to = i.Is("shr") ? 0 : 1;
        int64_t by = 0;
        if (!absl::SimpleAtoi(o[2], &by)) break;  // FormOf has read it
        put({i.opcode[0], i.Is("shr") ? "u32" : "b32"},
            {Half(o[0], to), Half(o[1], 1 - to), absl::StrCat(by - 32)});
        put(move, {Half(o[0], 1 - to), "0"});
        break;
      }
      case Form::kWiden:
        if (i.type() == "u32") {
          put(move, {Half(o[0], 0), o[1]});
        } else {
          put({"cvt", "u32", "u16"}, {Half(o[0], 0), o[1]});
        }
        put(move, {Half(o[0], 1), "0"});
        break;
      case Form::kNarrow:
        put(move, {o[0], Half(o[1], 0)});
        break;
      case Form::kLoad:
      case Form::kStore: {
        const size_t address = i.Is("ld") ? 1 : 0;
        std::vector<std::string> halves, opcode, operands = o;
        for (const std::string& value : PtxRegisters(o[1 - address])) {
          halves.push_back(Half(value, 0));
          halves.push_back(Half(value, 1));
        }
        for (const std::string& part : i.opcode) {
          if (part != "v2") opcode.push_back(part);
        }
        opcode.back() = halves.size() == 2 ? "v2" : "v4";
        opcode.push_back("b32");
        operands[1 - address] = absl::StrCat("{", absl::StrJoin(halves, ", "), "}");
        put(opcode, operands);
        break;
      }
      case Form::kOther:  // its registers stay whole
        break;
    }
  }

  std::unordered_map<std::string, size_t> nodes_;
  std::vector<Facts> facts_;
  std::vector<size_t> parent_;                          // of sets of registers that go together
  std::unordered_map<std::string, size_t> first_half_;  // of those that are split
};

}  // namespace

std::string SplitPairs(absl::string_view ptx) {
  std::vector<std::string> out;
  std::vector<absl::string_view> body;
  bool in_function = false;
  for (absl::string_view line : absl::StrSplit(ptx, '\n')) {
    if (in_function && line == "}") {
      for (std::string& rewritten : FunctionSplitter().Run(body))
        out.push_back(std::move(rewritten));
      body.clear();
      in_function = false;
    }
    if (in_function) {
      body.push_back(line);
    } else {
      out.emplace_back(line);
      in_function = line == "{";
    }
  }
  // The function does not end, which PreparePtx refuses.
  for (absl::string_view line : body) out.emplace_back(line);
  return absl::StrJoin(out, "\n");
}

}  // namespace halyard::lowering::gpu
