// Collectives, infeed and outfeed, send and recv.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/transfer_pairs.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

namespace {

// Only where groups may be of different sizes are they filled up with -1.
bool MayBePadded(absl::string_view op) {
  return op == "stablehlo.all_reduce" || op == "stablehlo.collective_reduce";
}

}  // namespace

bool Converter::GroupsAttribute(const Operation& op, absl::string_view name, Attr attr,
                                AttrMap* attrs) {
  const Attribute* value = op.Attr(name);
  if (value == nullptr) return Fail(op, absl::StrCat("attribute '", name, "' is missing"));
  if (value->name == "stablehlo.replica_group_mesh_axes" && attr == Attr::kReplicaGroups) {
    CannotRun(value->offset, absl::StrCat("'", op.name,
                                          "': groups that are axes of a mesh cannot "
                                          "be run: write replica_groups as ids"));
    return true;
  }
  Ints flat;
  const mlir::Type* type = value->type;
  if (value->data == nullptr || type == nullptr || type->dims.size() != 2 ||
      !DenseInts(*value->data, &flat)) {
    return errors_.Fail(value->offset, absl::StrCat("'", op.name, "': '", name,
                                                    "' must be a two-dimensional tensor of ids"));
  }
  if (attr == Attr::kSourceTargetPairs && type->dims[1] != 2) {
    const absl::string_view label = op.name == "stablehlo.collective_permute" ? "C1: " : "";
    return errors_.Fail(value->offset, absl::StrCat("'", op.name, "': ", label, "'", name,
                                                    "' must be of pairs, is ", ToString(*type)));
  }
  hlo::IntLists lists;
  const size_t width = static_cast<size_t>(type->dims[1]);
  for (size_t begin = 0; width > 0 && begin < flat.size(); begin += width) {
    Ints& list = lists.emplace_back(flat.begin() + static_cast<int64_t>(begin),
                                    flat.begin() + static_cast<int64_t>(begin + width));
    while (MayBePadded(op.name) && !list.empty() && list.back() == -1) list.pop_back();
  }
  if (!lists.empty() || attr == Attr::kSourceTargetPairs) attrs->Set(attr, std::move(lists));
  return true;
}

bool Converter::ChannelAttributes(const Operation& op, AttrMap* attrs) {
  constexpr absl::string_view kTypes[] = {"", "DEVICE_TO_DEVICE", "DEVICE_TO_HOST",
                                          "HOST_TO_DEVICE"};
  OpReader reader(op, errors_);
  const Attribute* handle = nullptr;
  if (op.Attr("channel_handle") == nullptr) return true;
  int64_t id = 0;
  int64_t type = 0;
  if (!reader.Struct("channel_handle", &handle) || !reader.FieldInt(*handle, "handle", &id) ||
      !reader.FieldInt(*handle, "type", &type)) {
    return false;
  }
  if (type < 0 || type > 3) return Fail(op, absl::StrCat("there is no channel type ", type));
  bool transfer = op.name == "stablehlo.send" || op.name == "stablehlo.recv";
  if (id != 0 || transfer) attrs->Set(Attr::kChannelId, id);
  if (type != 0 && transfer) attrs->Set(Attr::kChannelType, std::string(kTypes[type]));
  return true;
}

bool Converter::ConvertCollective(const Operation& op, Frame& frame) {
  Opcode opcode;
  if (!OpcodeOf(op, &opcode)) return false;
  OpReader reader(op, errors_);
  AttrMap attrs;
  bool permute = opcode == Opcode::kCollectivePermute;
  if (!GroupsAttribute(op, permute ? "source_target_pairs" : "replica_groups",
                       permute ? Attr::kSourceTargetPairs : Attr::kReplicaGroups, &attrs) ||
      !ChannelAttributes(op, &attrs)) {
    return false;
  }
  int64_t dimension = 0;
  if (opcode == Opcode::kAllGather || opcode == Opcode::kReduceScatter) {
    bool gather = opcode == Opcode::kAllGather;
    if (!reader.Int(gather ? "all_gather_dim" : "scatter_dimension", &dimension)) return false;
    attrs.Set(Attr::kDimensions, Ints{dimension});
  }
  for (auto [name, attr] : {std::pair("split_dimension", Attr::kSplitDimension),
                            {"concat_dimension", Attr::kConcatDimension},
                            {"split_count", Attr::kSplitCount}}) {
    if (opcode != Opcode::kAllToAll) break;
    if (!reader.Int(name, &dimension)) return false;
    attrs.Set(attr, dimension);
  }
  if (opcode == Opcode::kAllToAll && attrs.Find(Attr::kReplicaGroups) == nullptr) {
    // There are no groups, but their type may say how many members they would have.
    const mlir::Type* type = op.Attr("replica_groups")->type;
    const int64_t members = type == nullptr || type->dims.size() != 2 ? 0 : type->dims[1];
    if (members != 0 && members != dimension) {
      return Fail(op, absl::StrCat("C8: split_count is ", dimension, ", the groups have ", members,
                                   " members"));
    }
  }
  bool global = false;
  if (!reader.Flag("use_global_device_ids", &global)) return false;
  if (global) attrs.Set(Attr::kUseGlobalDeviceIds, true);
  Instructions operands;
  std::vector<hlo::Computation*> called;
  if (!Operands(op, frame, &operands)) return false;
  if (!hlo::RowOf(opcode).called.empty()) {
    if (op.regions.size() != 1) return Fail(op, "must have one region");
    if (!RefuseCaptures(op)) return false;
    if (!ConvertBody(op, {}, {}, &called.emplace_back())) return false;
  }
  return Emit(op, frame, opcode, std::move(operands), std::move(attrs), std::move(called));
}

// Returns data, followed by a token, as the results of the op. The labels are those of the op.
bool Converter::DataShape(const Operation& op, const ResultLabels& labels, Shape* data) {
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.empty()) return Fail(op, absl::StrCat(labels.any, ": must have a result"));
  if (!shapes.back().IsToken()) {
    return Fail(op, absl::StrCat(labels.token, ": the last result must be a token, is ",
                                 shapes.back().ToString()));
  }
  shapes.pop_back();
  for (const Shape& shape : shapes) {
    if (!shape.IsArray()) {
      return Fail(op, absl::StrCat(labels.data, ": the results before the token must be tensors, ",
                                   "one is ", shape.ToString()));
    }
  }
  *data = Shape::Tuple(std::move(shapes));
  return true;
}

// `pair` is (data, token), data a tuple: the op's results.
void Converter::TakeData(const Operation& op, Frame& frame, Instruction* pair) {
  const int64_t count = static_cast<int64_t>(op.results.size()) - 1;
  Instruction* data = Element(frame, pair, 0);
  for (int64_t i = 0; i < count; ++i) {
    frame.values[op.results[i].get()] = Element(frame, data, i);
  }
  frame.values[op.results[count].get()] = Element(frame, pair, 1);
}

// `layout` has a list of integers, or of such lists, for each result but the token.
bool Converter::CheckInfeedLayout(const Operation& op) {
  const Attribute* layout = op.Attr("layout");
  if (layout == nullptr) return true;
  const size_t count = op.results.size() - 1;
  if (!layout->Is(mlir::AttributeKind::kArray) || layout->elements.size() != count) {
    return errors_.Fail(layout->offset,
                        absl::StrCat("'", op.name, "': layout must have ", count, " lists"));
  }
  for (const Attribute* list : layout->elements) {
    bool valid = list->Is(mlir::AttributeKind::kArray);
    for (const Attribute* dimension : list->elements) {
      valid = valid && dimension->Is(mlir::AttributeKind::kInteger);
    }
    if (!valid) {
      return errors_.Fail(list->offset,
                          absl::StrCat("'", op.name, "': no layout: ", ToString(*list)));
    }
  }
  return true;
}

bool Converter::ConvertInfeed(const Operation& op, Frame& frame) {
  Shape data;
  std::string config;
  Instructions operands;
  if (!DataShape(op, {"C1", "C2", "C3"}, &data) || !CheckInfeedLayout(op) ||
      !Operands(op, frame, &operands) ||
      !OpReader(op, errors_).StringOr("infeed_config", "", &config)) {
    return false;
  }
  AttrMap attrs;
  if (!config.empty()) attrs.Set(Attr::kInfeedConfig, config);
  Shape shape = Shape::Tuple({std::move(data), Shape::Token()});
  TakeData(op, frame, frame.computation->Add(Opcode::kInfeed, std::move(shape), operands, attrs));
  return true;
}

bool Converter::ConvertOutfeed(const Operation& op, Frame& frame) {
  std::string config;
  if (!OpReader(op, errors_).StringOr("outfeed_config", "", &config)) return false;
  AttrMap attrs;
  if (!config.empty()) attrs.Set(Attr::kOutfeedConfig, config);
  return Plain(op, frame, Opcode::kOutfeed, std::move(attrs));
}

// Reads what a send or recv and its done have in common. As in XLA, the pairs of processes are a
// frontend attribute of both.
bool Converter::TransferAttributes(const Operation& op, AttrMap* attrs) {
  bool host = false;
  if (!ChannelAttributes(op, attrs) || !OpReader(op, errors_).Flag("is_host_transfer", &host))
    return false;
  if (host) attrs->Set(Attr::kIsHostTransfer, true);
  std::vector<std::string> texts = FrontendAttributes(op);
  const Attribute* given = op.Attr("source_target_pairs");
  // Older programs have none, which newer ones write as an empty tensor of any shape.
  if (given != nullptr && (given->data == nullptr || given->data->count > 0)) {
    AttrMap read;
    if (!GroupsAttribute(op, "source_target_pairs", Attr::kSourceTargetPairs, &read)) return false;
    std::erase_if(texts, [](const std::string& text) {
      return absl::StartsWith(text, absl::StrCat(hlo::kTransferPairs, "="));
    });
    const auto& pairs = std::get<hlo::IntLists>(*read.Find(Attr::kSourceTargetPairs));
    texts.push_back(absl::StrCat(hlo::kTransferPairs, "=", hlo::TransferPairsText(pairs)));
    std::sort(texts.begin(), texts.end());
  }
  if (!texts.empty())
    attrs->Set(Attr::kFrontendAttributes, absl::StrCat("{", absl::StrJoin(texts, ","), "}"));
  return true;
}

bool Converter::ConvertSend(const Operation& op, Frame& frame) {
  Instructions operands;
  AttrMap attrs;
  if (!Operands(op, frame, &operands) || !TransferAttributes(op, &attrs)) return false;
  if (operands.empty() || op.results.size() != 1) {
    return Fail(op, "takes data and a token, and gives a token");
  }
  Instruction* token = operands.back();
  operands.pop_back();
  std::vector<Shape> shapes;
  for (const Instruction* operand : operands) shapes.push_back(operand->shape);
  Shape data = Shape::Tuple(std::move(shapes));
  Instruction* tuple = frame.computation->Add(Opcode::kTuple, data, operands);
  Shape started = Shape::Tuple({data, Shape::Scalar(hlo::ElementType::kU32), Shape::Token()});
  Instruction* send =
      frame.computation->Add(Opcode::kSend, std::move(started), {tuple, token}, attrs);
  attrs.Erase(Attr::kChannelType);
  frame.values[op.results[0].get()] =
      frame.computation->Add(Opcode::kSendDone, Shape::Token(), {send}, std::move(attrs));
  return true;
}

bool Converter::ConvertRecv(const Operation& op, Frame& frame) {
  Shape data;
  Instructions operands;
  AttrMap attrs;
  if (!DataShape(op, {"C2", "C3", "C4"}, &data) || !Operands(op, frame, &operands) ||
      !TransferAttributes(op, &attrs)) {
    return false;
  }
  Shape started = Shape::Tuple({data, Shape::Scalar(hlo::ElementType::kU32), Shape::Token()});
  Instruction* recv = frame.computation->Add(Opcode::kRecv, std::move(started), operands, attrs);
  attrs.Erase(Attr::kChannelType);
  TakeData(
      op, frame,
      frame.computation->Add(Opcode::kRecvDone, Shape::Tuple({std::move(data), Shape::Token()}),
                             {recv}, std::move(attrs)));
  return true;
}

}  // namespace halyard::stablehlo
