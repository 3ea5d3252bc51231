// Where Halide's autoschedulers, which are libraries of their own, are found.
#ifndef HALYARD_SCHEDULES_AUTOSCHEDULER_H_
#define HALYARD_SCHEDULES_AUTOSCHEDULER_H_

#include <string>

namespace halyard::schedules {

// The file of "adams2019", …: libautoschedule_NAME.so in the folder of the libHalide that this
// process has loaded. It need not be there.
std::string AutoschedulerFile(const std::string& plugin);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_AUTOSCHEDULER_H_
