#include "runtime/program/wrong_version.h"

#include "runtime/program/program_format.h"

namespace halyard::runtime {

Status WrongVersion(const char* file, const char* what, uint32_t version, uint32_t maker) {
  if (maker == 0 || maker > 999999) {
    return MakeStatus(Code::kDataLoss,
                      "%s: %s: it is in format %u, of a Halyard before 0.1.0; this is "
                      "Halyard " HALYARD_VERSION_TEXT ", which reads format %u",
                      file, what, version, program_format::kVersion);
  }
  return MakeStatus(Code::kDataLoss,
                    "%s: %s: Halyard %u.%u.%u made it in format %u; this is "
                    "Halyard " HALYARD_VERSION_TEXT ", which reads format %u",
                    file, what, maker / 10000, maker / 100 % 100, maker % 100, version,
                    program_format::kVersion);
}

Status BundleAsProgram() {
  return MakeStatus(Code::kInvalidArgument,
                    "this is a bundle of several targets, from which hy_program_choose_file and "
                    "hy_program_choose_linked choose");
}

}  // namespace halyard::runtime
