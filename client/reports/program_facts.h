// What a compiled Program says of itself, in the terms of the C++ API.
#ifndef HALYARD_CLIENT_REPORTS_PROGRAM_FACTS_H_
#define HALYARD_CLIENT_REPORTS_PROGRAM_FACTS_H_

#include <vector>

#include "client/api/client.h"
#include "frontend/hlo/values/shape.h"
#include "runtime/program/program.h"

namespace halyard {

std::vector<hlo::Shape> ParameterShapes(const runtime::Program& program);
std::vector<hlo::Shape> ResultShapes(const runtime::Program& program);
// Returns the work of one run (Executable::Cost).
Executable::Cost CostOf(const runtime::Program& program);
// Returns the functions that it calls by name.
std::vector<Executable::NamedCall> CallsOf(const runtime::Program& program);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_PROGRAM_FACTS_H_
