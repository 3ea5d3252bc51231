// Scans along the fastest axis on CPUs.
#ifndef HALYARD_SCHEDULES_SCAN_CPU_ALONG_H_
#define HALYARD_SCHEDULES_SCAN_CPU_ALONG_H_

#include <cstdint>
#include <vector>

#include "schedules/scan/scan_builder.h"
#include "schedules/schedule.h"

namespace halyard::schedules {

inline int64_t Blocks(int64_t count, int64_t block) { return (count + block - 1) / block; }

// The totals on a CPU, of `lanes` partial folds each.
struct CpuTotals {
  Func partial, totals;
  Var lane{"lane"};
  RVar step;
  int64_t lanes = 1;
};
CpuTotals DefineTotals(const ScanBuilder& builder, const Reader& value, int64_t block,
                       int64_t lanes);

// A scan along the fastest axis.
struct AlongShape {
  int64_t length = 0, block = 0, ways = 1, vec = 1;
  int64_t rows = 1;
  // Rows enough for all cores: each is scanned by one task, while it is in the caches.
  bool whole_rows = false;
};

AlongShape ShapeAlong(const LoweredKernel& kernel, const Schedule& schedule, int64_t length);

// What is computed before the blocks are walked; undefined Funcs where there is one block.
struct BeforeAlong {
  CpuTotals totals;
  Func before;
};

BeforeAlong BeforeOnCpu(const ScanBuilder& builder, const Reader& value, const AlongShape& shape);
void ApplyAlongOnCpu(const ScanBuilder& builder, Func& consumer, BlockScan& scan,
                     BeforeAlong& before, const std::vector<Axis>& axes, const AlongShape& shape);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SCAN_CPU_ALONG_H_
