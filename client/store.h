// The cache on disk: compiled kernels by ObjectKey and whole Programs by what they were made from.
// It holds code that will be run, so its folder must be the user's own with mode 0700. Deleting it
// is always safe; a damaged entry is noticed and made again. Safe for several processes at once:
// entries are written to a temporary file and renamed.
#ifndef HALYARD_CLIENT_STORE_H_
#define HALYARD_CLIENT_STORE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

class Store {
 public:
  // `folder`: see ClientOptions::cache_dir. Makes it if it is not there. kFailedPrecondition: it is
  // not private to this user.
  static absl::StatusOr<Store> Open(const std::string& folder);

  // The same, but where the disk has no room for the folder, which is said on stderr once, nothing is
  // found and nothing is kept.
  static absl::StatusOr<Store> OpenForCompile(const std::string& folder);

  // `kind` is a file name's extension ("kernel", "program"). The full key is stored beside the
  // value and compared.
  std::optional<std::string> Read(absl::string_view kind, absl::string_view key) const;
  // Failing to write costs nothing but time later.
  void Write(absl::string_view kind, absl::string_view key, absl::string_view value) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(absl::string_view kind, absl::string_view key) const;
  std::string folder_;  // "": there is none
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_STORE_H_
