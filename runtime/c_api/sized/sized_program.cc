// The functions of the C API for programs with several entries, and with sizes that runs choose.
#include <stdio.h>
#include <string.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/sized/program_group.h"
#include "runtime/c_api/sized/sized_run.h"

namespace halyard::runtime {
namespace {

const Catalogue::Entry& EntryOf(const Executable* program) {
  return program->group()->catalogue().entry(program->entry());
}

Status FindEntry(Executable* program, const char* name, Executable** entry) {
  ProgramGroup* group = program->group();
  if (group == nullptr) {
    return MakeStatus(Code::kNotFound, "%s: it has no entry '%s'; it has one, without a name",
                      program->program().name().data, name);
  }
  const Catalogue& catalogue = group->catalogue();
  char known[256];
  size_t end = 0;
  for (uint32_t i = 0; i < catalogue.num_entries(); ++i) {
    const char* each = catalogue.name(catalogue.entry(i).name);
    if (strcmp(each, name) == 0) {
      *entry = group->entry(i);
      return Status();
    }
    const int written = end < sizeof(known) ? snprintf(known + end, sizeof(known) - end, "%s%s",
                                                       i == 0 ? "" : ", ", each)
                                            : 0;
    end += static_cast<size_t>(written);
  }
  return MakeStatus(Code::kNotFound, "%s: it has no entry '%s'; it has %s",
                    program->program().name().data, name, known);
}

Status FindSize(const Executable* program, int index, hy_size* size) {
  const uint32_t count = program->num_sizes();
  if (index < 0 || static_cast<uint32_t>(index) >= count)
    return MakeStatus(Code::kInvalidArgument, "size %d of %u", index, count);
  const Catalogue& catalogue = program->group()->catalogue();
  const Catalogue::Variable& variable =
      catalogue.variable(EntryOf(program), static_cast<uint64_t>(index));
  const bool exact = variable.exact != 0;
  const int64_t* bounds = catalogue.bounds(variable);
  size->name = catalogue.name(variable.name);
  size->least = exact ? bounds[0] : variable.least;
  size->most = catalogue.most(variable);
  size->listed = exact ? bounds : nullptr;
  size->num_listed = exact ? static_cast<int>(variable.num_bounds) : 0;
  return Status();
}

// Writes the dimensions of an argument or result for these sizes.
Status FindDims(const Executable* program, bool result, int index, const int64_t* sizes,
                int64_t* dims) {
  const Program& p = program->program();
  const uint32_t arguments = p.num_parameters() - program->num_sizes();
  const uint32_t count = result ? p.num_results() : arguments;
  if (index < 0 || static_cast<uint32_t>(index) >= count) {
    return MakeStatus(Code::kInvalidArgument, "%s %d of %u", result ? "result" : "argument", index,
                      count);
  }
  const uint32_t number = static_cast<uint32_t>(index);
  if (program->num_sizes() == 0) {
    const program_format::ValueRecord& value = result ? p.result(number) : p.parameter(number);
    for (uint32_t d = 0; d < value.rank; ++d) dims[d] = p.dims(value)[d];
    return Status();
  }
  if (sizes == nullptr) return MakeStatus(Code::kInvalidArgument, "sizes is NULL");
  const Catalogue& catalogue = program->group()->catalogue();
  const Catalogue::Entry& entry = EntryOf(program);
  uint64_t part = 0;
  Status found = catalogue.FindPart(entry, sizes, &part);
  if (!found.ok()) return MakeStatus(found.code(), "%s: %s", p.name().data, found.message());
  return program->group()->Dims(program->entry(), part, number + (result ? arguments : 0), sizes,
                                dims);
}

}  // namespace

Status NeedsSizes(const Executable* program, const char* function) {
  if (program->num_sizes() == 0) return Status();
  return MakeStatus(Code::kInvalidArgument, "%s: %s has sizes that a run chooses; use %s_sized",
                    function, program->program().name().data,
                    strstr(function, "buffers") != nullptr ? "hy_run_buffers" : "hy_run");
}

}  // namespace halyard::runtime

extern "C" {

int hy_program_num_entries(const hy_program* program) {
  if (program == nullptr) return 0;
  const halyard::runtime::ProgramGroup* group = halyard::runtime::From(program)->group();
  return group == nullptr ? 1 : static_cast<int>(group->catalogue().num_entries());
}

const char* hy_program_entry_name(const hy_program* program, int index) {
  if (program == nullptr) return "";
  const halyard::runtime::ProgramGroup* group = halyard::runtime::From(program)->group();
  if (group == nullptr || index < 0 ||
      static_cast<uint32_t>(index) >= group->catalogue().num_entries())
    return "";
  return group->catalogue().name(group->catalogue().entry(static_cast<uint32_t>(index)).name);
}

hy_status hy_program_entry(hy_program* program, const char* name, hy_program** entry) {
  HY_NEEDS(program);
  HY_WORKS_FOR(program);
  HY_NEEDS(name);
  HY_NEEDS(entry);
  halyard::runtime::Executable* found = nullptr;
  halyard::runtime::Status status =
      halyard::runtime::FindEntry(halyard::runtime::From(program), name, &found);
  if (status.ok()) *entry = reinterpret_cast<hy_program*>(found);
  return halyard::runtime::Return(static_cast<halyard::runtime::Status&&>(status));
}

int hy_program_num_sizes(const hy_program* program) {
  return program == nullptr ? 0 : static_cast<int>(halyard::runtime::From(program)->num_sizes());
}

hy_status hy_program_size(const hy_program* program, int index, hy_size* size) {
  HY_NEEDS(program);
  HY_WORKS_FOR(program);
  HY_NEEDS(size);
  return halyard::runtime::Return(
      halyard::runtime::FindSize(halyard::runtime::From(program), index, size));
}

hy_status hy_program_argument_dims(const hy_program* program, int index, const int64_t* sizes,
                                   int64_t* dims) {
  HY_NEEDS(program);
  HY_WORKS_FOR(program);
  HY_NEEDS(dims);
  return halyard::runtime::Return(
      halyard::runtime::FindDims(halyard::runtime::From(program), false, index, sizes, dims));
}

hy_status hy_program_result_dims(const hy_program* program, int index, const int64_t* sizes,
                                 int64_t* dims) {
  HY_NEEDS(program);
  HY_WORKS_FOR(program);
  HY_NEEDS(dims);
  return halyard::runtime::Return(
      halyard::runtime::FindDims(halyard::runtime::From(program), true, index, sizes, dims));
}

hy_status hy_run_sized(hy_program* program, const hy_run_options* options, const int64_t* sizes,
                       const void* const* arguments, void* const* results) {
  HY_NEEDS(program);
  HY_RUNS(program);
  halyard::runtime::Executable* executable = halyard::runtime::From(program);
  if (executable->num_sizes() == 0) return hy_run_with(program, options, arguments, results);
  HY_NEEDS(sizes);
  if (executable->program().num_parameters() != executable->num_sizes()) HY_NEEDS(arguments);
  if (executable->program().num_results() != 0) HY_NEEDS(results);
  halyard::runtime::RunOptions read;
  halyard::runtime::Status status = halyard::runtime::ReadRunOptions(options, &read);
  if (status.ok()) {
    status = halyard::runtime::RunSizedOnHostMemory(executable, read, sizes, arguments, results);
  }
  return halyard::runtime::Return(static_cast<halyard::runtime::Status&&>(status));
}

hy_status hy_run_buffers_sized(hy_program* program, const hy_run_options* options,
                               const int64_t* sizes, hy_buffer* const* arguments,
                               hy_buffer** results) {
  HY_NEEDS(program);
  HY_RUNS(program);
  halyard::runtime::Executable* executable = halyard::runtime::From(program);
  if (executable->num_sizes() == 0)
    return hy_run_buffers_with(program, options, arguments, nullptr, results);
  HY_NEEDS(sizes);
  if (executable->program().num_parameters() != executable->num_sizes()) HY_NEEDS(arguments);
  if (executable->program().num_results() != 0) HY_NEEDS(results);
  halyard::runtime::RunOptions read;
  halyard::runtime::Status status = halyard::runtime::ReadRunOptions(options, &read);
  if (status.ok()) {
    status = halyard::runtime::RunSizedOnBuffers(
        executable, read, sizes, reinterpret_cast<halyard::runtime::Buffer* const*>(arguments),
        reinterpret_cast<halyard::runtime::Buffer**>(results));
  }
  return halyard::runtime::Return(static_cast<halyard::runtime::Status&&>(status));
}

}  // extern "C"
