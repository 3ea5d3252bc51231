#ifndef HALYARD_CLIENT_WARNING_H_
#define HALYARD_CLIENT_WARNING_H_

#include <string>

namespace halyard {

// `halyard: warning: TEXT` on stderr, once in a process for each text. Thread-safe.
void WarnOnce(const std::string& text);

}  // namespace halyard

#endif  // HALYARD_CLIENT_WARNING_H_
