// Cuts a dynamic program in two: the part that could be made static, and the rest.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_CUT_PROGRAM_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_CUT_PROGRAM_H_

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::hlo {

// The value of an array, or of the elements of a tuple, as far as they are known.
struct KnownValue {
  std::optional<Literal> array;
  std::vector<KnownValue> elements;
};

// What an instruction of the program is in the static one.
struct Specialized {
  Instruction* inst = nullptr;  // null if it is not there yet
  KnownValue value;
  // If it is not there: the operand that must be known, or that the op must run from outside. If
  // neither is set, an operand is not there, either.
  int64_t unknown = -1;
  bool step = false;
};

// Separates what is there from what is not, and makes a program of the latter.
class Cutter {
 public:
  // `from` is the dynamic program's entry. `into` is that of the static one, which `made`
  // describes.
  Cutter(const Computation& from, Computation* into,
         const std::unordered_map<const Instruction*, Specialized>& made)
      : from_(from), into_(into), made_(made) {}

  // Returns what is needed and is not there.
  std::unordered_set<const Instruction*> Left() const;

  // Gives `into` a root, and sets the result's `rest`, `known` and `step`.
  void Cut(const std::unordered_set<const Instruction*>& left, Specialization* result);

 private:
  // Makes a value that is there an element of the root and a parameter of the rest. A known value
  // becomes a constant of the rest.
  void Take(const Instruction* inst);
  // Returns the number of the root's element for this value, which is also that of the parameter of
  // the rest that takes it.
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
  std::unordered_map<const Instruction*, int64_t> numbers_;  // numbers of the values taken
  std::unordered_set<const Instruction*> known_;
  std::unordered_map<const Computation*, Computation*> callees_;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_CUT_PROGRAM_H_
