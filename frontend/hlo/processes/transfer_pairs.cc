#include "frontend/hlo/processes/transfer_pairs.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

bool IsProcessTransfer(const Instruction& inst) {
  return (inst.opcode == Opcode::kSend || inst.opcode == Opcode::kRecv) &&
         !inst.GetBool(Attr::kIsHostTransfer);
}

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

// Returns what follows `name=` in `{a="x",name=…}`, or an empty text.
absl::string_view FrontendAttribute(absl::string_view text, absl::string_view name) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {  // up to the end of the string
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
      continue;
    }
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth != 1 || !absl::StartsWith(text.substr(i), name)) continue;
    if (i > 0 && IsNameCharacter(text[i - 1])) continue;
    absl::string_view rest = absl::StripLeadingAsciiWhitespace(text.substr(i + name.size()));
    if (absl::ConsumePrefix(&rest, "=")) return absl::StripLeadingAsciiWhitespace(rest);
  }
  return "";
}

bool TakeCharacter(absl::string_view* text, char c) {
  *text = absl::StripLeadingAsciiWhitespace(*text);
  return absl::ConsumePrefix(text, absl::string_view(&c, 1));
}

bool TakeId(absl::string_view* text, int64_t* id) {
  *text = absl::StripLeadingAsciiWhitespace(*text);
  size_t end = absl::StartsWith(*text, "-") ? 1 : 0;
  while (end < text->size() && absl::ascii_isdigit(static_cast<unsigned char>((*text)[end]))) ++end;
  const bool read = absl::SimpleAtoi(text->substr(0, end), id);
  text->remove_prefix(end);
  return read;
}

// Channels that the module does not use, one for each receiver on a channel.
class PairChannels {
 public:
  explicit PairChannels(const Module& module) {
    for (const auto& computation : module.computations()) {
      for (const auto& inst : computation->instructions()) {
        if (inst->Has(Attr::kChannelId)) used_.insert(inst->GetInt(Attr::kChannelId));
      }
    }
  }

  int64_t Of(int64_t channel, int64_t receiver) {
    const auto [found, is_new] = ids_.insert({{channel, receiver}, 0});
    if (!is_new) return found->second;
    while (used_.contains(next_)) ++next_;
    return found->second = next_++;
  }

 private:
  std::set<int64_t> used_;
  std::map<std::pair<int64_t, int64_t>, int64_t> ids_;
  int64_t next_ = 1;
};

// Appends instructions that come from `source`.
class TransferAppender {
 public:
  TransferAppender(Computation* computation, const Instruction& source)
      : computation_(computation), provenance_(source.provenance) {}

  Computation* computation() const { return computation_; }
  Instruction* Add(Opcode opcode, Shape shape, std::vector<Instruction*> operands,
                   AttrMap attrs = {}) {
    return Placed(
        computation_->Add(opcode, std::move(shape), std::move(operands), std::move(attrs)));
  }
  Instruction* Parameter(const Shape& shape) {
    return Placed(computation_->AddParameter(0, shape));
  }
  Instruction* Element(Instruction* tuple, int64_t index) {
    return Add(Opcode::kGetTupleElement, tuple->shape.elements()[index], {tuple},
               One(Attr::kIndex, index));
  }
  Instruction* Constant(Literal value) {
    return Placed(computation_->AddConstant(std::move(value)));
  }
  // Of real numbers, of an array or of a tuple of arrays.
  Instruction* Zeros(const Shape& shape) {
    if (shape.IsTuple()) {
      std::vector<Instruction*> elements;
      for (const Shape& element : shape.elements()) elements.push_back(Zeros(element));
      return Add(Opcode::kTuple, shape, std::move(elements));
    }
    if (shape.IsQuantized()) {
      Instruction* zeros = Constant(RealZeros(shape));
      zeros->shape = shape;
      return zeros;
    }
    Instruction* zero = Constant(Literal(Shape::Scalar(shape.element_type())));
    return shape.IsScalar() ? zero
                            : Add(Opcode::kBroadcast, shape.WithDefaultLayout(), {zero},
                                  One(Attr::kDimensions, Ints()));
  }

  static AttrMap One(Attr attr, AttrValue value) {
    AttrMap attrs;
    attrs.Set(attr, std::move(value));
    return attrs;
  }

 private:
  Instruction* Placed(Instruction* inst) {
    inst->provenance = provenance_;
    return inst;
  }

  Computation* computation_;
  Provenance provenance_;
};

// Turns a transfer and its done into what a conditional takes and the conditional itself.
class TransferExpander {
 public:
  TransferExpander(Module* module, PairChannels* channels, Instruction* transfer, Instruction* done)
      : module_(module), channels_(channels), transfer_(transfer), done_(done) {}

  void Expand() {
    const GridShape grid{module_->num_replicas, module_->num_partitions};
    const std::vector<ProcessGroup> pairs = GroupsOf(*transfer_, grid);
    const bool sends = transfer_->opcode == Opcode::kSend;
    std::vector<Computation*> branches;
    Ints branch_of(static_cast<size_t>(grid.size()), static_cast<int64_t>(pairs.size()));
    for (const ProcessGroup& pair : pairs) {
      branch_of[static_cast<size_t>(grid.IndexOf(pair[sends ? 0 : 1]))] =
          static_cast<int64_t>(branches.size());
      const int64_t channel =
          channels_->Of(transfer_->GetInt(Attr::kChannelId), grid.IndexOf(pair[1]));
      branches.push_back(Branch([&](TransferAppender& branch, Instruction* argument) {
        Transfer(branch, argument, channel);
      }));
    }
    branches.push_back(Branch([&](TransferAppender& branch, Instruction* argument) {
      sends ? branch.Element(argument, 1)
            : branch.Add(Opcode::kTuple, done_->shape,
                         {branch.Zeros(done_->shape.elements()[0]), argument});
    }));
    done_->opcode = Opcode::kConditional;
    done_->operands.assign(branches.size(), transfer_);
    done_->operands.insert(done_->operands.begin(), Own(branch_of, grid));
    done_->called = std::move(branches);
    done_->attrs = AttrMap();
    transfer_->shape = Argument();
    transfer_->opcode = sends ? Opcode::kTuple : Opcode::kAfterAll;
    transfer_->attrs = AttrMap();
  }

 private:
  // What a branch takes: data and a token, or a token.
  Shape Argument() const {
    return transfer_->opcode == Opcode::kSend
               ? Shape::Tuple({transfer_->operand(0)->shape, Shape::Token()})
               : Shape::Token();
  }

  // The last instruction that `fill` adds is the result.
  template <typename Fill>
  Computation* Branch(Fill fill) {
    TransferAppender branch(module_->AddComputation("transfer"), *transfer_);
    fill(branch, branch.Parameter(Argument()));
    branch.computation()->set_root(branch.computation()->instructions().back().get());
    return branch.computation();
  }

  void Transfer(TransferAppender& branch, Instruction* argument, int64_t channel) {
    const AttrMap attrs = TransferAppender::One(Attr::kChannelId, channel);
    std::vector<Instruction*> operands = {argument};
    if (transfer_->opcode == Opcode::kSend)
      operands = {branch.Element(argument, 0), branch.Element(argument, 1)};
    Instruction* started =
        branch.Add(transfer_->opcode, transfer_->shape, std::move(operands), attrs);
    branch.Add(done_->opcode, done_->shape, {started}, attrs);
  }

  // The element of `numbers` for the process that executes it.
  Instruction* Own(const Ints& numbers, const GridShape& grid) {
    TransferAppender here(transfer_->parent, *transfer_);
    const Shape u32 = Shape::Scalar(ElementType::kU32), s32 = Shape::Scalar(ElementType::kS32);
    const auto count = static_cast<int64_t>(numbers.size());
    Instruction* partitions = here.Constant(
        Literal::FromValues<int64_t>(ElementType::kU32, {}, std::vector<int64_t>{grid.partitions}));
    Instruction* table =
        here.Constant(Literal::FromValues<int64_t>(ElementType::kS32, {count}, numbers));
    Instruction* first =
        here.Add(Opcode::kMultiply, u32, {here.Add(Opcode::kReplicaId, u32, {}), partitions});
    Instruction* process =
        here.Add(Opcode::kAdd, u32, {first, here.Add(Opcode::kPartitionId, u32, {})});
    Instruction* own =
        here.Add(Opcode::kDynamicSlice, Shape::Array(ElementType::kS32, {1}), {table, process},
                 TransferAppender::One(Attr::kDynamicSliceSizes, Ints{1}));
    return here.Add(Opcode::kReshape, s32, {own});
  }

  Module* module_;
  PairChannels* channels_;
  Instruction* transfer_;
  Instruction* done_;
};

absl::Status ExpandTransfersOf(Module* module, Computation* computation, PairChannels* channels) {
  std::vector<Instruction*> transfers;
  for (const auto& inst : computation->instructions()) {
    if (!IsProcessTransfer(*inst)) continue;
    const absl::StatusOr<std::optional<IntLists>> pairs = TransferPairsOf(*inst);
    if (!pairs.ok()) return LocatedError(pairs.status().code(), *inst, pairs.status().message());
    if (pairs->has_value()) transfers.push_back(inst.get());
  }
  if (transfers.empty()) return absl::OkStatus();
  // What waits is late before it is hidden in conditionals.
  std::vector<const Instruction*> order;
  for (const auto& inst : computation->instructions()) order.push_back(inst.get());
  ReceiveLate(&order);
  computation->Reorder(order);
  const auto users = computation->Users();
  for (Instruction* transfer : transfers) {
    const std::vector<Instruction*>& own = users.at(transfer);
    if (own.size() != 1 || computation->root() == transfer ||
        (own[0]->opcode != Opcode::kSendDone && own[0]->opcode != Opcode::kRecvDone)) {
      return LocatedError(absl::StatusCode::kUnimplemented, *transfer,
                          "with source_target_pairs, it can be used by one done only");
    }
    TransferExpander(module, channels, transfer, own[0]).Expand();
  }
  if (computation->SortTopologically()) return absl::OkStatus();
  return absl::InternalError("a transfer depends on itself");
}

}  // namespace

std::string TransferPairsText(const IntLists& pairs) {
  return absl::StrCat("{",
                      absl::StrJoin(pairs, ",",
                                    [](std::string* text, const Ints& pair) {
                                      absl::StrAppend(text, "{", absl::StrJoin(pair, ","), "}");
                                    }),
                      "}");
}

bool ReadTransferPairs(absl::string_view text, IntLists* pairs) {
  pairs->clear();
  if (!TakeCharacter(&text, '{')) return false;
  if (TakeCharacter(&text, '}')) return true;
  do {
    Ints& pair = pairs->emplace_back();
    if (!TakeCharacter(&text, '{')) return false;
    do {
      if (!TakeId(&text, &pair.emplace_back())) return false;
    } while (TakeCharacter(&text, ','));
    if (!TakeCharacter(&text, '}')) return false;
  } while (TakeCharacter(&text, ','));
  return TakeCharacter(&text, '}');
}

absl::StatusOr<std::optional<IntLists>> TransferPairsOf(const Instruction& transfer) {
  if (!IsProcessTransfer(transfer)) return std::nullopt;
  absl::string_view text =
      FrontendAttribute(transfer.GetString(Attr::kFrontendAttributes), kTransferPairs);
  if (text.empty()) return std::nullopt;
  absl::ConsumePrefix(&text, "\"");
  IntLists pairs;
  if (ReadTransferPairs(text, &pairs)) return std::optional<IntLists>(std::move(pairs));
  return absl::InvalidArgumentError(absl::StrCat(kTransferPairs, " must be like {{0,1},{1,2}}"));
}

std::optional<ProcessId> ReceiverOf(const Instruction& transfer, const GridShape& grid,
                                    ProcessId self) {
  for (const ProcessGroup& pair : GroupsOf(transfer, grid)) {
    if (pair[transfer.opcode == Opcode::kSend ? 0 : 1] == self) return pair[1];
  }
  return std::nullopt;
}

bool TakesPart(const Instruction& transfer, const GridShape& grid, ProcessId self) {
  const absl::StatusOr<std::optional<IntLists>> pairs = TransferPairsOf(transfer);
  return !pairs.ok() || !pairs->has_value() || ReceiverOf(transfer, grid, self).has_value();
}

absl::Status ExpandTransferPairs(Module* module) {
  PairChannels channels(*module);
  std::vector<Computation*> computations;
  for (const auto& computation : module->computations()) computations.push_back(computation.get());
  for (Computation* computation : computations) {
    absl::Status status = ExpandTransfersOf(module, computation, &channels);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace halyard::hlo
