#include "schedules/pieces.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "schedules/loops.h"

namespace halyard::schedules {

namespace {

// The most terms of a piece.
constexpr int64_t kPieceTerms = 4096;

// Returns how many of `extent` terms, which are more than `most`, a piece takes: such that pieces
// are equal, if that does not make many more of them.
int64_t PieceLength(int64_t extent, int64_t most) {
  for (int64_t length = most; length >= 1 && length * 8 >= most; --length) {
    if (extent % length == 0) return length;
  }
  return most;
}

bool PaysInPieces(const Hero& hero) {
  if (hero.types.size() != 1 || hero.identity.empty()) return false;
  const hlo::ElementType type = hero.types[0];
  for (int64_t extent : hero.reduce_extents) {
    if (extent > lowering::kMaxExtent) return false;  // LoweredKernel::domain_of reports that
  }
  return (hlo::IsFloat(type) || hlo::IsComplex(type)) &&
         Product(hero.reduce_extents) > 2 * kPieceTerms;
}

FoldDomain WholeDomain(const LoweredKernel& kernel, const Hero& hero) {
  FoldDomain domain;
  const RDom terms = kernel.domain_of(hero);
  for (size_t d = 0; d < hero.reduce_extents.size(); ++d) {
    domain.terms.push_back(terms[static_cast<int>(d)]);
    domain.at.push_back(terms[static_cast<int>(d)]);
  }
  return domain;
}

FoldDomain DomainInPieces(const Hero& hero) {
  const std::vector<int64_t>& extents = hero.reduce_extents;
  FoldDomain domain;
  std::vector<Halide::Range> terms, pieces;
  auto add = [](std::vector<Halide::Range>& ranges, int64_t extent) {
    ranges.emplace_back(0, static_cast<int32_t>(extent));
  };
  // The first dimensions are within a piece, one may be cut, and the others count pieces.
  const size_t rank = extents.size();
  size_t within = 0;
  int64_t room = kPieceTerms;
  for (; within < rank && extents[within] <= room; ++within) {
    add(terms, extents[within]);
    room /= std::max<int64_t>(1, extents[within]);
  }
  int64_t length = 1;  // of a piece, in the dimension that is cut
  for (size_t d = within; d < rank; ++d) {
    if (d == within) length = PieceLength(extents[d], room);
    const int64_t of_piece = d == within ? length : 1;
    add(pieces, (extents[d] + of_piece - 1) / of_piece);
  }
  if (length > 1) add(terms, length);
  if (terms.empty()) add(terms, 1);
  RDom in_piece(terms, "r"), of_pieces(pieces, "pieces");
  for (size_t d = 0; d < rank; ++d) {
    if (d < within) {
      domain.at.push_back(in_piece[static_cast<int>(d)]);
      continue;
    }
    const Var piece(UniqueName("piece"));
    domain.piece.push_back(piece);
    domain.pieces.push_back(of_pieces[static_cast<int>(d - within)]);
    if (d > within || length == 1) {
      domain.at.push_back(piece);
      continue;
    }
    Expr place = piece * static_cast<int32_t>(length) + in_piece[static_cast<int>(d)];
    if (extents[d] % length != 0) {
      const int32_t extent = static_cast<int32_t>(extents[d]);
      in_piece.where(place < extent);
      // Bounds inference does not look at the condition.
      place = Halide::min(place, extent - 1);
    }
    domain.at.push_back(place);
  }
  for (size_t d = 0; d < terms.size(); ++d) domain.terms.push_back(in_piece[static_cast<int>(d)]);
  return domain;
}

}  // namespace

FoldDomain DomainOf(const LoweredKernel& kernel, const Hero& hero, bool may_cut) {
  return may_cut && PaysInPieces(hero) ? DomainInPieces(hero) : WholeDomain(kernel, hero);
}

PiecedFold DefineOverDomain(const LoweredKernel& kernel, const Hero& hero, const FoldDomain& domain,
                            const char* name, const FoldStep& step) {
  PiecedFold fold;
  fold.total = Func(name);
  const Indices axes = lowering::VarsOf(hero.axes);
  const Indices terms(domain.terms.begin(), domain.terms.end());
  auto read = [&](const Func& func, const Indices& at) {
    return kernel.FromStorageExprs(hero.types, lowering::CallElements(func, at));
  };
  auto store = [&](const std::vector<Value>& values) {
    return Tuple(kernel.ToStorageExprs(values));
  };
  auto fold_terms = [&](Func& func, const Indices& vars, const std::vector<Value>& start) {
    func(vars) = store(start);
    const std::vector<Value> before = read(func, vars);
    func(vars) = store(LoweredKernel::OverDomain(terms, before, step(before)));
  };
  if (domain.pieces.empty()) {
    fold_terms(fold.total, axes, hero.init());
    return fold;
  }
  fold.piece = Func(std::string(name) + "_piece");
  Indices vars = axes, args = axes;
  vars.insert(vars.end(), domain.piece.begin(), domain.piece.end());
  args.insert(args.end(), domain.pieces.begin(), domain.pieces.end());
  fold_terms(fold.piece, vars, hero.identity);
  fold.total(axes) = store(hero.init());
  fold.total(axes) = store(hero.merge(read(fold.total, axes), read(fold.piece, args)));
  return fold;
}

}  // namespace halyard::schedules
