// Parses text to statements, and decodes statements to instructions.
#ifndef HALYARD_TESTS_FAKES_PTX_PARSER_H_
#define HALYARD_TESTS_FAKES_PTX_PARSER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/ptx/module.h"
#include "tests/fakes/ptx/text.h"

namespace halyard::testing::ptx {

// kind: p predicate, b bits, u unsigned, s signed, f IEEE float, h f16x2, B bf16, H bf16x2, T tf32,
// 4 e4m3 (of 16 bits: two), 5 e5m2.
struct Type {
  char kind = 'b';
  int bits = 32;
  bool Is(const char* name) const;
  bool IsInteger() const { return kind == 'b' || kind == 'u' || kind == 's'; }
};
std::optional<Type> ParseType(const std::string& name);

// One statement: an instruction split into parts.
struct Statement {
  int line = 0;
  std::string guard;  // "%p1", or empty
  bool guard_negated = false;
  std::string text;                   // for messages
  std::vector<std::string> opcode;    // split at dots
  std::vector<std::string> operands;  // split at commas outside brackets
};

uint64_t ParseInteger(const std::string& text, int line);

// The names in a function's body, and the registers and symbols that they stand for.
class Scope {
 public:
  struct Register {
    uint32_t offset = 0;
    int bits = 0;  // 1: a predicate
  };
  struct Symbol {
    Space space = Space::kGeneric;
    uint64_t address = 0;
  };

  Scope(Function* function, const std::map<std::string, Symbol>* globals);

  void Enter() { names_.emplace_back(); }
  void Leave() { names_.pop_back(); }
  void DeclareRegisters(const std::string& name, int bits, int count, int line);
  void DeclareSymbol(const std::string& name, Symbol symbol) { symbols_[name] = symbol; }

  // Notes which registers a statement reads and which it writes.
  void Note(const Statement& statement);
  // Returns the registers that a statement's operands name.
  std::vector<uint32_t> RegistersOf(const Statement& statement);
  // Returns a register that no statement writes although one reads its value and does more than
  // carry bits. Returns an empty text if every such register is written.
  std::string Unwritten();

  const Register* FindRegister(const std::string& name);
  const Symbol* FindSymbol(const std::string& name) const;
  uint32_t Constant(uint64_t value, int bits);

  // Makes the next instruction jump to `label`, or to a label in a .branchtargets list.
  void Branch(const std::string& label) {
    fixups_.push_back({function_->code.size(), label, false});
  }
  void Table(const std::string& label) { fixups_.push_back({function_->code.size(), label, true}); }
  void ResolveLabels(const std::map<std::string, int>& labels);

  Function& function() { return *function_; }
  std::map<std::string, std::vector<std::string>> tables;  // .branchtargets, by label

 private:
  void NoteNames(const std::string& text, std::set<std::string>* names) const;
  uint32_t Allocate(int bits);
  const Register* Special(const std::string& name);

  Function* function_;
  const std::map<std::string, Symbol>* globals_;
  std::vector<std::map<std::string, Register>> names_;
  struct Fixup {
    size_t instruction;
    std::string label;
    bool table;
  };
  std::vector<Fixup> fixups_;
  std::map<std::string, Register> specials_;
  std::map<std::pair<uint64_t, int>, uint32_t> constants_;
  std::map<std::string, Symbol> symbols_;
  std::set<std::string> read_, written_;
  std::vector<std::pair<std::set<std::string>, std::set<std::string>>> carried_;  // to, from
};

// Reads an instruction's modifiers and operands one after the other. It is an error if anything is
// left over or does not fit.
class Decoder {
 public:
  Decoder(Scope* scope, const Statement& statement) : scope_(*scope), s_(statement) {}

  const std::string& name() const { return s_.opcode[0]; }
  const Statement& statement() const { return s_; }
  Scope& scope() { return scope_; }
  [[noreturn]] void Fail(const std::string& why) const;

  // Takes the next modifier if it is `modifier`. Returns whether it did.
  bool Take(const char* modifier);
  // Takes the next modifier if it is in the list. Returns its index in the list, or -1 if it is not
  // there.
  int TakeOneOf(std::initializer_list<const char*> modifiers);
  Type TakeType();
  std::optional<Type> TryType();
  std::string Peek() const;
  void SkipModifier() { ++part_; }
  // Takes a shape of mma ("m16n8k16").
  std::string TakeWord();
  void EndModifiers() const;

  size_t operands() const { return s_.operands.size(); }
  bool HasOperand() const { return operand_ < s_.operands.size(); }
  const std::string& PeekOperand() const { return s_.operands[operand_]; }
  std::string TakeText();
  // Takes a register of exactly this many bits.
  uint32_t Destination(int bits);
  // Takes a register, immediate or address of a symbol, of exactly the bits of the type.
  uint32_t Source(Type type);
  uint32_t Predicate(bool* negated);
  uint32_t PredicateDestination();
  uint32_t RegisterAt(const std::string& name, int bits);
  uint32_t SourceAt(const std::string& text, Type type);
  // Takes any register that is at least as wide, and sets its width.
  uint32_t Wide(const std::string& name, int bits, int* width);
  const Scope::Register* FindRegister(const std::string& name) { return scope_.FindRegister(name); }
  // Takes "{a, b}" or "a".
  std::vector<std::string> Vector();
  void Address(Instruction* instruction);
  int64_t Immediate();
  void EndOperands() const;

 private:
  Scope& scope_;
  const Statement& s_;
  size_t part_ = 1;
  size_t operand_ = 0;
};

// Each function knows some opcodes and returns false for any other. Throws ParseError.
bool DecodeInteger(Decoder& d, Instruction* out);
bool DecodeBits(Decoder& d, Instruction* out);
bool DecodeFloat(Decoder& d, Instruction* out);
bool DecodeCompare(Decoder& d, Instruction* out);
bool DecodeConvert(Decoder& d, Instruction* out);
bool DecodeMemory(Decoder& d, Instruction* out);
bool DecodeAtomic(Decoder& d, Instruction* out);
bool DecodeAsync(Decoder& d, Instruction* out);
bool DecodeWarp(Decoder& d, Instruction* out);
bool DecodeMma(Decoder& d, Instruction* out);
bool DecodeWgmma(Decoder& d, Instruction* out);
bool DecodeControl(Decoder& d, Instruction* out);

Instruction DecodeStatement(Scope* scope, const Statement& statement);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_PARSER_H_
