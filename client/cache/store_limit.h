// Keeps the cache folder from growing without end.
#ifndef HALYARD_CLIENT_CACHE_STORE_LIMIT_H_
#define HALYARD_CLIENT_CACHE_STORE_LIMIT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace halyard {

// Returns the most bytes that entries may take together: $HALYARD_CACHE_LIMIT, a number with K, M
// or G behind it or none, or else 5 GiB. 0 stands for no limit. kInvalidArgument if the variable
// holds something else.
absl::StatusOr<uint64_t> CacheLimit();

// Must be called after `bytes` were added to the folder. Now and then, it looks at all entries,
// and, if they exceed the limit, removes those that have not been used for longest until nine
// tenths of it remain. Other processes may use the folder meanwhile. Thread-safe.
void KeepWithinLimit(const std::string& folder, uint64_t limit, uint64_t bytes);

// Notes that an entry has been used. `modified` is its modification time, in seconds.
void NoteUse(int fd, int64_t modified);

}  // namespace halyard

#endif  // HALYARD_CLIENT_CACHE_STORE_LIMIT_H_
