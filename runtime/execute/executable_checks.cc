// Checks that the Grid, the arguments and the results of a run suit the Program.

#include "runtime/collectives/grid.h"
#include "runtime/execute/executor.h"

namespace halyard::runtime {

Status Executable::CheckGrid(const RunOptions& options) const {
  const uint32_t replicas = program_->num_replicas(), partitions = program_->num_partitions();
  if (options.grid == nullptr) {
    if (!program_->communicates()) return Status();
    return MakeStatus(Code::kFailedPrecondition,
                      "%s communicates: its %u x %u processes must be run together, as a grid",
                      program_->name().data, replicas, partitions);
  }
  if (options.grid->replicas() == replicas && options.grid->partitions() == partitions &&
      options.process < options.grid->size()) {
    return Status();
  }
  return MakeStatus(Code::kInvalidArgument, "%s is compiled for %u x %u processes, not %u x %u",
                    program_->name().data, replicas, partitions, options.grid->replicas(),
                    options.grid->partitions());
}

Status Executable::CheckInputs(Buffer* const* inputs, uint32_t num_inputs) const {
  if (num_inputs != program_->num_parameters()) {
    return MakeStatus(Code::kInvalidArgument, "%s takes %u arguments, not %u",
                      program_->name().data, program_->num_parameters(), num_inputs);
  }
  for (uint32_t i = 0; i < num_inputs; ++i) {
    const program_format::ValueRecord& value = program_->parameter(i);
    const char* name = program_->String(value.name).data;
    const Buffer* buffer = inputs[i];
    if (buffer == nullptr || buffer->is_donated() || buffer->context() != context_) {
      return MakeStatus(Code::kInvalidArgument, "argument %u (%s) is %s", i, name,
                        buffer == nullptr      ? "missing"
                        : buffer->is_donated() ? "a donated buffer"
                                               : "a buffer of another device");
    }
    if (buffer->bytes() != static_cast<uint64_t>(value.bytes)) {
      return MakeStatus(Code::kInvalidArgument, "argument %u (%s) has %llu bytes, not %lld", i,
                        name, static_cast<unsigned long long>(buffer->bytes()),
                        static_cast<long long>(value.bytes));
    }
  }
  return Status();
}

Status Executable::CheckOutputs(Buffer* const* outputs, uint32_t num_outputs) const {
  if (num_outputs != program_->num_results()) {
    return MakeStatus(Code::kInvalidArgument, "%s gives %u results, not %u", program_->name().data,
                      program_->num_results(), num_outputs);
  }
  for (uint32_t i = 0; i < num_outputs; ++i) {
    const program_format::ValueRecord& value = program_->result(i);
    const Buffer* buffer = outputs[i];
    if (buffer == nullptr) continue;
    if (buffer->is_read_only())
      return MakeStatus(Code::kInvalidArgument, "the buffer for result %u (%s) is read-only", i,
                        program_->String(value.name).data);
    if (buffer->is_donated() || buffer->context() != context_ ||
        buffer->bytes() != static_cast<uint64_t>(value.bytes) ||
        (!context_->is_x86() && buffer->space() != result_space(i))) {
      return MakeStatus(Code::kInvalidArgument,
                        "the buffer for result %u (%s) does not fit its %lld bytes", i,
                        program_->String(value.name).data, static_cast<long long>(value.bytes));
    }
  }
  return Status();
}

// A buffer that is written has no other part in the run. Overlaps of the application's own memory
// are the application's responsibility (Context::WrapHost).
Status Executable::CheckSharing(Buffer* const* inputs, Buffer* const* outputs) const {
  const uint32_t num_inputs = program_->num_parameters(), num_outputs = program_->num_results();
  auto name = [this](const program_format::ValueRecord& value) {
    return program_->String(value.name).data;
  };
  for (uint32_t i = 0; i < num_outputs; ++i) {
    if (outputs[i] == nullptr) continue;
    for (uint32_t j = 0; j < i; ++j) {
      if (outputs[i] == outputs[j])
        return MakeStatus(Code::kInvalidArgument, "results %u (%s) and %u (%s) are one buffer", j,
                          name(program_->result(j)), i, name(program_->result(i)));
    }
    for (uint32_t j = 0; j < num_inputs; ++j) {
      if (outputs[i] == inputs[j])
        return MakeStatus(Code::kInvalidArgument,
                          "result %u (%s) and argument %u (%s) are one buffer", i,
                          name(program_->result(i)), j, name(program_->parameter(j)));
    }
  }
  return Status();
}

Status Executable::CheckTemporaries(const Buffer* given, Buffer* const* inputs,
                                    Buffer* const* outputs) const {
  const uint64_t needed = context_->is_x86() ? arena_bytes() : program_->device_arena_bytes();
  if (given->context() != context_ || given->is_donated() || given->is_read_only() ||
      given->space() != Space::kDevice || given->bytes() < needed) {
    return MakeStatus(Code::kInvalidArgument,
                      "%s: the buffer for temporaries is not one of %llu bytes on this device",
                      program_->name().data, static_cast<unsigned long long>(needed));
  }
  const auto overlaps = [&](const Buffer* other) {
    if (other == nullptr || other->bytes() == 0) return false;
    const uint64_t first = given->block().device_address, second = other->block().device_address;
    if (context_->device()->info().kind == DeviceKind::kVulkan) return first == second;  // handles
    return first < second + other->bytes() && second < first + given->bytes();
  };
  bool shared = false;
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) shared |= overlaps(inputs[i]);
  for (uint32_t i = 0; i < program_->num_results(); ++i) shared |= overlaps(outputs[i]);
  if (!shared) return Status();
  return MakeStatus(Code::kInvalidArgument,
                    "%s: the buffer for temporaries overlaps an argument or a result",
                    program_->name().data);
}

}  // namespace halyard::runtime
