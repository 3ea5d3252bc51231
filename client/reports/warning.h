#ifndef HALYARD_CLIENT_REPORTS_WARNING_H_
#define HALYARD_CLIENT_REPORTS_WARNING_H_

#include <string>

namespace halyard {

// Writes `halyard: warning: TEXT` to stderr, once in a process for each text. Thread-safe.
void WarnOnce(const std::string& text);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_WARNING_H_
