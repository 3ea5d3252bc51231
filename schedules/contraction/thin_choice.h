// Which products contraction_thin takes (schedules/contraction/thin.cc), and in which shape.
#ifndef HALYARD_SCHEDULES_CONTRACTION_THIN_CHOICE_H_
#define HALYARD_SCHEDULES_CONTRACTION_THIN_CHOICE_H_

#include <cstdint>

#include "lowering/kernels/kernel.h"

namespace halyard::schedules {

// The product in the roles of the template.
struct Thin {
  static constexpr int64_t kPieceBytes = 16;
  static constexpr int64_t kMostRows = 32;
  static constexpr int64_t kGroupThreads = 256;  // of a default

  int n = -1, m = -1;    // the axes of the matrix and of the rows (-1: one row) that groups tile
  bool along_k = false;  // a piece is of neighbours along k, else along n
  int64_t piece = 1;     // elements
  int64_t rows = 1;      // all that the matrix is multiplied with
  int64_t extent_n = 1, extent_m = 1, others = 1, k = 1;
};

// False: the template is not for this kernel.
bool FindThin(const lowering::LoweredKernel& kernel, Thin* thin);

struct ThinShape {
  int64_t tile_n = 1, tile_m = 1;   // outputs of a thread
  int64_t group_n = 1, lanes = 32;  // threads of a group
  int64_t parts = 1, unroll_k = 1;

  int64_t block_n() const { return tile_n * group_n; }
  // The values of an output that are joined last. All outputs of a thread are joined by as many
  // threads as there are lanes.
  int64_t fans() const;
};

// The terms that the lanes of a group take in a step, and the steps of a group.
int64_t ThinSpan(const Thin& thin, const ThinShape& shape);
int64_t ThinSteps(const Thin& thin, const ThinShape& shape);

// Why a shape is not possible on the device; null if it is.
const char* RefusalOfThin(const lowering::LoweredKernel& kernel, const Thin& thin,
                          const ThinShape& shape);

// Threads enough to ask for what memory can give, in groups that read whole lines of it.
ThinShape DefaultThinShape(const lowering::LoweredKernel& kernel, const Thin& thin);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_THIN_CHOICE_H_
