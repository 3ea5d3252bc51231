// Says where the repository is that a test reads its files from.
#ifndef HALYARD_TESTS_SOURCE_FOLDER_H_
#define HALYARD_TESTS_SOURCE_FOLDER_H_

#include <cstdlib>
#include <string>

namespace halyard::testing {

// Returns $HALYARD_SOURCE_DIR, for tests that run on another machine than the one that built them
// (scripts/gpu_check), and otherwise where they were built.
inline std::string SourceFolder() {
  const char* folder = std::getenv("HALYARD_SOURCE_DIR");
  return folder != nullptr && *folder != 0 ? folder : HALYARD_SOURCE_DIR;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SOURCE_FOLDER_H_
