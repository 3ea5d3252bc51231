// KernelRequest → LoweredKernel.

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"

namespace halyard::lowering {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

std::vector<Axis> MakeAxes(const Shape& shape, const std::string& prefix) {
  std::vector<Axis> axes;
  for (int64_t d = shape.rank(); d-- > 0;) {
    axes.push_back({Halide::Var(prefix + std::to_string(axes.size())), shape.dim(d)});
  }
  return axes;
}

void CheckExtents(const Shape& shape, const std::string& name) {
  for (int64_t extent : shape.dims()) {
    if (extent > kMaxExtent) {
      throw SizeError(absl::StrCat(name, ": a dimension of ", extent,
                                   " elements: kernels index with 32 bits and take at most ",
                                   kMaxExtent));
    }
  }
}

// Arrays of more than 2³² elements may need a stride that does not fit. If there is no other index
// than 0 that it would multiply, MakeInput and SetOutputBounds state another one.
void CheckStrides(const Shape& shape, const std::string& name) {
  int64_t stride = hlo::IsComplex(shape.element_type()) ? 2 : 1;
  for (int64_t d = shape.rank(); d-- > 0;) {
    if (stride > INT32_MAX && shape.dim(d) > 1) {
      throw SizeError(absl::StrCat(name, ": dimension ", d, " of ", shape.ToString(),
                                   " has a stride of ", stride,
                                   " elements: strides of kernels have 32 bits"));
    }
    stride *= shape.dim(d);
  }
}

// Dense, row-major; a complex element is an extra fastest dimension of two parts.
Halide::ImageParam MakeInput(const Shape& shape, const std::string& name) {
  CheckExtents(shape, name);
  const ElementType type = shape.element_type();
  const int parts = hlo::IsComplex(type) ? 1 : 0;
  Halide::ImageParam input(StorageType(type), static_cast<int>(shape.rank()) + parts, name);
  int64_t stride = 1;
  if (parts == 1) {
    input.dim(0).set_bounds(0, 2).set_stride(1);
    stride = 2;
  }
  for (int64_t d = shape.rank(); d-- > 0;) {
    const int dim = static_cast<int>(shape.rank() - 1 - d) + parts;
    input.dim(dim).set_bounds(0, static_cast<int32_t>(shape.dim(d)));
    // A stride past 2³¹ only multiplies index 0 of an extent that is 1 (CheckStrides).
    input.dim(dim).set_stride(stride > INT32_MAX ? Halide::Expr(Halide::cast<int32_t>(0))
                                                 : Halide::Expr(static_cast<int32_t>(stride)));
    stride *= shape.dim(d);
  }
  return input;
}

// Returns whether the op becomes a Hero. Ops that are a kernel of their own form do not.
bool MakesHero(Opcode opcode) {
  const OpLowering* row = LoweringOf(opcode);
  return row != nullptr && row->func != nullptr;
}

// One output of the kernel: a leaf of an instruction.
struct Output {
  const Instruction* instruction = nullptr;
  size_t leaf = 0;
  const Shape* shape = nullptr;
};

std::vector<Output> OutputsOf(const hlo::Computation& kernel) {
  const Instruction* root = kernel.root();
  std::vector<Output> outputs;
  if (root->opcode == Opcode::kTuple) {
    for (const Instruction* operand : root->operands)
      outputs.push_back({operand, 0, &operand->shape});
  } else if (root->shape.IsTuple()) {
    for (const Shape& shape : root->shape.elements())
      outputs.push_back({root, outputs.size(), &shape});
  } else {
    outputs.push_back({root, 0, &root->shape});
  }
  return outputs;
}

// The kernel's sort-pass over blocks, or null.
const Instruction* SortPassOf(const hlo::Computation& kernel) {
  const Instruction* root = kernel.root();
  if (root->opcode == Opcode::kTuple && !root->operands.empty()) root = root->operand(0);
  if (root->opcode == Opcode::kGetTupleElement) root = root->operand(0);
  return root->opcode == Opcode::kSortPass && root->GetInt(hlo::Attr::kK, 0) > 0 ? root : nullptr;
}

// Returns whether computing it again for each use costs more than storing it.
bool IsWorthStoring(Opcode opcode) {
  return IsTranscendental(opcode) || CostOf(opcode) == OpCost::kDivision;
}

// Who reads each Expr instruction through Expr ops: heroes, or the output (null).
std::map<const Instruction*, std::set<const Instruction*>> FinalReaders(
    const hlo::Computation& kernel) {
  std::map<const Instruction*, std::set<const Instruction*>> readers;
  for (const Output& output : OutputsOf(kernel)) readers[output.instruction].insert(nullptr);
  const auto& instructions = kernel.instructions();
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    const Instruction* user = it->get();
    if (user == kernel.root() && user->opcode == Opcode::kTuple) continue;
    for (const Instruction* operand : user->operands) {
      if (MakesHero(user->opcode)) {
        readers[operand].insert(user);
      } else {
        const auto through = readers[user];
        readers[operand].insert(through.begin(), through.end());
      }
    }
  }
  return readers;
}

// How many ops of known single values Halide may take apart as often as they are used.
constexpr int64_t kMaxOpsOfSingleValues = 8;

int64_t OpCount(const hlo::Computation& kernel) {
  int64_t count = 0;
  for (const auto& inst : kernel.instructions()) {
    if (HasElementwiseLowering(inst->opcode)) count += IsWorthStoring(inst->opcode) ? 20 : 1;
  }
  return count;
}

void MakeHeroes(const hlo::Computation& kernel, LoweredKernel* lowered) {
  for (const auto& owned : kernel.instructions()) {
    const Instruction* inst = owned.get();
    if (!MakesHero(inst->opcode)) continue;
    auto hero = std::make_unique<Hero>();
    hero->instruction = inst;
    const Shape& shape = inst->shape.IsTuple() ? inst->shape.elements()[0] : inst->shape;
    CheckExtents(shape, inst->name);
    hero->axes = MakeAxes(shape, absl::StrCat("h", lowered->heroes.size(), "_"));
    LoweringOf(inst->opcode)->func(*lowered->emitter, *inst, hero.get());
    lowered->emitter->BindHero(inst, hero.get());
    lowered->heroes.push_back(std::move(hero));
  }
}

// Finds along which axis of the output the fastest dimension of each input runs, from the index
// expressions of the output.
int FindTransposedAxis(const LoweredKernel& lowered, const std::vector<Halide::Expr>& outputs) {
  // Expressions share their parts: a graph visitor sees each once.
  class Finder : public Halide::Internal::IRGraphVisitor {
   public:
    explicit Finder(const std::vector<Axis>& axes) : axes_(axes) {}
    int axis = -1;

   private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call* call) override {
      // An ImageParam is read through a Func of its own.
      if (call->call_type == Halide::Internal::Call::Halide && !call->args.empty()) {
        if (const auto* variable = call->args[0].as<Halide::Internal::Variable>()) {
          for (size_t a = 1; a < axes_.size(); ++a) {
            if (variable->name == axes_[a].var.name() && axes_[a].extent > 1 && axes_[0].extent > 1)
              axis = static_cast<int>(a);
          }
        }
      }
      IRGraphVisitor::visit(call);
    }
    const std::vector<Axis>& axes_;
  };
  Finder finder(lowered.axes);
  for (const Halide::Expr& e : outputs) e.accept(&finder);
  return finder.axis;
}

}  // namespace

std::vector<Halide::Expr> LoweredKernel::OutputsAt(const Indices& index) const {
  std::vector<Value> values;
  for (const Output& out : OutputsOf(*module->entry()))
    values.push_back(emitter->LeavesAt(out.instruction, Emitter::ToLogical(index))[out.leaf]);
  return ToStorageExprs(values);
}

void LoweredKernel::BuildOutput(bool part_is_axis) {
  const LogicalIndex index = Emitter::ToLogical(VarsOf(axes));
  std::vector<Value> values;
  for (const Output& out : OutputsOf(*module->entry()))
    values.push_back(emitter->LeavesAt(out.instruction, index)[out.leaf]);
  output = Halide::Func("out");
  const Halide::Var part("part");
  Indices vars = VarsOf(axes);
  std::vector<Halide::Expr> exprs;
  if (complex_outputs) {
    for (const Value& value : values) {
      if (!hlo::IsComplex(value.type))
        throw EmitError("a kernel's outputs are all complex or all real");
      exprs.push_back(Halide::select(part == 0, ToStorage(value.type, value.re),
                                     ToStorage(value.type, value.im)));
    }
    vars.insert(vars.begin(), part);
    if (part_is_axis) axes.insert(axes.begin(), {part, 2});
  } else {
    exprs = ToStorageExprs(values);
  }
  for (Halide::Expr& e : exprs) e = Halide::Internal::common_subexpression_elimination(e);
  output(vars) = Halide::Tuple(exprs);
  SetOutputBounds();
  if (complex_outputs && !part_is_axis) output.bound(part, 0, 2).unroll(part);
}

namespace {

// Finds out whether each hero is read only at the indices of the outputs. The outputs are built
// once for this, with the reads of every hero recorded instead of built. `*lowered` is unchanged
// afterwards.
void LookAtOutputs(const std::vector<Output>& outputs, LoweredKernel* lowered) {
  bool direct = lowered->heroes.size() == 1;
  for (auto& hero : lowered->heroes) {
    hero->read = [lowered, &direct, &hero](const Indices& axes) {
      if (axes.size() != lowered->axes.size()) direct = false;
      for (size_t i = 0; direct && i < axes.size(); ++i) {
        const auto* variable = axes[i].as<Halide::Internal::Variable>();
        if (variable == nullptr || variable->name != lowered->axes[i].var.name()) direct = false;
      }
      std::vector<Halide::Expr> dummies;
      for (ElementType type : hero->types) {
        for (int part = 0; part < (hlo::IsComplex(type) ? 2 : 1); ++part) {
          dummies.push_back(Halide::Internal::Variable::make(StorageType(type), "probe"));
        }
      }
      return dummies;
    };
  }
  std::vector<Halide::Expr> probe;
  const LogicalIndex index = Emitter::ToLogical(VarsOf(lowered->axes));
  for (const Output& out : outputs)
    probe.push_back(lowered->emitter->LeavesAt(out.instruction, index)[out.leaf].re);
  lowered->direct_epilogue = direct;
  lowered->transposed_axis = lowered->heroes.empty() ? FindTransposedAxis(*lowered, probe) : -1;
  lowered->emitter->Forget();
  for (auto& hero : lowered->heroes) hero->read = nullptr;
}

// Returns the form of the kernel, without its contents.
KernelForm EmptyFormOf(const hlo::Computation& kernel) {
  const Opcode root = kernel.root()->opcode;
  if (IsLibraryOp(root)) return LibraryOp();
  if (IsSequence(root)) return Sequence();
  if (root == Opcode::kFftPass) return Transform();
  if (SortPassOf(kernel) != nullptr) return Exchange();
  if (std::optional<AttentionForm> form = AttentionOfKernel(kernel)) return *std::move(form);
  std::vector<const Instruction*> heroes;
  for (const auto& inst : kernel.instructions()) {
    if (MakesHero(inst->opcode)) heroes.push_back(inst.get());
  }
  if (heroes.empty()) return Elementwise();
  if (heroes.size() > 1) return Rows();
  // There is one reduction. Whether the outputs have the shape that is reduced decides the form.
  const Shape& shape =
      heroes[0]->shape.IsTuple() ? heroes[0]->shape.elements()[0] : heroes[0]->shape;
  const bool row =
      heroes[0]->opcode == Opcode::kReduce && OutputsOf(kernel)[0].shape->rank() > shape.rank();
  return row ? KernelForm(Rows()) : KernelForm(SingleFold());
}

// Lowers what each form has of its own.
struct FormLowering {
  const hlo::Computation& kernel;
  const std::vector<Output>& outputs;
  LoweredKernel* lowered;

  void operator()(Sequence& sequence) const {
    const Instruction& root = *kernel.root();
    sequence.instruction = &root;
    for (const Shape& leaf : hlo::FlattenShape(root.shape)) {
      sequence.types.push_back(leaf.element_type());
      sequence.is_axis.assign(leaf.rank(), false);
    }
    LoweringOf(root.opcode)->sequence(*lowered->emitter, root, &sequence);
  }

  void operator()(Transform& transform) const {
    const Instruction& root = *kernel.root();
    LowerFftPass(*lowered->emitter, root, &transform);
    const Shape& shape = root.shape;
    if (transform.IsLine() &&
        (root.operands.size() != 2 || !FitsFourierLine(lowered->device, shape.dim(2), shape.dim(3),
                                                       hlo::StorageBytes(shape.element_type())))) {
      throw EmitError(absl::StrCat(root.name, ": workgroups of the device do not take a line of ",
                                   shape.dim(2), " elements; up to ", kMaxRadix,
                                   " are a butterfly"));
    }
  }

  void operator()(Exchange& exchange) const {
    LowerExchange(*lowered->emitter, *SortPassOf(kernel), &exchange);
    for (const Output& out : outputs) {
      const bool element = out.instruction->opcode == Opcode::kGetTupleElement;
      exchange.outputs.push_back(
          element ? static_cast<size_t>(out.instruction->GetInt(hlo::Attr::kIndex)) : out.leaf);
    }
  }

  void operator()(AttentionForm& form) const {
    MakeHeroes(kernel, lowered);
    if (form.kind != AttentionForm::Kind::kSoftmax) return;
    lowered->row_values.push_back({form.weights, {}, MakeAxes(form.weights->shape, "w")});
  }

  void operator()(Rows&) const {
    MakeHeroes(kernel, lowered);
    for (auto& hero : lowered->heroes) FoldKeys(hero.get());
    const Shape& row_shape = lowered->heroes[0]->instruction->operand(0)->shape;
    auto readers = FinalReaders(kernel);
    for (const auto& inst : kernel.instructions()) {
      if (IsWorthStoring(inst->opcode) && inst->shape.IsArray() &&
          inst->shape.dims() == row_shape.dims() && readers[inst.get()].size() > 1) {
        lowered->row_values.push_back(
            {inst.get(),
             {},
             MakeAxes(inst->shape, absl::StrCat("w", lowered->row_values.size(), "_"))});
      }
    }
    LookAtOutputs(outputs, lowered);
  }

  template <typename Form>  // Elementwise, SingleFold, LibraryOp
  void operator()(Form&) const {
    MakeHeroes(kernel, lowered);
    for (auto& hero : lowered->heroes) FoldKeys(hero.get());
    LookAtOutputs(outputs, lowered);
  }
};

}  // namespace

LoweredKernel LowerKernel(const KernelRequest& request) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      hlo_text::ParseModule(request.hlo, "kernel");
  if (!module.ok()) throw EmitError(std::string(module.status().message()));
  const hlo::Computation& kernel = *(*module)->entry();
  if (absl::Status form = VerifyKernelForm(kernel); !form.ok())
    throw EmitError(std::string(form.message()));

  LoweredKernel lowered;
  lowered.device = request.device;
  lowered.target = HalideTarget(request.device);
  lowered.emitter = std::make_unique<Emitter>();
  lowered.in_place = !request.aliases.empty();
  for (const Instruction* parameter : kernel.parameters()) {
    if (!IsLibraryOp(kernel.root()->opcode)) CheckStrides(parameter->shape, parameter->name);
    lowered.inputs.push_back(
        MakeInput(parameter->shape, absl::StrCat("in", parameter->parameter_number)));
    lowered.emitter->BindInput(parameter, lowered.inputs.back());
    if (parameter->shape.ByteSize() > INT32_MAX)
      lowered.target.set_feature(Halide::Target::LargeBuffers);
  }
  const std::vector<Output> outputs = OutputsOf(kernel);
  for (const Output& out : outputs) {
    CheckExtents(*out.shape, out.instruction->name);
    if (!IsLibraryOp(kernel.root()->opcode)) CheckStrides(*out.shape, out.instruction->name);
    if (out.shape->ByteSize() > INT32_MAX) lowered.target.set_feature(Halide::Target::LargeBuffers);
  }
  lowered.num_outputs = static_cast<int64_t>(outputs.size());
  lowered.complex_outputs = hlo::IsComplex(outputs[0].shape->element_type());
  lowered.axes = MakeAxes(*outputs[0].shape, "axis");  // names like v0 are Halide's own
  lowered.op_count = OpCount(kernel);
  if (outputs[0].shape->NumElements() == 1) {
    lowered.emitter->HideLoads(Emitter::Hidden::kAll);
  } else if (lowered.op_count > kMaxOpsOfSingleValues) {
    lowered.emitter->HideLoads(Emitter::Hidden::kAtConstants);
  }
  *lowered.form = EmptyFormOf(kernel);
  std::visit(FormLowering{kernel, outputs, &lowered}, *lowered.form);
  lowered.module = *std::move(module);
  return lowered;
}

}  // namespace halyard::lowering
