// Prints a compiled Program as text and as a graph.
#ifndef HALYARD_TOOLS_HALYARD_PRINT_PROGRAM_H_
#define HALYARD_TOOLS_HALYARD_PRINT_PROGRAM_H_

#include <string>

#include "frontend/hlo/ir/module.h"
#include "runtime/program/program_spec.h"

namespace halyard::tools {

// Returns the tree of steps: kernels, copies, loops and branches, with what each reads and writes.
std::string ProgramText(const ProgramSpec& program);
// Returns a line for each allocation, then the sums.
std::string MemoryText(const ProgramSpec& program);
// Returns each kernel's canonical HLO, with the steps that use it and the places that it came from.
std::string KernelsText(const ProgramSpec& program, const std::vector<std::string>& hlo);

// Returns a graph for Graphviz: steps and the allocations between them; loops and branches are
// clusters.
std::string ProgramDot(const ProgramSpec& program);
// Returns a graph of instructions and their operands; computations other than the entry are
// clusters.
std::string ModuleDot(const hlo::Module& module);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_PRINT_PROGRAM_H_
