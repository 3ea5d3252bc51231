// Registers, symbols, constants and labels of a function (PTX ISA 5.2, 5.4, 10).
#include <algorithm>
#include <cctype>
#include <cstring>

#include "tests/fakes/ptx/parser.h"

namespace halyard::testing::ptx {
namespace {

uint64_t MaskOf(int bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace

Scope::Scope(Function* function, const std::map<std::string, Symbol>* globals)
    : function_(function), globals_(globals), names_(1) {
  function_->register_bytes = 64;  // offset 0 means no register
}

uint32_t Scope::Allocate(int bits) {
  const uint32_t at = function_->register_bytes;
  // A predicate takes one word. Each array begins at a multiple of 32 bytes.
  const uint32_t bytes = bits == 1 ? 4 : static_cast<uint32_t>(bits < 16 ? 16 : bits) / 8 * 32;
  function_->register_bytes += (bytes + 31) / 32 * 32;
  if (function_->register_bytes > (256u << 20)) throw ParseError(0, "too many registers");
  return at;
}

void Scope::DeclareRegisters(const std::string& name, int bits, int count, int line) {
  for (int i = 0; i < (count < 0 ? 1 : count); ++i) {
    const std::string full = count < 0 ? name : name + std::to_string(i);
    if (full.empty() || !names_.back().emplace(full, Register{Allocate(bits), bits}).second) {
      throw ParseError(line, "a second register " + full);
    }
  }
}

const Scope::Register* Scope::Special(const std::string& name) {
  const auto known = specials_.find(name);
  if (known != specials_.end()) return &known->second;
  using What = Initial::What;
  static const std::map<std::string, Initial> kSpecials = [] {
    std::map<std::string, Initial> all;
    const char* const dimension[] = {".x", ".y", ".z"};
    for (uint64_t d = 0; d < 3; ++d) {
      all[std::string("%tid") + dimension[d]] = {What::kThread, 0, 32, d};
      all[std::string("%ntid") + dimension[d]] = {What::kThreads, 0, 32, d};
      all[std::string("%ctaid") + dimension[d]] = {What::kBlock, 0, 32, d};
      all[std::string("%nctaid") + dimension[d]] = {What::kBlocks, 0, 32, d};
    }
    all["%laneid"] = {What::kLane, 0, 32, 0};
    all["%warpid"] = {What::kWarp, 0, 32, 0};
    all["%nwarpid"] = {What::kWarps, 0, 32, 0};
    all["WARP_SZ"] = {What::kConstant, 0, 32, 32};
    all["%dynamic_smem_size"] = {What::kDynamicShared, 0, 32, 0};
    all["%total_smem_size"] = {What::kTotalShared, 0, 32, 0};
    return all;
  }();
  const auto it = kSpecials.find(name);
  if (it == kSpecials.end()) return nullptr;
  Initial initial = it->second;
  initial.offset = Allocate(32);
  function_->initial.push_back(initial);
  return &(specials_[name] = {initial.offset, 32});
}

const Scope::Register* Scope::FindRegister(const std::string& name) {
  for (size_t i = names_.size(); i-- > 0;) {
    const auto it = names_[i].find(name);
    if (it != names_[i].end()) return &it->second;
  }
  return Special(name);
}

// Notes the registers of the function that the text names, but not those of a scope within it.
void Scope::NoteNames(const std::string& text, std::set<std::string>* names) const {
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                                 text[end] == '_' || text[end] == '$'))
      ++end;
    const std::string name = text.substr(at, end - at);
    if (names_.front().count(name) != 0) names->insert(name);
  }
}

std::vector<uint32_t> Scope::RegistersOf(const Statement& statement) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("%_$.", c) != nullptr;
  };
  std::vector<uint32_t> found;
  for (const std::string& operand : statement.operands) {
    for (auto end = operand.begin(); end != operand.end();) {
      const auto begin = std::find_if(end, operand.end(), in_name);
      end = std::find_if_not(begin, operand.end(), in_name);
      const Register* its = FindRegister(std::string(begin, end));
      if (its != nullptr) found.push_back(its->offset);
    }
  }
  return found;
}

void Scope::Note(const Statement& statement) {
  static const std::set<std::string> kWithoutResult = {
      "st", "red", "bra", "brx", "bar", "barrier", "cp", "ret", "exit", "membar", "fence", "trap"};
  NoteNames(statement.guard, &read_);
  // LLVM packs undefined halves, moves their bits about and masks them, because nothing looks at
  // them: only other instructions look at a value.
  static const std::set<std::string> kCarriesBits = {"mov", "and", "or", "shl", "shr"};
  if (kCarriesBits.count(statement.opcode[0]) != 0 && statement.operands.size() >= 2) {
    std::set<std::string> to, from;
    NoteNames(statement.operands[0], &to);
    const bool masks = statement.opcode[0] == "and" && statement.operands.back() == "0";
    for (size_t i = 1; i < statement.operands.size() && !masks; ++i)
      NoteNames(statement.operands[i], &from);
    if (from.empty()) {
      written_.insert(to.begin(), to.end());
    } else {
      carried_.push_back({to, from});
    }
    return;
  }
  for (size_t i = 0; i < statement.operands.size(); ++i) {
    const bool result = i == 0 && kWithoutResult.count(statement.opcode[0]) == 0;
    NoteNames(statement.operands[i], result ? &written_ : &read_);
  }
}

std::string Scope::Unwritten() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [to, from] : carried_) {
      const bool any = std::any_of(from.begin(), from.end(), [&](const std::string& name) {
        return written_.count(name) != 0;
      });
      if (!any) continue;
      const size_t before = written_.size();
      written_.insert(to.begin(), to.end());
      changed |= written_.size() != before;
    }
  }
  for (const std::string& name : read_) {
    if (written_.count(name) == 0) return name;
  }
  return "";
}

const Scope::Symbol* Scope::FindSymbol(const std::string& name) const {
  auto it = symbols_.find(name);
  if (it != symbols_.end()) return &it->second;
  it = globals_->find(name);
  if (it == globals_->end()) return nullptr;
  if (it->second.space == Space::kShared && it->second.address == function_->dynamic_shared) {
    function_->uses_dynamic_shared = true;
  }
  return &it->second;
}

uint32_t Scope::Constant(uint64_t value, int bits) {
  const auto [it, fresh] = constants_.try_emplace({value & MaskOf(bits), bits}, 0);
  if (!fresh) return it->second;
  Initial initial;
  initial.offset = it->second = Allocate(bits);
  initial.bits = bits;
  initial.value = it->first.first;
  function_->initial.push_back(initial);
  return it->second;
}

void Scope::ResolveLabels(const std::map<std::string, int>& labels) {
  for (const Fixup& fixup : fixups_) {
    Instruction& instruction = function_->code[fixup.instruction];
    std::vector<std::string> names = {fixup.label};
    if (fixup.table) {
      const auto table = tables.find(fixup.label);
      if (table == tables.end()) throw ParseError(instruction.line, "no list " + fixup.label);
      names = table->second;
    }
    for (const std::string& name : names) {
      const auto it = labels.find(name);
      if (it == labels.end()) throw ParseError(instruction.line, "no label " + name);
      if (fixup.table) {
        instruction.list.push_back(static_cast<uint32_t>(it->second));
      } else {
        instruction.target = it->second;
      }
    }
  }
}

}  // namespace halyard::testing::ptx
