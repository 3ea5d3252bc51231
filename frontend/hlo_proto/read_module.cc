#include "frontend/hlo_proto/read_module.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/async_pairs.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/instruction_proto.h"
#include "frontend/hlo_proto/shape_proto.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_proto {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

constexpr int kMaxCallDepth = 512;  // as of HLO text

absl::Status Error(absl::string_view what) { return absl::InvalidArgumentError(what); }

// Returns the place of frame number `id`, or an empty place if the tables do not have it.
hlo::SourceLocation FrameLocation(const wire::StackFrameIndexProto& tables, int32_t id) {
  if (id < 1 || id > tables.stack_frames_size()) return {};
  const int32_t location = tables.stack_frames(id - 1).file_location_id();
  if (location < 1 || location > tables.file_locations_size()) return {};
  const auto& at = tables.file_locations(location - 1);
  if (at.file_name_id() < 1 || at.file_name_id() > tables.file_names_size()) return {};
  return {tables.file_names(at.file_name_id() - 1), at.line(), at.column()};
}

class ModuleReader {
 public:
  ModuleReader(const wire::HloModuleProto& proto, absl::string_view filename)
      : proto_(proto), filename_(filename) {}

  absl::StatusOr<std::unique_ptr<hlo::Module>> Read() {
    module_ = std::make_unique<hlo::Module>(proto_.name());
    for (const wire::HloComputationProto& computation : proto_.computations()) {
      if (absl::Status s = ReadComputation(computation); !s.ok()) {
        return Error(absl::StrCat("computation ", computation.name(), ": ", s.message()));
      }
    }
    absl::Status status = SetEntry();
    if (status.ok()) status = CheckProgramShape();
    if (status.ok()) status = ReadAliases();
    if (status.ok()) status = ReadDevices();
    if (!status.ok()) return status;
    return std::move(module_);
  }

 private:
  struct Called {
    Computation* computation = nullptr;
    int depth = 0;  // of the calls in it
  };

  absl::Status ReadComputation(const wire::HloComputationProto& proto) {
    if (computations_.contains(proto.id())) {
      return Error(absl::StrCat("number ", proto.id(), " is taken by another computation"));
    }
    if (proto.instructions().empty()) return Error("has no instructions");
    Computation* computation = module_->AddComputation(proto.name());
    instructions_.clear();
    starts_.clear();
    call_depth_ = 0;
    for (const wire::HloInstructionProto& inst : proto.instructions()) {
      if (absl::Status s = ReadInstruction(inst, proto.instructions_size(), computation); !s.ok()) {
        return Error(absl::StrCat(inst.opcode(), " ", inst.name(), " (number ", inst.id(),
                                  "): ", s.message()));
      }
    }
    for (int64_t i = 0; i < computation->num_parameters(); ++i) {
      if (computation->parameters()[i] == nullptr) return Error(absl::StrCat("no parameter ", i));
    }
    for (const auto& [id, start] : starts_) {
      if (!start.is_used)
        return Error(absl::StrCat("the asynchronous start number ", id, " has no done"));
    }
    auto root = instructions_.find(proto.root_id());
    if (root == instructions_.end()) {
      return Error(absl::StrCat("the root is number ", proto.root_id(),
                                ", which is no instruction of the computation"));
    }
    computation->set_root(root->second);
    if (call_depth_ > kMaxCallDepth) {
      return Error(absl::StrCat("calls are nested more than ", kMaxCallDepth, " deep"));
    }
    computations_[proto.id()] = {computation, call_depth_};
    return absl::OkStatus();
  }

  absl::Status ReadInstruction(const wire::HloInstructionProto& proto, int64_t count,
                               Computation* computation) {
    std::optional<Opcode> opcode = hlo::OpcodeFromHloName(proto.opcode());
    std::optional<hlo::AsyncOp> async;
    if (!opcode) async = hlo::AsyncOpOf(proto.opcode());
    if (!opcode && !async) return Error(hlo_text::UnknownOp(proto.opcode()));
    if (instructions_.contains(proto.id()) || starts_.contains(proto.id()))
      return Error("the number is used twice");
    if (async && async->part != hlo::AsyncOp::Part::kStart) return ReadAsync(*async, proto);
    if (async) opcode = async->opcode;
    Instruction read{.opcode = *opcode};
    absl::Status status = ReadShape(proto.shape(), &read.shape);
    const Shape written = read.shape;
    if (status.ok() && async) {
      absl::StatusOr<Shape> result = hlo::AsyncResult(*opcode, written);
      if (!result.ok()) return result.status();
      read.shape = *std::move(result);
    }
    if (status.ok()) status = ReadOperands(proto, &read);
    if (status.ok()) status = ReadCalled(proto, &read);
    if (status.ok()) status = ReadAttributes(proto, &read);
    if (status.ok() && *opcode == Opcode::kConstant) {
      status = ReadLiteral(proto.literal(), read.shape, &read.literal);
    }
    if (!status.ok()) return status;
    Instruction* added = nullptr;
    if (*opcode == Opcode::kParameter) {
      status = AddParameter(proto, read.shape, count, computation, &added);
      if (!status.ok()) return status;
      added->attrs = std::move(read.attrs);
    } else {
      added = computation->Add(*opcode, std::move(read.shape), std::move(read.operands),
                               std::move(read.attrs), std::move(read.called), proto.name());
      added->literal = std::move(read.literal);
    }
    SetProvenance(proto.metadata(), &added->provenance);
    if (async) {
      starts_[proto.id()] = {*opcode, written, added, false};
    } else {
      instructions_[proto.id()] = added;
    }
    return absl::OkStatus();
  }

  // The update or the done of an asynchronous start.
  absl::Status ReadAsync(const hlo::AsyncOp& op, const wire::HloInstructionProto& proto) {
    if (proto.operand_ids_size() != 1) return Error("needs one asynchronous start");
    const int64_t id = proto.operand_ids(0);
    const auto found = starts_.find(id);
    if (found == starts_.end())
      return Error(absl::StrCat("operand number ", id, " is no asynchronous start before it"));
    absl::Status status = hlo::UseStart(op.opcode, absl::StrCat("number ", id), &found->second);
    Shape shape;
    if (status.ok()) status = ReadShape(proto.shape(), &shape);
    if (!status.ok()) return status;
    hlo::AsyncStart start = found->second;
    status = hlo::CheckAsyncShape(op.part, start, shape);
    if (!status.ok()) return Error(status.message());
    if (op.part == hlo::AsyncOp::Part::kDone) {
      instructions_[proto.id()] = start.op;
    } else {
      start.is_used = false;
      starts_[proto.id()] = start;
    }
    return absl::OkStatus();
  }

  absl::Status AddParameter(const wire::HloInstructionProto& proto, const Shape& shape,
                            int64_t count, Computation* computation, Instruction** added) {
    const int64_t number = proto.parameter_number();
    const std::vector<Instruction*>& known = computation->parameters();
    // Numbers are dense.
    if (number < 0 || number >= count) {
      return Error(absl::StrCat("parameter number ", number, " is out of range"));
    }
    if (number < computation->num_parameters() && known[number] != nullptr) {
      return Error(absl::StrCat("parameter ", number, " is there twice"));
    }
    *added = computation->AddParameter(number, shape, proto.name());
    return absl::OkStatus();
  }

  absl::Status ReadOperands(const wire::HloInstructionProto& proto, Instruction* inst) {
    inst->operands.reserve(proto.operand_ids_size());
    for (int64_t id : proto.operand_ids()) {
      auto found = instructions_.find(id);
      if (found == instructions_.end()) {
        return Error(absl::StrCat("operand number ", id,
                                  " is no instruction before it in the same computation"));
      }
      inst->operands.push_back(found->second);
    }
    return absl::OkStatus();
  }

  absl::Status ReadCalled(const wire::HloInstructionProto& proto, Instruction* inst) {
    for (int64_t id : proto.called_computation_ids()) {
      auto found = computations_.find(id);
      if (found == computations_.end()) {
        return Error(
            absl::StrCat("calls computation number ", id, ", which does not come before its own"));
      }
      inst->called.push_back(found->second.computation);
      call_depth_ = std::max(call_depth_, found->second.depth + 1);
    }
    const absl::Span<const hlo::CalledName> names = hlo::RowOf(inst->opcode).called;
    const bool list = std::any_of(names.begin(), names.end(), [](const auto& n) { return n.list; });
    if (!list && names.size() != inst->called.size()) {
      return Error(
          absl::StrCat("calls ", inst->called.size(), " computations, not ", names.size()));
    }
    // The body of a loop stands first there.
    if (inst->opcode == Opcode::kWhile) std::swap(inst->called[0], inst->called[1]);
    return absl::OkStatus();
  }

  void SetProvenance(const wire::OpMetadata& metadata, hlo::Provenance* provenance) {
    provenance->locations.push_back({filename_, 0, 0});
    hlo::SourceLocation source{metadata.source_file(), metadata.source_line(),
                               metadata.source_column()};
    if (source.file.empty()) {
      source = FrameLocation(proto_.stack_frame_index(), metadata.stack_frame_id());
    }
    if (!source.file.empty()) provenance->locations.push_back(std::move(source));
    if (!metadata.op_name().empty()) provenance->op_names.push_back(metadata.op_name());
  }

  // Finds a computation by its number, or by its name in files that only have names.
  absl::Status SetEntry() {
    auto found = computations_.find(proto_.entry_computation_id());
    Computation* entry = found == computations_.end()
                             ? module_->FindComputation(proto_.entry_computation_name())
                             : found->second.computation;
    if (entry == nullptr) {
      return Error(absl::StrCat("the entry is computation number ", proto_.entry_computation_id(),
                                ", which does not exist"));
    }
    module_->set_entry(entry);
    return absl::OkStatus();
  }

  absl::Status CheckProgramShape() const {
    if (!proto_.has_host_program_shape()) return absl::OkStatus();
    const wire::ProgramShapeProto& said = proto_.host_program_shape();
    const Computation& entry = *module_->entry();
    auto check = [](const wire::ShapeProto& proto, const Shape& shape, absl::string_view of) {
      Shape read;
      if (absl::Status s = ReadShape(proto, &read); !s.ok()) return s;
      if (Shape::SameIgnoringLayout(read, shape)) return absl::OkStatus();
      return Error(absl::StrCat("the program's shape says ", read.ToString(), " for ", of,
                                ", which is ", shape.ToString()));
    };
    if (said.parameters_size() != entry.num_parameters()) {
      return Error(absl::StrCat("the program's shape has ", said.parameters_size(),
                                " parameters, the entry ", entry.num_parameters()));
    }
    for (int i = 0; i < said.parameters_size(); ++i) {
      absl::Status s =
          check(said.parameters(i), entry.parameters()[i]->shape, absl::StrCat("parameter ", i));
      if (!s.ok()) return s;
    }
    return check(said.result(), entry.root()->shape, "the result");
  }

  // Returns the leaf of `shape` at `index`, or -1 if there is none.
  template <typename Field>
  static int64_t LeafAt(const Shape& shape, const Field& index) {
    int64_t leaf = 0;
    const Shape* at = &shape;
    for (int64_t i : index) {
      if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->elements().size())) return -1;
      for (int64_t before = 0; before < i; ++before) {
        leaf += static_cast<int64_t>(hlo::FlattenShape(at->elements()[before]).size());
      }
      at = &at->elements()[i];
    }
    return at->IsTuple() ? -1 : leaf;
  }

  // Checks which parameters and leaves they name; the verifier checks their shapes.
  absl::Status ReadAliases() {
    const Computation& entry = *module_->entry();
    for (const auto& alias : proto_.input_output_alias().entries()) {
      const int64_t number = alias.parameter_number();
      if (number < 0 || number >= entry.num_parameters()) {
        return Error(absl::StrCat("input_output_alias: the entry has no parameter ", number));
      }
      hlo::InputOutputAlias read;
      read.result_leaf = LeafAt(entry.root()->shape, alias.output_shape_index());
      read.parameter_number = number;
      read.parameter_leaf =
          LeafAt(entry.parameters()[number]->shape, alias.parameter_shape_index());
      read.must = alias.kind() == wire::HloInputOutputAliasProto::MUST_ALIAS;
      if (read.result_leaf < 0 || read.parameter_leaf < 0) {
        return Error("input_output_alias names no array of the entry");
      }
      module_->aliases.push_back(read);
    }
    for (const auto& donor : proto_.buffer_donor().entries()) {
      module_->donors.push_back(donor.parameter_number());
    }
    return absl::OkStatus();
  }

  absl::Status ReadDevices() {
    if (!proto_.has_device_assignment()) return absl::OkStatus();
    module_->num_replicas = proto_.device_assignment().replica_count();
    module_->num_partitions = proto_.device_assignment().computation_count();
    if (module_->num_replicas < 1 || module_->num_partitions < 1 ||
        module_->num_replicas > hlo::kMaxDevices / module_->num_partitions) {
      return Error("device_assignment: no counts of replicas and partitions");
    }
    return absl::OkStatus();
  }

  const wire::HloModuleProto& proto_;
  const std::string filename_;
  std::unique_ptr<hlo::Module> module_;
  std::unordered_map<int64_t, Called> computations_;
  // Of the computation being read.
  std::unordered_map<int64_t, Instruction*> instructions_;
  std::unordered_map<int64_t, hlo::AsyncStart> starts_;
  int call_depth_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<hlo::Module>> ReadModule(const wire::HloModuleProto& proto,
                                                        absl::string_view filename) {
  return ModuleReader(proto, filename).Read();
}

}  // namespace halyard::hlo_proto
