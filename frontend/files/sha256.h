// SHA-256 (FIPS 180-4), so that users can check with `sha256sum` what a manifest says of files.
#ifndef HALYARD_FRONTEND_FILES_SHA256_H_
#define HALYARD_FRONTEND_FILES_SHA256_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

class Sha256 {
 public:
  void Add(absl::string_view bytes);
  // Returns 64 hexadecimal digits. Call it once, after all bytes.
  std::string Digest();

 private:
  void AddBlock(const unsigned char* block);

  uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint64_t bytes_ = 0;
  unsigned char block_[64] = {};
};

std::string Sha256Of(absl::string_view bytes);

struct FileDigest {
  int64_t bytes = 0;
  std::string sha256;
};
// Reads a file piece by piece. Errors name the path.
absl::StatusOr<FileDigest> DigestOfFile(const std::string& path);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_SHA256_H_
