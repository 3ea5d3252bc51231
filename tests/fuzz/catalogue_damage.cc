// DamageCatalogue: damage to the catalogue of a bundle.
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>

#include "runtime/byte_reader.h"
#include "runtime/program/bundle/catalogue_format.h"
#include "tests/fuzz/bundle_mutator.h"

namespace halyard {
namespace {

using namespace runtime::catalogue_format;  // NOLINT: this file damages that format

// Where the header describes a table, and the size of the table's records.
struct Place {
  size_t at, record;
};
constexpr Place kPlaces[] = {{offsetof(Header, entries), sizeof(EntryRecord)},
                             {offsetof(Header, variables), sizeof(VariableRecord)},
                             {offsetof(Header, arrays), sizeof(ArrayRecord)},
                             {offsetof(Header, sizes), sizeof(SizeRecord)},
                             {offsetof(Header, numbers), sizeof(int64_t)}};

class Damage {
 public:
  Damage(std::string* catalogue, std::mt19937_64& random) : bytes_(*catalogue), random_(random) {}

  void Do() {
    if (bytes_.size() < sizeof(Header)) return;
    switch (Below(12)) {
      case 0:
        return SetWord(Below(sizeof(Header) / 8) * 8);
      case 1:
        return CopyRecord();
      case 2:
        return SwapRecords();
      case 3: {
        const uint64_t size = Below(bytes_.size()) / 8 * 8;
        bytes_.resize(Below(4) == 0 ? size : bytes_.size() + 8 * Below(8));
        return Store(0, uint64_t{bytes_.size()});
      }
      case 4:
        bytes_[Below(bytes_.size())] ^= static_cast<char>(1 << Below(8));
        return;
      default: {
        // A field of a record.
        const Place& place = kPlaces[Below(std::size(kPlaces))];
        size_t at;
        if (AnyRecord(place, &at)) SetWord(at + Below(place.record / 8) * 8);
      }
    }
  }

 private:
  uint64_t Below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <typename T>
  T Load(size_t at) const {
    T value;
    memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  template <typename T>
  void Store(size_t at, const T& value) {
    memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  // Finds a random record of the table. Returns false if the catalogue has none.
  bool AnyRecord(const Place& place, size_t* at) {
    const auto table = Load<Table>(place.at);
    if (table.count == 0 || table.count > bytes_.size() ||
        !runtime::InRange(table.offset, table.count * place.record, bytes_.size()))
      return false;
    *at = table.offset + Below(table.count) * place.record;
    return true;
  }
  void SetWord(size_t at) {
    const auto old = Load<uint64_t>(at);
    const uint64_t values[] = {0,       1,        2,       3,         4,         5,
                               old + 1, old - 1,  old * 2, old / 2,   ~old + 1,  old + 8,
                               old - 8, Below(8), 31,      INT64_MAX, INT32_MAX, random_()};
    Store(at, values[Below(std::size(values))]);
  }
  void CopyRecord() {
    const Place& place = kPlaces[Below(std::size(kPlaces))];
    size_t from, to;
    if (AnyRecord(place, &from) && AnyRecord(place, &to))
      memmove(bytes_.data() + to, bytes_.data() + from, place.record);
  }
  void SwapRecords() {
    const Place& place = kPlaces[Below(std::size(kPlaces))];
    size_t a, b;
    if (!AnyRecord(place, &a) || !AnyRecord(place, &b)) return;
    const std::string first = bytes_.substr(a, place.record);
    memmove(bytes_.data() + a, bytes_.data() + b, place.record);
    memcpy(bytes_.data() + b, first.data(), place.record);
  }

  std::string& bytes_;
  std::mt19937_64& random_;
};

}  // namespace

void DamageCatalogue(std::string* catalogue, std::mt19937_64& random) {
  Damage(catalogue, random).Do();
}

}  // namespace halyard
