#include "codegen/gpu/ptx/ptx_text.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace halyard::lowering::gpu {
namespace {

// Splits at commas outside braces and brackets.
std::vector<std::string> SplitOperands(absl::string_view text) {
  std::vector<std::string> operands;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      const absl::string_view operand = absl::StripAsciiWhitespace(text.substr(begin, i - begin));
      if (!operand.empty()) operands.emplace_back(operand);
      begin = i + 1;
    } else if (text[i] == '{' || text[i] == '[' || text[i] == '(') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']' || text[i] == ')') {
      --depth;
    }
  }
  return operands;
}

// Takes the braces of "{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %rd1; }" and its declaration off the
// line. False where the line is something else.
bool TakeBraces(absl::string_view* line) {
  absl::string_view inner = *line;
  if (!absl::ConsumePrefix(&inner, "{") || !absl::ConsumeSuffix(&inner, "}")) return false;
  inner = absl::StripAsciiWhitespace(inner);
  const size_t end = inner.find(';');
  if (end == absl::string_view::npos || !absl::StartsWith(inner, ".reg ") ||
      !absl::EndsWith(inner.substr(0, end), " tmp"))
    return false;
  *line = absl::StripAsciiWhitespace(inner.substr(end + 1));
  return absl::StartsWith(*line, "mov.") && line->find(';') == line->size() - 1;
}

// The braced form of an instruction, which drops half of a register.
std::string PrintBraced(const PtxInstruction& i) {
  std::vector<std::string> kept = PtxRegisters(i.operands[0]);
  for (std::string& name : kept) {
    if (name == "_") name = "tmp";
  }
  return absl::StrCat("\t{ .reg .b", i.type() == "b32" ? 16 : 32, " tmp; ",
                      absl::StrJoin(i.opcode, "."), " {", absl::StrJoin(kept, ", "), "}, ",
                      i.operands[1], "; }");
}

// A directed graph over names; strongly connected parts by Kosaraju's algorithm, without recursion.
class Graph {
 public:
  int Node(const std::string& name) {
    const auto [it, added] = nodes_.try_emplace(name, static_cast<int>(forward_.size()));
    if (added) {
      forward_.emplace_back();
      backward_.emplace_back();
    }
    return it->second;
  }
  void AddEdge(const std::string& from, const std::string& to) {
    const int a = Node(from), b = Node(to);
    forward_[a].push_back(b);
    backward_[b].push_back(a);
  }

  // Component of each node.
  std::vector<int> Components() const {
    std::vector<int> order;
    std::vector<bool> seen(forward_.size(), false);
    for (size_t i = 0; i < forward_.size(); ++i) Finish(static_cast<int>(i), &seen, &order);
    std::vector<int> component(forward_.size(), -1);
    for (auto root = order.rbegin(); root != order.rend(); ++root) {
      if (component[*root] >= 0) continue;
      std::vector<int> stack = {*root};
      component[*root] = *root;
      while (!stack.empty()) {
        const int node = stack.back();
        stack.pop_back();
        for (int next : backward_[node]) {
          if (component[next] >= 0) continue;
          component[next] = *root;
          stack.push_back(next);
        }
      }
    }
    return component;
  }

 private:
  // Appends what `start` reaches, each after what it reaches itself.
  void Finish(int start, std::vector<bool>* seen, std::vector<int>* order) const {
    if ((*seen)[start]) return;
    std::vector<std::pair<int, size_t>> stack = {{start, 0}};
    (*seen)[start] = true;
    while (!stack.empty()) {
      const int node = stack.back().first;
      const size_t edge = stack.back().second++;
      if (edge == forward_[node].size()) {
        order->push_back(node);
        stack.pop_back();
      } else if (!(*seen)[forward_[node][edge]]) {
        (*seen)[forward_[node][edge]] = true;
        stack.push_back({forward_[node][edge], 0});
      }
    }
  }

  std::unordered_map<std::string, int> nodes_;
  std::vector<std::vector<int>> forward_, backward_;
};

// "[%rd1+16]" of a load or store, with its state space; the i-th register of a vector has its own.
std::string Place(const PtxInstruction& instruction, absl::string_view address, size_t element) {
  return absl::StrCat(instruction.opcode.size() > 1 ? instruction.opcode[1] : "", " ", address, " ",
                      element);
}

}  // namespace

bool PtxInstruction::Has(absl::string_view modifier) const {
  return std::find(opcode.begin(), opcode.end(), modifier) != opcode.end();
}

std::string PtxInstruction::Print() const {
  if (braced) return PrintBraced(*this);
  return absl::StrCat("\t", guard, absl::StrJoin(opcode, "."), operands.empty() ? "" : " \t",
                      absl::StrJoin(operands, ", "), ";");
}

bool ParsePtxInstruction(absl::string_view line, PtxInstruction* instruction) {
  line = absl::StripAsciiWhitespace(line.substr(0, line.find("//")));
  const bool braced = TakeBraces(&line);
  if (!absl::ConsumeSuffix(&line, ";")) return false;
  *instruction = PtxInstruction();
  if (absl::StartsWith(line, "@")) {
    const size_t space = line.find_first_of(" \t");
    if (space == absl::string_view::npos) return false;
    instruction->guard = absl::StrCat(line.substr(0, space), " ");
    line = absl::StripLeadingAsciiWhitespace(line.substr(space));
  }
  if (line.empty() || !absl::ascii_islower(static_cast<unsigned char>(line[0]))) return false;
  const size_t space = line.find_first_of(" \t");
  instruction->opcode = absl::StrSplit(line.substr(0, space), '.');
  if (space != absl::string_view::npos) instruction->operands = SplitOperands(line.substr(space));
  if (!braced) return true;
  if (instruction->operands.size() != 2) return false;
  std::vector<std::string> kept = PtxRegisters(instruction->operands[0]);
  for (std::string& name : kept) {
    if (name == "tmp") name = "_";
  }
  instruction->operands[0] = absl::StrCat("{", absl::StrJoin(kept, ", "), "}");
  instruction->braced = true;
  return true;
}

std::vector<std::string> PtxRegisters(absl::string_view operand) {
  absl::ConsumePrefix(&operand, "{");
  absl::ConsumeSuffix(&operand, "}");
  return SplitOperands(operand);
}

bool IsPtxFloat(absl::string_view type) {
  return type == "f32" || type == "f64" || type == "f16" || type == "f16x2" || type == "f32x2";
}

std::vector<bool> FindAccumulations(const std::vector<PtxInstruction>& instructions) {
  Graph graph;
  for (const PtxInstruction& i : instructions) {
    if (i.Is("fma") && i.operands.size() == 4) {
      graph.AddEdge(i.operands[3], i.operands[0]);
    } else if (i.Is("mov") && i.operands.size() == 2) {
      // LLVM keeps pairs of floats in 64-bit registers: {a, b} = c has its halves for a and b.
      const std::vector<std::string> to = PtxRegisters(i.operands[0]),
                                     from = PtxRegisters(i.operands[1]);
      if (to.size() == from.size()) graph.AddEdge(i.operands[1], i.operands[0]);
      for (size_t half = 0; half < std::max<size_t>({2, to.size(), from.size()}); ++half) {
        auto part = [half](const std::vector<std::string>& registers) {
          return registers.size() > 1 ? registers[std::min(half, registers.size() - 1)]
                                      : absl::StrCat(registers[0], "/", half);
        };
        graph.AddEdge(part(from), part(to));
      }
    } else if (i.Is("ld") && i.operands.size() == 2) {
      const std::vector<std::string> registers = PtxRegisters(i.operands[0]);
      for (size_t r = 0; r < registers.size(); ++r) {
        graph.AddEdge(Place(i, i.operands[1], r), registers[r]);
      }
    } else if (i.Is("st") && i.operands.size() == 2) {
      const std::vector<std::string> registers = PtxRegisters(i.operands[1]);
      for (size_t r = 0; r < registers.size(); ++r) {
        graph.AddEdge(registers[r], Place(i, i.operands[0], r));
      }
    }
  }
  std::vector<bool> result(instructions.size(), false);
  for (const PtxInstruction& i : instructions) {
    if (i.Is("fma") && i.operands.size() == 4) graph.Node(i.operands[3]);
  }
  const std::vector<int> component = graph.Components();
  for (size_t k = 0; k < instructions.size(); ++k) {
    const PtxInstruction& i = instructions[k];
    if (!i.Is("fma") || i.operands.size() != 4) continue;
    result[k] = component[graph.Node(i.operands[3])] == component[graph.Node(i.operands[0])];
  }
  return result;
}

}  // namespace halyard::lowering::gpu
