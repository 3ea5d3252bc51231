// The texts of c_api/halyard_rt.h and halyard_rt.hpp, which the build inserts.
#ifndef HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_
#define HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_

namespace halyard {

extern const char kCApiText[];
extern const char kCppApiText[];  // does not include halyard_rt.h

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_
