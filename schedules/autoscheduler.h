// Finds Halide's autoschedulers, which are libraries of their own.
#ifndef HALYARD_SCHEDULES_AUTOSCHEDULER_H_
#define HALYARD_SCHEDULES_AUTOSCHEDULER_H_

#include <string>

namespace halyard::schedules {

// Returns the file of "adams2019" and so on: libautoschedule_NAME.so in the folder of the libHalide
// that this process has loaded. The file need not exist.
std::string AutoschedulerFile(const std::string& plugin);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_AUTOSCHEDULER_H_
