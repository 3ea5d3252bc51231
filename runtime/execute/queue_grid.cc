// Queues the runs of a grid's processes, each on a stream of its own.

#include "runtime/collectives/grid.h"
#include "runtime/execute/executor.h"
#include "runtime/host.h"

namespace halyard::runtime {

// Makes the record of one process, ready for its queue.
Status Executable::PrepareMember(Grid* grid, uint32_t process, const GridMember& member,
                                 const GridEnd& end, RunRecord** record) {
  RunOptions options;
  options.stream = member.stream;
  options.donate = member.donate;
  options.grid = grid;
  options.process = process;
  HY_RETURN_IF_ERROR(CheckGrid(options));
  HY_RETURN_IF_ERROR(CheckInputs(member.inputs, program_->num_parameters()));
  RunRecord* made = nullptr;
  HY_RETURN_IF_ERROR(NewRecord(&made));
  Status status = Fill(options, /*may_queue=*/true, member.inputs, member.outputs, made);
  if (!status.ok()) {
    TakeBack(made, member.outputs);
    FreeRecord(made);
    return status;
  }
  made->grid = grid;
  made->process = process;
  made->grid_end = end;
  *record = made;
  return Status();
}

Status Executable::QueueGrid(Grid* grid, const GridMember* members, const GridEnd& end) {
  const uint32_t size = grid->size();
  RunRecord** records = static_cast<RunRecord**>(HeapAllocateZeroed(size, sizeof(RunRecord*)));
  QueuedWork** work = static_cast<QueuedWork**>(HeapAllocateZeroed(size, sizeof(QueuedWork*)));
  Status status;
  if (records == nullptr || work == nullptr)
    status = MakeStatus(Code::kResourceExhausted, "no memory for a run of %u processes", size);
  uint32_t prepared = 0;
  while (status.ok() && prepared < size) {
    status = members[prepared].executable->PrepareMember(grid, prepared, members[prepared], end,
                                                         &records[prepared]);
    if (!status.ok()) break;
    work[prepared] = records[prepared];
    ++prepared;
  }
  if (status.ok()) status = RunQueue::PushAll(work, size);
  for (uint32_t i = 0; i < prepared && !status.ok(); ++i) {
    members[i].executable->TakeBack(records[i], members[i].outputs);
    members[i].executable->FreeRecord(records[i]);
  }
  HeapFree(records);
  HeapFree(work);
  return status;
}

}  // namespace halyard::runtime
