// Where the time of compiling goes, as a table for people.
#ifndef HALYARD_CLIENT_REPORTS_COMPILE_TIMES_H_
#define HALYARD_CLIENT_REPORTS_COMPILE_TIMES_H_

#include <string>

#include "client/reports/profile.h"

namespace halyard {

// Returns a table of the compile phases and of the kernels whose code was generated, in ms. Phases
// come in the order in which they ran, with those inside them indented; a phase that ran several
// times, such as a pass over the parts of a dynamic program, is one row. Of the kernels, the
// `max_kernels` that took longest have a row each. Kernels are compiled side by side in processes
// of their own, so their times may add up to more than the phase "codegen".
std::string CompileTimesText(const Profile& profile, int max_kernels = 20);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_COMPILE_TIMES_H_
