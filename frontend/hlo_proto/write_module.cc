#include "frontend/hlo_proto/write_module.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/instruction_proto.h"
#include "frontend/hlo_proto/shape_proto.h"

namespace halyard::hlo_proto {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

void WriteMetadata(const hlo::Provenance& provenance, wire::OpMetadata* metadata) {
  metadata->set_op_name(absl::StrJoin(provenance.op_names, ";"));
  if (provenance.locations.size() < 2) return;
  const hlo::SourceLocation& source = provenance.locations[1];
  metadata->set_source_file(source.file);
  metadata->set_source_line(source.line);
  metadata->set_source_column(source.column);
}

// The path to leaf number `*leaf`, which counts down.
template <typename Field>
bool AppendIndex(const Shape& shape, int64_t* leaf, Field* index) {
  if (!shape.IsTuple()) return (*leaf)-- == 0;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    index->Add(static_cast<int64_t>(i));
    if (AppendIndex(shape.elements()[i], leaf, index)) return true;
    index->RemoveLast();
  }
  return false;
}

class ModuleWriter {
 public:
  explicit ModuleWriter(wire::HloModuleProto* proto) : proto_(proto) {}

  void Write(const hlo::Module& module) {
    proto_->set_name(module.name());
    std::vector<Computation*> order = module.PostOrder();
    for (const Computation* computation : order) FindFused(*computation);
    for (const Computation* computation : order) {
      WriteComputation(*computation, proto_->add_computations());
    }
    proto_->set_entry_computation_name(module.entry()->name());
    proto_->set_entry_computation_id(computations_.at(module.entry()));
    WriteProgramShape(*module.entry(), proto_->mutable_host_program_shape());
    WriteAliases(module);
    if (module.num_replicas != 1 || module.num_partitions != 1) WriteDevices(module);
  }

 private:
  void FindFused(const Computation& computation) {
    for (const auto& inst : computation.instructions()) {
      if (inst->opcode == Opcode::kFusion) fused_.insert(inst->called.begin(), inst->called.end());
    }
  }

  void WriteProgramShape(const Computation& computation, wire::ProgramShapeProto* to) {
    for (const Instruction* parameter : computation.parameters()) {
      WriteShape(parameter->shape, to->add_parameters());
      to->add_parameter_names(parameter->name);
    }
    WriteShape(computation.root()->shape, to->mutable_result());
  }

  void WriteComputation(const Computation& computation, wire::HloComputationProto* to) {
    to->set_name(computation.name());
    for (const auto& inst : computation.instructions()) {
      WriteInstruction(*inst, to->add_instructions());
    }
    WriteProgramShape(computation, to->mutable_program_shape());
    to->set_id(next_computation_);
    computations_[&computation] = next_computation_++;
    to->set_root_id(instructions_.at(computation.root()));
    to->set_is_fusion_computation(fused_.contains(&computation));
  }

  void WriteInstruction(const Instruction& inst, wire::HloInstructionProto* to) {
    to->set_name(inst.name);
    to->set_opcode(std::string(hlo::RowOf(inst.opcode).hlo_name));
    WriteShape(inst.shape, to->mutable_shape());
    WriteMetadata(inst.provenance, to->mutable_metadata());
    if (inst.opcode == Opcode::kConstant) WriteLiteral(inst.literal, to->mutable_literal());
    to->set_parameter_number(inst.parameter_number);
    to->set_id(next_instruction_);
    instructions_[&inst] = next_instruction_++;
    for (const Instruction* operand : inst.operands) {
      to->add_operand_ids(instructions_.at(operand));
    }
    for (const Computation* callee : inst.called) {
      to->add_called_computation_ids(computations_.at(callee));
    }
    if (inst.opcode == Opcode::kWhile) {  // the body first
      to->mutable_called_computation_ids()->SwapElements(0, 1);
    }
    WriteAttributes(inst, to);
  }

  void WriteAliases(const hlo::Module& module) {
    const Computation& entry = *module.entry();
    for (const hlo::InputOutputAlias& alias : module.aliases) {
      auto* to = proto_->mutable_input_output_alias()->add_entries();
      int64_t result = alias.result_leaf, parameter = alias.parameter_leaf;
      AppendIndex(entry.root()->shape, &result, to->mutable_output_shape_index());
      to->set_parameter_number(alias.parameter_number);
      AppendIndex(entry.parameters()[alias.parameter_number]->shape, &parameter,
                  to->mutable_parameter_shape_index());
      to->set_kind(alias.must ? wire::HloInputOutputAliasProto::MUST_ALIAS
                              : wire::HloInputOutputAliasProto::MAY_ALIAS);
    }
    for (int64_t donor : module.donors) {
      proto_->mutable_buffer_donor()->add_entries()->set_parameter_number(donor);
    }
  }

  // The module itself has no counts. They follow from the device assignment, row by row.
  void WriteDevices(const hlo::Module& module) {
    wire::DeviceAssignmentProto* devices = proto_->mutable_device_assignment();
    devices->set_replica_count(static_cast<int32_t>(module.num_replicas));
    devices->set_computation_count(static_cast<int32_t>(module.num_partitions));
    for (int64_t partition = 0; partition < module.num_partitions; ++partition) {
      auto* column = devices->add_computation_devices();
      for (int64_t replica = 0; replica < module.num_replicas; ++replica) {
        column->add_replica_device_ids(replica * module.num_partitions + partition);
      }
    }
  }

  wire::HloModuleProto* proto_;
  std::unordered_map<const Computation*, int64_t> computations_;
  std::unordered_map<const Instruction*, int64_t> instructions_;
  std::unordered_set<const Computation*> fused_;
  int64_t next_computation_ = 1, next_instruction_ = 1;
};

}  // namespace

void WriteModule(const hlo::Module& module, wire::HloModuleProto* proto) {
  ModuleWriter(proto).Write(module);
}

}  // namespace halyard::hlo_proto
