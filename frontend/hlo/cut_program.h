// Where a dynamic program is cut: what could be made static is one program, what is left another.
#ifndef HALYARD_FRONTEND_HLO_CUT_PROGRAM_H_
#define HALYARD_FRONTEND_HLO_CUT_PROGRAM_H_

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/hlo/literal.h"
#include "frontend/hlo/module.h"
#include "frontend/hlo/specialize.h"

namespace halyard::hlo {

// The value of an array, or of the elements of a tuple, as far as they are known.
struct KnownValue {
  std::optional<Literal> array;
  std::vector<KnownValue> elements;
};

// What an instruction of the program is in the static one.
struct Specialized {
  Instruction* inst = nullptr;  // null: not yet
  KnownValue value;
  // If not: the operand that must be known, or that the op is to be run from outside. Both unset:
  // an operand is not there either.
  int64_t unknown = -1;
  bool step = false;
};

// Parts what is there from what is not, and makes a program of the latter.
class Cutter {
 public:
  // `from`: the dynamic program's entry. `into`: the static one's, of which `made` tells.
  Cutter(const Computation& from, Computation* into,
         const std::unordered_map<const Instruction*, Specialized>& made)
      : from_(from), into_(into), made_(made) {}

  // What is not there and is needed.
  std::unordered_set<const Instruction*> Left() const;

  // Gives `into` a root, and fills in result's `rest`, `known` and `step`.
  void Cut(const std::unordered_set<const Instruction*>& left, Specialization* result);

 private:
  // A value that is there becomes an element of the root and a parameter of the rest; a known one,
  // a constant of the rest.
  void Take(const Instruction* inst);
  // The element of the root that is this value, and the parameter of the rest that takes it.
  int64_t RootOf(const Instruction* inst);
  void TakeStep(const Instruction& inst, Specialization* result);
  Computation* Callee(Computation* computation, Module* rest);
  Shape RootShape() const;

  const Computation& from_;
  Computation* into_;
  const std::unordered_map<const Instruction*, Specialized>& made_;
  Computation* entry_ = nullptr;
  std::unordered_map<const Instruction*, Instruction*> map_;  // into the rest
  std::vector<Instruction*> roots_;
  std::vector<const Instruction*> taken_;
  std::unordered_map<const Instruction*, int64_t> numbers_;  // of those taken
  std::unordered_set<const Instruction*> known_;
  std::unordered_map<const Computation*, Computation*> callees_;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_CUT_PROGRAM_H_
