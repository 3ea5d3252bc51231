// Memory that several processes of one machine map.
#ifndef HALYARD_RANKS_SHARED_SEGMENT_H_
#define HALYARD_RANKS_SHARED_SEGMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace halyard::ranks {

// The memory is a file without a name (memfd_create), so nothing is left of it once the processes
// that map it have ended, however they end. It cannot shrink, so reading it cannot fail. Others
// open it by its process's number and descriptor in /proc, which the system allows processes of the
// same user, and recognise it by a random number at its beginning.
class SharedSegment {
 public:
  // The first bytes of the segment are its own.
  static constexpr uint64_t kHeaderBytes = 64;

  // Reserves addresses, but no memory. kUnavailable says what the system refuses.
  static absl::StatusOr<std::shared_ptr<SharedSegment>> Create(uint64_t bytes);
  // Maps a segment that another process calls `name`. Returns kUnavailable if it cannot be reached
  // from this process, and kInvalidArgument if `name` is no name.
  static absl::StatusOr<std::shared_ptr<SharedSegment>> Open(const std::string& name);
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  uint8_t* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  // Returns what other processes pass to Open. Only its creator may call it.
  std::string Name() const;
  // Takes memory for this part, which reads as zeros if it is new. Returns false if there is none.
  // Nobody may write where no memory was taken, which could end the process.
  bool Commit(uint64_t offset, uint64_t bytes);

 private:
  SharedSegment(int file, uint8_t* data, uint64_t bytes)
      : file_(file), data_(data), bytes_(bytes) {}
  static absl::StatusOr<std::shared_ptr<SharedSegment>> Map(int file, uint64_t bytes);

  const int file_;
  uint8_t* const data_;
  const uint64_t bytes_;
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_SHARED_SEGMENT_H_
