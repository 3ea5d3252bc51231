// attention_wgmma: attention_mma on Hopper (sm_90), where four warps multiply 64 queries together
// (lowering/kernels/attention/warpgroups.h). Queries, keys and values are copied to shared memory
// asynchronously, as they are, and the next block's while one is computed
// (codegen/passes/gpu/staged/attention_loops.h). Scores and sums of weighted values are registers
// of intrinsics; everything between is Halide's, as in attention_mma: logits, maxima, weights.
//
// For softmax of bf16 and f16 with heads of whole lines of 64 elements.

#include "lowering/kernels/contraction/staged_product.h"
#include "schedules/attention/cuda.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::Call;
using lowering::AttentionForm;
using lowering::AttentionWarps;
using lowering::AttentionWords;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::Value;
using lowering::WarpgroupAttention;

std::vector<Expr> AttentionMma::With(std::vector<Expr> arguments) const {
  for (int64_t number : warpgroup_.Numbers()) arguments.push_back(Int(number));
  return arguments;
}

// The element that each copy of this thread begins with.
std::vector<Expr> AttentionMma::CopiesOf(WarpgroupAttention::Tile tile) {
  const WarpgroupAttention& a = warpgroup_;
  const Expr thread = (Expr(warp_) * 8 + g_) * 4 + q_;
  const Expr first_line = thread / Int(a.kPieces), piece = thread % Int(a.kPieces);
  const bool of_values = tile == WarpgroupAttention::kValues;
  Hero& hero = of_values ? *parts_.product : *parts_.scores;
  const PlacedFunc like =
      of_values ? PlacedLike(form_, *form_.product, "p") : PlacedLike(form_, *form_.scores, "s");
  const auto operand =
      static_cast<size_t>(of_values                              ? 1 - form_.weights_operand
                          : tile == WarpgroupAttention::kQueries ? form_.query_operand
                                                                 : 1 - form_.query_operand);
  // `term` needs both factors, and the weights do not exist yet.
  kernel_.emitter->BindReader(form_.divide, [this](const LogicalIndex&) {
    return lowering::Zero(form_.divide->shape.element_type());
  });
  std::vector<Expr> elements;
  for (int64_t i = 0; i < a.copies(tile); ++i) {
    const int64_t line = i * a.lines_at_once();
    const Expr row = first_line + Int(line % a.rows(tile));
    const Expr column = Int(line / a.rows(tile) * a.kLineElements) + piece * Int(a.kPieces);
    const Expr key = KeyBlock(block_, block_k_) * Int(warps_.keys) + row;
    Value value;
    if (of_values) {
      const Indices axes = PlacedArguments(like, Index(block_, 0, 0, column));
      value = hero.term(axes, {ClampedKey(key)})[operand];
    } else if (tile == WarpgroupAttention::kKeys) {
      const Indices axes = PlacedArguments(like, Index(block_, ClampedKey(key), 0, 0));
      value = hero.term(axes, {column})[operand];
    } else {
      const Expr query = ClampedRow(QueryBlock(block_) * Int(warps_.block_q()) + row);
      const Indices axes = PlacedArguments(like, Index(block_, 0, query, 0));
      value = hero.term(axes, {column})[operand];
    }
    Expr element = value.stored;
    // Weights past the last key are 0, but 0 · inf is not.
    if (of_values && CutsKeys()) {
      element = Halide::select(key < Int(parts_.keys), element,
                               Halide::Internal::make_zero(element.type()));
    }
    elements.push_back(element);
  }
  kernel_.emitter->BindReader(form_.divide, nullptr);
  return elements;
}

void AttentionMma::DefineBlock() {
  const WarpgroupAttention& a = warpgroup_;
  const Expr thread = (Expr(warp_) * 8 + g_) * 4 + q_;
  const Expr line = thread / Int(a.kPieces), piece = thread % Int(a.kPieces);
  const int64_t piece_bytes = a.kLine / a.kPieces;
  const Expr place = line * Int(a.kLine) +
                     ((piece * Int(piece_bytes)) ^ (line % Int(a.kPieces) * Int(piece_bytes)));
  const int64_t group_lines = 16 * lowering::StagedShape::kWarpgroup;
  const Expr queries = warp_ / Int(lowering::StagedShape::kWarpgroup) * Int(group_lines * a.kLine);
  std::vector<Expr> arguments = With({block_k_, place, queries});
  for (const WarpgroupAttention::Tile tile :
       {WarpgroupAttention::kQueries, WarpgroupAttention::kKeys, WarpgroupAttention::kValues}) {
    const std::vector<Expr> elements = CopiesOf(tile);
    arguments.insert(arguments.end(), elements.begin(), elements.end());
  }
  const Lane lane{q_, g_, warp_, block_};
  block_of_keys_ = Func("block_of_keys");
  const Indices of_block = lane.After({block_k_});
  block_of_keys_(of_block) =
      Call::make(Halide::Int(32), lowering::kAttentionBlock, arguments, Call::PureExtern);
  Indices at = lane.After({tile_, m_});
  at.push_back(block_k_);
  std::vector<Expr> scores;
  for (int i = 0; i < 4; ++i) {
    scores.push_back(Call::make(Halide::Float(32), lowering::kAttentionScore,
                                {tile_ * 4 + i, Expr(block_of_keys_(of_block))}, Call::PureExtern));
  }
  products_[0].scores = Func("scores");
  products_[0].scores(at) = Halide::Tuple(scores);
  DefineLogits();
}

AttentionMma::Four AttentionMma::WarpgroupSums(const Lane& lane) const {
  const Four scale = StateAt(kScale, 0, lane);
  std::vector<Expr> arguments = With({scale[0], scale[1]});
  for (int64_t tile = 0; tile < key_tiles_; ++tile) {
    const Four words = StateAt(Int(first_weight() + tile), 0, lane);
    for (int h : {0, 1}) arguments.push_back(Halide::reinterpret(Halide::UInt(32), words[h]));
  }
  return {Call::make(Halide::Float(32), lowering::kAttentionValues, arguments, Call::PureExtern),
          Expr(0.f), Expr(0.f), Expr(0.f)};
}

void AttentionMma::DefineWarpgroupOutput() {
  Halide::RDom d({{0, 2},
                  {0, Int(parts_.value_size / 8)},
                  {0, 1},
                  {0, 2},
                  {0, 1},
                  {0, 4},
                  {0, 8},
                  {0, Int(warps_.warps)},
                  {0, Int(groups_)}},
                 "out");
  out_v_ = d[0], out_o_ = d[1], out_e_ = d[2], out_h_ = d[3], out_m_ = d[4];
  out_q_ = d[5], out_g_ = d[6], out_warp_ = d[7], out_block_ = d[8];
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Expr row = Row(lane, out_m_, out_h_), column = Expr(out_o_) * 8 + lane.q * 2 + out_v_;
  vector_output_ = parts_.output.places[0] == AttentionForm::kValueDim;
  // Opaque, because Halide would leave out the lanes that store nothing, but products need whole
  // warps.
  if (parts_.queries % warps_.block_q() != 0)
    d.where(lowering::numerics::Opaque(row) < Int(parts_.queries));
  const Lane own{q_, g_, warp_, block_};
  complete_ = Func("complete");
  complete_(q_, g_, warp_, block_) =
      Call::make(Halide::Int(32), lowering::kAttentionEnd, With({}), Call::PureExtern) +
      Halide::reinterpret(Halide::Int(32), StateAt(Int(first_sum()), 0, own)[0]);
  const Expr sum = Call::make(Halide::Float(32), lowering::kAttentionSum,
                              {Expr(out_o_) * 4 + Expr(out_h_) * 2 + out_v_,
                               Expr(complete_(lane.q, lane.g, lane.warp, lane.block))},
                              Call::PureExtern);
  const Four rows = StateAt(kRows, out_m_, lane);
  DefineResult({Halide::mux(out_h_, {rows[0], rows[1]}), Halide::mux(out_h_, {rows[2], rows[3]}),
                sum, Expr(0.f)},
               lane.block, row, column);
}

// All Funcs are a lane's own.
void AttentionMma::ArrangeWarpgroups() {
  Halide::Stage out = kernel_.output.update();
  out.allow_race_conditions()
      .reorder(out_v_, out_o_, out_e_, out_h_, out_m_, out_q_, out_g_, out_warp_, out_block_)
      .unroll(out_o_)
      .unroll(out_e_)
      .unroll(out_h_)
      .unroll(out_m_)
      .gpu_threads(out_q_, out_g_, out_warp_)
      .gpu_blocks(out_block_);
  if (vector_output_) {
    out.vectorize(out_v_);
  } else {
    out.unroll(out_v_);
  }
  complete_.compute_at(kernel_.output, out_q_).store_in(MemoryType::Register);
  state_.compute_at(kernel_.output, out_q_)
      .store_in(MemoryType::Register)
      .bound(element_, 0, static_cast<int>(elements()))
      .bound(m_, 0, 1)
      .unroll(element_)
      .unroll(m_);
  const char* loop = "block_k";
  const RVar blocks(loop);
  if (visible_.has_value()) CutKeys(loop);
  state_.update()
      .rename(step_block_, blocks)
      .reorder(VarOrRVar(step_v_), VarOrRVar(step_m_), VarOrRVar(step_u_), VarOrRVar(q_),
               VarOrRVar(g_), VarOrRVar(warp_), VarOrRVar(blocks))
      .unroll(step_u_)
      .unroll(step_v_)
      .unroll(step_m_);
  block_of_keys_.compute_at(state_, q_).store_in(MemoryType::Register);
  ArrangeLane();
  for (Halide::ImageParam& input : kernel_.inputs) input.set_host_alignment(16);
  for (Halide::OutputImageParam& output : kernel_.output.output_buffers())
    output.set_host_alignment(16);
}

namespace {

// Returns whether memory has a factor in the type of its products, with neighbours along `var` side
// by side.
bool CanCopy(const Value& value, hlo::ElementType type, const Var& var) {
  return value.stored.defined() && value.stored.type().bytes() == 2 &&
         lowering::NarrowestType(value) == type && IsContiguous(value.stored, var) &&
         IsCopy(value.stored, var);
}

bool CanCopyFactors(const LoweredKernel& kernel, const AttentionParts& parts,
                    const AttentionWords& words) {
  const AttentionForm& form = *parts.form;
  const Var along("along"), across("across");
  const auto like = [&](const hlo::Instruction& product, const char* prefix, const Expr& value) {
    const PlacedFunc placed = PlacedLike(form, product, prefix);
    return PlacedArguments(placed, [&](int64_t place) {
      return place == AttentionForm::kValueDim ? value : Expr(Var("p" + std::to_string(place)));
    });
  };
  const std::vector<Value> factors =
      parts.scores->term(like(*form.scores, "s", Expr(0)), {Expr(along)});
  for (const Value& factor : factors) {
    if (!CanCopy(factor, words.scores->lhs, along)) return false;
  }
  kernel.emitter->BindReader(form.divide, [&form](const LogicalIndex&) {
    return lowering::Zero(form.divide->shape.element_type());
  });
  const std::vector<Value> last =
      parts.product->term(like(*form.product, "p", Expr(along)), {Expr(across)});
  kernel.emitter->BindReader(form.divide, nullptr);
  return CanCopy(last[static_cast<size_t>(1 - form.weights_operand)], words.product->lhs, along);
}

bool IsWidth(int64_t elements) {
  return elements % WarpgroupAttention::kLineElements == 0 && elements <= 256;
}

// Beside scores, weights and sums: maxima, factors, addresses of copies.
constexpr int64_t kOtherRegisters = 60;

bool Fits(const LoweredKernel& kernel, const WarpgroupAttention& a) {
  const runtime::DeviceInfo& device = kernel.device;
  const int64_t registers =
      a.score_registers() + a.sum_registers() + a.weight_words() + kOtherRegisters;
  const int64_t of_group = device.max_group_registers == 0 ? 65536 : device.max_group_registers;
  return registers <= 255 && registers * a.threads() <= of_group &&
         (device.max_shared_bytes == 0 || a.shared_bytes() <= device.max_shared_bytes);
}

// Two groups of four warps, which do not wait for each other, fit a multiprocessor: for 16 × 2048 ×
// 128 an H100 took 87 µs, and with one group of eight 91 µs (causal: 73 and 82).
std::optional<WarpgroupAttention> DefaultShape(const LoweredKernel& kernel,
                                               const AttentionParts& parts,
                                               const AttentionWords& words) {
  const WarpgroupAttention a = WarpgroupsOf(parts, words, {.warps = 4, .keys = 64});
  if (parts.keys <= a.keys || !Fits(kernel, a)) return std::nullopt;
  return a;
}

std::optional<WarpgroupAttention> Default(const LoweredKernel& kernel) {
  if (kernel.device.cuda_capability != 90) return std::nullopt;
  const AttentionParts parts = PartsOf(kernel);
  if (!parts.valid || parts.form->kind != AttentionForm::Kind::kSoftmax ||
      parts.form->second != nullptr || parts.form->divide == nullptr || !IsWidth(parts.head_size) ||
      !IsWidth(parts.value_size))
    return std::nullopt;
  const std::optional<AttentionWords> words = AttentionWordsOf(kernel);
  if (!words.has_value() || words->scores->elements != 2 || words->product->elements != 2 ||
      words->scores->lhs != words->scores->rhs || words->product->lhs != words->product->rhs ||
      !CanCopyFactors(kernel, parts, *words))
    return std::nullopt;
  return DefaultShape(kernel, parts, *words);
}

bool Accepts(const LoweredKernel& kernel) { return Default(kernel).has_value(); }

// Few queries leave most of a warpgroup's rows unused; then groups of other templates share the
// keys.
bool Prefers(const LoweredKernel& kernel) {
  const std::optional<AttentionWarps> others =
      lowering::WarpsFor(kernel.As<AttentionForm>(), kernel.device);
  return PartsOf(kernel).queries > 32 && (!others.has_value() || others->splits == 1);
}

Schedule Defaults(const LoweredKernel& kernel) {
  const WarpgroupAttention a = *Default(kernel);
  return Schedule(kAttentionWgmma.name).Set("warps", a.warps).Set("keys", a.keys);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  return {{"warps", {4, 8}}, {"keys", {64, 128}}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  AttentionWarps warps;
  warps.warps = schedule.Get("warps");
  warps.keys = schedule.Get("keys");
  warps.warpgroups = true;
  const AttentionParts parts = PartsOf(kernel);
  const AttentionWords words = *AttentionWordsOf(kernel);
  if (!Fits(kernel, WarpgroupsOf(parts, words, warps)))
    throw lowering::LimitError("more registers or shared memory than a group has");
  if (parts.keys <= warps.keys) throw lowering::LimitError("a block has more than all keys");
  AttentionMma(kernel, parts, words, warps).Build();
}

}  // namespace

const Template kAttentionWgmmaOnCuda = {.id = kAttentionWgmma,
                                        .forms = SetOfForms<AttentionForm>(),
                                        .device = DeviceClass::kCuda,
                                        .accepts = Accepts,
                                        .defaults = Defaults,
                                        .space = Space,
                                        .apply = Apply,
                                        .prefers = Prefers,
                                        .caps_registers = true};

}  // namespace halyard::schedules
