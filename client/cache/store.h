// The cache on disk: compiled kernels by ObjectKey, and whole Programs by what they were made from.
// It holds code that will run, so its folder must belong to the user and have mode 0700. Deleting
// it is always safe. A damaged entry is noticed and made again. Several processes may use it at
// once, because entries are written to a temporary file and renamed. Its size is limited
// (store_limit.h).
#ifndef HALYARD_CLIENT_CACHE_STORE_H_
#define HALYARD_CLIENT_CACHE_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

class Store {
 public:
  // `folder` is as in ClientOptions::cache_dir. Creates the folder if it does not exist. Returns
  // kFailedPrecondition if the folder is not private to this user, and kInvalidArgument if
  // $HALYARD_CACHE_LIMIT is not a size.
  static absl::StatusOr<Store> Open(const std::string& folder);

  // Like Open, except on a disk without room for the folder. In that case, a message on stderr says
  // so once, nothing is found, and nothing is kept.
  static absl::StatusOr<Store> OpenForCompile(const std::string& folder);

  // `kind` is a file name's extension ("kernel", "program"). The full key is stored beside the
  // value and compared.
  std::optional<std::string> Read(absl::string_view kind, absl::string_view key) const;
  // A failure to write only costs time later. Values that exceed the limit are not kept.
  void Write(absl::string_view kind, absl::string_view key, absl::string_view value) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(absl::string_view kind, absl::string_view key) const;
  std::string folder_;  // "" if there is no folder
  uint64_t limit_ = 0;  // most bytes of all entries; 0: no limit
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_CACHE_STORE_H_
