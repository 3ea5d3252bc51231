// The sizes of tiles, blocks and tasks of attention on x86.
#ifndef HALYARD_SCHEDULES_ATTENTION_X86_TILES_H_
#define HALYARD_SCHEDULES_ATTENTION_X86_TILES_H_

#include "schedules/attention/template.h"
#include "schedules/registry.h"

namespace halyard::schedules {

struct X86AttentionTiles {
  int64_t lanes_k = 1, lanes_v = 1;  // of vectors along keys and along values
  int64_t tile_k = 1, tile_v = 1;    // columns of the register tiles
  int64_t tile_q = 1;                // their rows
  int64_t block_q = 1, task_q = 1;   // queries whose scores are kept; of a task
};

// Returns the tiles that the schedule names.
X86AttentionTiles TilesOf(const lowering::LoweredKernel& kernel, const AttentionParts& parts,
                          const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_X86_TILES_H_
