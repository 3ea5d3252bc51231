// The text of c_api/halyard_rt.h, which the build inserts.
#ifndef HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_
#define HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_

namespace halyard {

extern const char kCApiText[];

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_C_API_TEXT_H_
