// The frames that the Grids of several ranks send each other.
#ifndef HALYARD_CLIENT_PROCESSES_RANK_FRAMES_H_
#define HALYARD_CLIENT_PROCESSES_RANK_FRAMES_H_

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/collectives/grid.h"

namespace halyard {

// Kinds of frames. All except kGiveUp and kBlob belong to a run.
enum RankFrameKind : uint32_t {
  kBegin = 1,  // names the program that this rank runs
  kParcel = 2,
  kEnded = 3,   // a process of this rank has ended without an error
  kFailed = 4,  // the run has failed on this rank
  kGiveUp = 5,  // this rank takes part in no further runs
  kBlob = 6,    // a part of a Gather
  kProbe = 7,   // rank 0 asks whether this rank does nothing but wait
  kAnswer = 8,
};

template <typename T>
inline std::string BytesOf(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Takes a value from the front of `text`. Returns false if the text is too short.
template <typename T>
inline bool Take(absl::string_view* text, T* value) {
  if (text->size() < sizeof(T)) return false;
  memcpy(value, text->data(), sizeof(T));
  text->remove_prefix(sizeof(T));
  return true;
}

inline std::string WaitsOf(runtime::Grid* grid) {
  char text[4096];
  grid->DescribeWaits(text, sizeof(text));
  return text;
}

}  // namespace halyard

#endif  // HALYARD_CLIENT_PROCESSES_RANK_FRAMES_H_
