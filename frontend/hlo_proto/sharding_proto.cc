#include "frontend/hlo_proto/sharding_proto.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo_proto/attribute_words.h"
#include "frontend/hlo_proto/xla_data.pb.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_proto {
namespace {

using hlo_text::Cursor;
using wire::OpSharding;

// `2,2` up to `close`, which is read too.
template <typename Field>
bool ReadIntsUpTo(Cursor& cursor, char close, Field* ints) {
  if (cursor.TryChar(close)) return true;
  do {
    int64_t value;
    if (!cursor.Int(&value)) return false;
    ints->Add(static_cast<typename Field::value_type>(value));
  } while (cursor.TryChar(','));
  return cursor.Expect(close);
}

// `[2,2]<=[4]`, `[2,2]<=[2,2]T(1,0)`, `[2,2]0,1,2,3`
bool ReadDevices(Cursor& cursor, OpSharding* proto) {
  proto->set_type(OpSharding::OTHER);
  if (!cursor.Expect('[') ||
      !ReadIntsUpTo(cursor, ']', proto->mutable_tile_assignment_dimensions())) {
    return false;
  }
  if (cursor.TryText("<=")) {
    if (!cursor.Expect('[') || !ReadIntsUpTo(cursor, ']', proto->mutable_iota_reshape_dims())) {
      return false;
    }
    if (cursor.TryText("T(")) {
      return ReadIntsUpTo(cursor, ')', proto->mutable_iota_transpose_perm());
    }
    for (int d = 0; d < proto->iota_reshape_dims_size(); ++d) proto->add_iota_transpose_perm(d);
    return true;
  }
  do {
    int64_t device;
    if (!cursor.Int(&device)) return false;
    proto->add_tile_assignment_devices(device);
  } while (cursor.TryChar(','));
  return true;
}

bool ReadLastTileDims(Cursor& cursor, OpSharding* proto) {
  if (!cursor.Expect('{')) return false;
  do {
    std::string word;
    if (!cursor.Name(&word, "a kind of sharding")) return false;
    std::optional<int> type = NumberOf(kShardingTypes, word);
    if (!type) return false;
    proto->add_last_tile_dims(static_cast<OpSharding::Type>(*type));
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

bool ReadItem(Cursor& cursor, OpSharding* proto) {
  std::string word;
  if (!cursor.Name(&word, "a word")) return false;
  int64_t number = 0;
  if (word == "devices") return cursor.Expect('=') && ReadDevices(cursor, proto);
  if (word == "last_tile_dims") return cursor.Expect('=') && ReadLastTileDims(cursor, proto);
  if (word == "device") {
    if (!cursor.Expect('=') || !cursor.Int(&number)) return false;
    proto->add_tile_assignment_dimensions(1);
    proto->add_tile_assignment_devices(number);
    return true;
  }
  if (word == "last_tile_dim_replicate") {
    proto->set_replicate_on_last_tile_dim(true);
    return true;
  }
  if (word == "shard_as" || word == "shard_like") {
    if (!cursor.Int(&number)) return false;
    proto->set_is_shard_group(true);
    proto->set_shard_group_id(number);
    proto->set_shard_group_type(word == "shard_as" ? OpSharding::AS : OpSharding::LIKE);
    return true;
  }
  std::optional<int> type = NumberOf(kShardingTypes, word);
  if (type) proto->set_type(static_cast<OpSharding::Type>(*type));
  return type.has_value();
}

bool ReadSharding(Cursor& cursor, bool nested, OpSharding* proto) {
  if (!cursor.Expect('{')) return false;
  if (!nested && (cursor.Peek() == '{' || cursor.Peek() == '}')) {
    proto->set_type(OpSharding::TUPLE);
    if (cursor.TryChar('}')) return true;
    do {
      if (!ReadSharding(cursor, true, proto->add_tuple_shardings())) return false;
    } while (cursor.TryChar(','));
    return cursor.Expect('}');
  }
  while (!cursor.TryChar('}')) {
    if (!ReadItem(cursor, proto)) return false;
  }
  return true;
}

bool IsIdentity(const OpSharding& proto) {
  for (int d = 0; d < proto.iota_transpose_perm_size(); ++d) {
    if (proto.iota_transpose_perm(d) != d) return false;
  }
  return true;
}

std::string DevicesText(const OpSharding& proto) {
  std::string text =
      absl::StrCat("devices=[", absl::StrJoin(proto.tile_assignment_dimensions(), ","), "]");
  if (proto.iota_reshape_dims().empty()) {
    absl::StrAppend(&text, absl::StrJoin(proto.tile_assignment_devices(), ","));
  } else {
    absl::StrAppend(&text, "<=[", absl::StrJoin(proto.iota_reshape_dims(), ","), "]");
    if (!IsIdentity(proto)) {
      absl::StrAppend(&text, "T(", absl::StrJoin(proto.iota_transpose_perm(), ","), ")");
    }
  }
  if (proto.replicate_on_last_tile_dim()) absl::StrAppend(&text, " last_tile_dim_replicate");
  if (!proto.last_tile_dims().empty()) {
    auto word = [](std::string* out, int type) {
      absl::StrAppend(out, WordOf(kShardingTypes, type).value_or("unknown"));
    };
    absl::StrAppend(&text, " last_tile_dims={", absl::StrJoin(proto.last_tile_dims(), ", ", word),
                    "}");
  }
  return text;
}

}  // namespace

bool ShardingFromText(absl::string_view text, OpSharding* proto) {
  Cursor cursor(text, "");
  return ReadSharding(cursor, false, proto) && cursor.AtEnd();
}

std::string ShardingText(const OpSharding& proto) {
  if (proto.type() == OpSharding::TUPLE) {
    // Tuples do not nest: the message lists the leaves.
    auto element = [](std::string* out, const OpSharding& sharding) {
      absl::StrAppend(out, sharding.type() == OpSharding::TUPLE ? "{}" : ShardingText(sharding));
    };
    return absl::StrCat("{", absl::StrJoin(proto.tuple_shardings(), ", ", element), "}");
  }
  std::string text = "{";
  if (proto.type() == OpSharding::OTHER) {
    absl::StrAppend(&text, DevicesText(proto));
  } else {
    absl::StrAppend(&text, WordOf(kShardingTypes, proto.type()).value_or("unknown"));
    if (proto.type() == OpSharding::MAXIMAL && proto.tile_assignment_devices_size() == 1) {
      absl::StrAppend(&text, " device=", proto.tile_assignment_devices(0));
    }
  }
  if (proto.is_shard_group()) {
    absl::StrAppend(&text,
                    proto.shard_group_type() == OpSharding::LIKE ? " shard_like " : " shard_as ",
                    proto.shard_group_id());
  }
  return text + "}";
}

}  // namespace halyard::hlo_proto
