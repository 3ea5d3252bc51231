#include "client/reports/warning.h"

#include <cstdio>
#include <mutex>
#include <set>

namespace halyard {

void WarnOnce(const std::string& text) {
  static std::mutex mutex;
  static auto* const said = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (said->insert(text).second) fprintf(stderr, "halyard: warning: %s\n", text.c_str());
}

}  // namespace halyard
