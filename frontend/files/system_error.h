// The system's errors in words, with the limit of this process (ulimit) that is behind them.
#ifndef HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_
#define HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_

#include <string>

namespace halyard {

// strerror's text; where a limit of the process can be the reason, that too: "Too many open files
// (ulimit -n is 64)".
std::string SystemErrorText(int error);
// What that adds to strerror's text: "", or " (ulimit -n is 64)".
std::string SystemErrorNote(int error);

// Of memory that could not be had: " (ulimit -v is 500000 KiB)", or "" where there is no limit.
std::string MemoryLimitNote();

// Of a helper process that ended without a word, which a low limit may be the reason of: as above,
// for each limit below what a compile takes.
std::string LowLimitsNote();

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_SYSTEM_ERROR_H_
