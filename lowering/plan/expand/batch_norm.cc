// Batch normalisations → reductions and elementwise ops. Types narrower than f32 are computed in
// f32 and rounded at the end. The work that is done for each feature leaves few ops for an element:
// a factor and two summands.
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

class Normalization {
 public:
  Normalization(Rewriter* rewriter, Instruction* inst)
      : rewriter_(rewriter), b_(rewriter, inst), inst_(inst) {
    const Shape& operand = inst->operand(0)->shape;
    type_ = operand.element_type() == ElementType::kF64 ? ElementType::kF64 : ElementType::kF32;
    dims_ = operand.dims();
    feature_ = inst->GetInt(Attr::kFeatureIndex);
    const int64_t features = dims_[feature_];
    count_ = features == 0 ? 0 : static_cast<double>(operand.NumElements() / features);
    for (Instruction* in : inst->operands) operands_.push_back(b_.Convert(in, type_));
  }

  Instruction* Expand() {
    switch (inst_->opcode) {
      case Opcode::kBatchNormInference:
        return Round(Normalize(operands_[1], operands_[2], operands_[3], operands_[4]));
      case Opcode::kBatchNormTraining:
        return Training();
      default:
        return Grad();
    }
  }

 private:
  Instruction* Op(Opcode opcode, Instruction* x, Instruction* y) { return b_.Add(opcode, {x, y}); }
  Instruction* Op(Opcode opcode, Instruction* x, double y) {
    return Op(opcode, x, b_.Splat(type_, y, x->shape.dims()));
  }
  // Broadcasts a vector of features to every element.
  Instruction* Spread(Instruction* vector) { return b_.Broadcast(vector, dims_, {feature_}); }
  Instruction* Round(Instruction* x) {
    return b_.Convert(x, inst_->operand(0)->shape.element_type());
  }
  Instruction* Deviation(Instruction* variance) {
    const double epsilon = static_cast<float>(inst_->GetFloat(Attr::kEpsilon));
    return b_.Add(Opcode::kSqrt, {Op(Opcode::kAdd, variance, epsilon)});
  }
  Instruction* Centered(Instruction* mean) {
    return Op(Opcode::kSubtract, operands_[0], Spread(mean));
  }

  Instruction* Sum(Instruction* x) {
    if (add_ == nullptr) {
      add_ =
          AddFold(*rewriter_->computation()->module(), inst_->name + ".add", Opcode::kAdd, type_);
    }
    hlo::Ints reduced;
    for (int64_t d = 0; d < static_cast<int64_t>(dims_.size()); ++d) {
      if (d != feature_) reduced.push_back(d);
    }
    return rewriter_->Add(*inst_, Opcode::kReduce, Shape::Array(type_, {dims_[feature_]}),
                          {x, b_.Splat(type_, 0, {})}, OneAttr(Attr::kDimensions, reduced), {add_});
  }

  Instruction* Normalize(Instruction* scale, Instruction* offset, Instruction* mean,
                         Instruction* variance) {
    Instruction* factor = Op(Opcode::kDivide, scale, Deviation(variance));
    return Op(Opcode::kAdd, Op(Opcode::kMultiply, Centered(mean), Spread(factor)), Spread(offset));
  }

  Instruction* Training() {
    Instruction* mean = Op(Opcode::kDivide, Sum(operands_[0]), count_);
    Instruction* centered = Centered(mean);
    Instruction* variance =
        Op(Opcode::kDivide, Sum(Op(Opcode::kMultiply, centered, centered)), count_);
    return rewriter_->Add(*inst_, Opcode::kTuple, inst_->shape,
                          {Round(Normalize(operands_[1], operands_[2], mean, variance)),
                           Round(mean), Round(variance)});
  }

  // With c = x - mean, s = √(variance + ε): scale/s · (dy - Σdy/n - c·Σ(dy·c)/(n·s²)).
  Instruction* Grad() {
    Instruction *scale = operands_[1], *grad = operands_[4];
    if (count_ == 0) {  // sums of nothing, even where the deviation is NaN
      Instruction* zeros = Round(b_.Splat(type_, 0, {dims_[feature_]}));
      return rewriter_->Add(*inst_, Opcode::kTuple, inst_->shape,
                            {Round(b_.Splat(type_, 0, dims_)), zeros, zeros});
    }
    Instruction* centered = Centered(operands_[2]);
    Instruction* deviation = Deviation(operands_[3]);
    Instruction* grad_sum = Sum(grad);
    Instruction* centered_sum = Sum(Op(Opcode::kMultiply, grad, centered));
    Instruction* grad_scale = Op(Opcode::kDivide, centered_sum, deviation);
    Instruction* mean_grad = Op(Opcode::kDivide, grad_sum, count_);
    Instruction* slope = Op(Opcode::kDivide, Op(Opcode::kDivide, grad_scale, deviation), count_);
    Instruction* inside = Op(Opcode::kSubtract, Op(Opcode::kSubtract, grad, Spread(mean_grad)),
                             Op(Opcode::kMultiply, centered, Spread(slope)));
    Instruction* factor = Op(Opcode::kDivide, scale, deviation);
    return rewriter_->Add(
        *inst_, Opcode::kTuple, inst_->shape,
        {Round(Op(Opcode::kMultiply, inside, Spread(factor))), Round(grad_scale), Round(grad_sum)});
  }

  Rewriter* rewriter_;
  GraphBuilder b_;
  Instruction* inst_;
  ElementType type_;
  std::vector<int64_t> dims_;
  int64_t feature_ = 0;
  double count_ = 0;  // elements per feature
  std::vector<Instruction*> operands_;
  Computation* add_ = nullptr;
};

}  // namespace

absl::Status ExpandBatchNorm(hlo::Module& module) {
  absl::Status expanded = RewriteEach(module, [](Rewriter& rewriter, Instruction* inst) {
    if (inst->opcode == Opcode::kBatchNormInference || inst->opcode == Opcode::kBatchNormTraining ||
        inst->opcode == Opcode::kBatchNormGrad) {
      rewriter.Replace(inst, Normalization(&rewriter, inst).Expand());
    }
    return absl::OkStatus();
  });
  return expanded.ok() ? FlattenTuples(module) : expanded;
}

}  // namespace halyard::lowering
