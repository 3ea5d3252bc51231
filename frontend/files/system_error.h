// The system's errors in words, with the limit of this process (ulimit) that causes them.
#ifndef HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_
#define HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_

#include <string>

namespace halyard {

// Returns strerror's text. If a limit of the process can be the reason, adds that limit: "Too many
// open files (ulimit -n is 64)".
std::string SystemErrorText(int error);
// Returns what that adds to strerror's text: "", or " (ulimit -n is 64)".
std::string SystemErrorNote(int error);

// For memory that could not be allocated: returns " (ulimit -v is 500000 KiB)", or "" if there is
// no limit.
std::string MemoryLimitNote();

// For a helper process that ended without a message, possibly because of a low limit: returns such
// a note for each limit below what a compile takes.
std::string LowLimitsNote();

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_
