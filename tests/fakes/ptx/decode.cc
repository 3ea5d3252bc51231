// Names, operands and modifiers (PTX ISA 4.3, 5.2, 6).
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tests/fakes/ptx/parser.h"

namespace halyard::testing::ptx {
namespace {

bool IsNumber(const std::string& text) {
  return !text.empty() &&
         (std::isdigit(static_cast<unsigned char>(text[0])) ||
          (text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1]))));
}

// 4.5.2: 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX give the bits. Anything else with a dot is decimal.
bool ParseFloat(const std::string& text, int bits, uint64_t* value) {
  const bool negative = text[0] == '-';
  const std::string digits = text.substr(negative ? 1 : 0);
  double number = 0;
  if (digits.size() == 10 && digits[0] == '0' && (digits[1] == 'f' || digits[1] == 'F')) {
    const auto word = static_cast<uint32_t>(std::strtoul(digits.c_str() + 2, nullptr, 16));
    float f;
    std::memcpy(&f, &word, 4);
    if (bits == 32) {
      *value = word ^ (negative ? 0x80000000u : 0u);
      return true;
    }
    number = f;
  } else if (digits.size() == 18 && digits[0] == '0' && (digits[1] == 'd' || digits[1] == 'D')) {
    const uint64_t word = std::strtoull(digits.c_str() + 2, nullptr, 16);
    std::memcpy(&number, &word, 8);
  } else if (digits.find('.') != std::string::npos) {
    number = std::strtod(digits.c_str(), nullptr);
  } else {
    return false;
  }
  if (negative) number = -number;
  if (bits == 64) {
    std::memcpy(value, &number, 8);
  } else if (bits == 32) {
    const float f = static_cast<float>(number);
    uint32_t word;
    std::memcpy(&word, &f, 4);
    *value = word;
  } else {
    return false;
  }
  return true;
}

}  // namespace

uint64_t ParseInteger(const std::string& given, int line) {
  std::string text = given;
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.pop_back();
  const bool negative = !text.empty() && text[0] == '-';
  const char* digits = text.c_str() + (negative ? 1 : 0);
  char* end = nullptr;
  errno = 0;
  uint64_t value = 0;
  if (digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) {
    value = std::strtoull(digits + 2, &end, 2);
  } else {
    value = std::strtoull(digits, &end, 0);
  }
  if (!std::isdigit(static_cast<unsigned char>(digits[0])) || *end != 0 || errno != 0) {
    throw ParseError(line, "no integer: " + given);
  }
  return negative ? 0 - value : value;
}

bool Type::Is(const char* name) const {
  const std::optional<Type> other = ParseType(name);
  return other && other->kind == kind && other->bits == bits;
}

std::optional<Type> ParseType(const std::string& name) {
  static const std::map<std::string, Type> kTypes = {
      {"pred", {'p', 1}},   {"b8", {'b', 8}},    {"b16", {'b', 16}},    {"b32", {'b', 32}},
      {"b64", {'b', 64}},   {"u8", {'u', 8}},    {"u16", {'u', 16}},    {"u32", {'u', 32}},
      {"u64", {'u', 64}},   {"s8", {'s', 8}},    {"s16", {'s', 16}},    {"s32", {'s', 32}},
      {"s64", {'s', 64}},   {"f16", {'f', 16}},  {"f32", {'f', 32}},    {"f64", {'f', 64}},
      {"f16x2", {'h', 32}}, {"bf16", {'B', 16}}, {"bf16x2", {'H', 32}}, {"tf32", {'T', 32}},
      {"e4m3", {'4', 8}},   {"e5m2", {'5', 8}},  {"e4m3x2", {'4', 16}}, {"e5m2x2", {'5', 16}},
  };
  const auto it = kTypes.find(name);
  return it == kTypes.end() ? std::nullopt : std::optional<Type>(it->second);
}

void Decoder::Fail(const std::string& why) const {
  throw ParseError(s_.line, why + ": " + s_.text);
}

std::string Decoder::Peek() const { return part_ < s_.opcode.size() ? s_.opcode[part_] : ""; }

bool Decoder::Take(const char* modifier) {
  if (Peek() != modifier) return false;
  ++part_;
  return true;
}

int Decoder::TakeOneOf(std::initializer_list<const char*> modifiers) {
  int index = 0;
  for (const char* modifier : modifiers) {
    if (Take(modifier)) return index;
    ++index;
  }
  return -1;
}

std::optional<Type> Decoder::TryType() {
  const std::optional<Type> type = ParseType(Peek());
  if (type) ++part_;
  return type;
}

Type Decoder::TakeType() {
  const std::optional<Type> type = TryType();
  if (!type) Fail(Peek().empty() ? "no type" : "unknown modifier or type ." + Peek());
  return *type;
}

std::string Decoder::TakeWord() {
  if (part_ >= s_.opcode.size()) Fail("a modifier is missing");
  return s_.opcode[part_++];
}

void Decoder::EndModifiers() const {
  if (part_ < s_.opcode.size()) Fail("unknown modifier ." + s_.opcode[part_]);
}

void Decoder::EndOperands() const {
  if (operand_ != s_.operands.size()) Fail("too many operands");
}

std::string Decoder::TakeText() {
  if (operand_ >= s_.operands.size()) Fail("too few operands");
  return s_.operands[operand_++];
}

uint32_t Decoder::RegisterAt(const std::string& name, int bits) {
  const Scope::Register* found = scope_.FindRegister(name);
  if (found == nullptr) Fail("no register " + name);
  if (found->bits != bits) {
    Fail(name + " has " + std::to_string(found->bits) + " bits, not " + std::to_string(bits));
  }
  return found->offset;
}

uint32_t Decoder::Destination(int bits) { return RegisterAt(TakeText(), bits); }

uint32_t Decoder::SourceAt(const std::string& text, Type type) {
  if (!IsNumber(text) && scope_.FindRegister(text) != nullptr) return RegisterAt(text, type.bits);
  if (IsNumber(text)) {
    uint64_t value = 0;
    if (ParseFloat(text, type.bits, &value)) {
      if (type.kind != 'f' && type.kind != 'b') Fail("a float where an integer belongs");
      return scope_.Constant(value, type.bits);
    }
    if (type.kind == 'f' || type.kind == 'B') Fail("an integer where a float belongs");
    return scope_.Constant(ParseInteger(text, s_.line), type.bits);
  }
  const size_t plus = text.find('+');
  const Scope::Symbol* symbol = scope_.FindSymbol(Strip(text.substr(0, plus)));
  if (symbol == nullptr || symbol->space == Space::kParam) Fail("unknown operand " + text);
  uint64_t address = symbol->address;
  if (plus != std::string::npos) address += ParseInteger(Strip(text.substr(plus + 1)), s_.line);
  if (!type.IsInteger() || type.bits < 32 || (type.bits == 32 && address >> 32 != 0)) {
    Fail("an address does not fit");
  }
  return scope_.Constant(address, type.bits);
}

uint32_t Decoder::Source(Type type) { return SourceAt(TakeText(), type); }

uint32_t Decoder::Predicate(bool* negated) {
  std::string text = TakeText();
  *negated = text[0] == '!';
  if (*negated) text = text.substr(1);
  if (text == "0" || text == "1" || text == "-1") return scope_.Constant(text != "0", 1);
  return RegisterAt(text, 1);
}

uint32_t Decoder::PredicateDestination() { return RegisterAt(TakeText(), 1); }

uint32_t Decoder::Wide(const std::string& name, int bits, int* width) {
  const Scope::Register* found = scope_.FindRegister(name);
  if (found == nullptr) Fail("no register " + name);
  if (found->bits < bits) Fail(name + " is too narrow");
  *width = found->bits;
  return found->offset;
}

std::vector<std::string> Decoder::Vector() {
  const std::string text = TakeText();
  if (text[0] != '{') return {text};
  if (text.back() != '}') Fail("unknown vector " + text);
  std::vector<std::string> elements = SplitList(text.substr(1, text.size() - 2), s_.line);
  if (elements.empty()) Fail("an empty vector");
  return elements;
}

int64_t Decoder::Immediate() { return static_cast<int64_t>(ParseInteger(TakeText(), s_.line)); }

// 6.4.1: [register], [register+offset], [symbol+offset], [number].
void Decoder::Address(Instruction* instruction) {
  std::string text = TakeText();
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') Fail("no address: " + text);
  text = Strip(text.substr(1, text.size() - 2));
  const size_t sign = text.find_first_of("+-", 1);
  std::string base = Strip(text.substr(0, sign));
  if (sign != std::string::npos) {
    std::string offset = Strip(text.substr(sign + 1));
    if (!offset.empty() && offset[0] == '-' && text[sign] == '+') {
      instruction->offset = static_cast<int64_t>(ParseInteger(offset, s_.line));
    } else {
      const auto value = static_cast<int64_t>(ParseInteger(offset, s_.line));
      instruction->offset = text[sign] == '-' ? -value : value;
    }
  }
  if (const Scope::Register* found = scope_.FindRegister(base)) {
    if (found->bits != 32 && found->bits != 64) Fail("no address in " + base);
    instruction->narrow_base = found->bits == 32;
    instruction->a = found->offset;
    return;
  }
  instruction->a = scope_.Constant(0, 64);
  if (IsNumber(base)) {
    instruction->offset += static_cast<int64_t>(ParseInteger(base, s_.line));
    return;
  }
  const Scope::Symbol* symbol = scope_.FindSymbol(base);
  if (symbol == nullptr) Fail("no " + base);
  if (symbol->space != instruction->space) Fail(base + " is in another space");
  instruction->offset += static_cast<int64_t>(symbol->address);
}

Instruction DecodeStatement(Scope* scope, const Statement& statement) {
  Instruction instruction;
  Decoder d(scope, statement);
  if (!statement.guard.empty()) {
    instruction.guard = d.RegisterAt(statement.guard, 1);
    instruction.guard_negated = statement.guard_negated;
  }
  instruction.line = statement.line;
  const bool known = DecodeInteger(d, &instruction) || DecodeBits(d, &instruction) ||
                     DecodeFloat(d, &instruction) || DecodeCompare(d, &instruction) ||
                     DecodeConvert(d, &instruction) || DecodeMemory(d, &instruction) ||
                     DecodeAtomic(d, &instruction) || DecodeAsync(d, &instruction) ||
                     DecodeWarp(d, &instruction) || DecodeMma(d, &instruction) ||
                     DecodeWgmma(d, &instruction) || DecodeControl(d, &instruction);
  if (!known) d.Fail("unknown instruction");
  d.EndModifiers();
  d.EndOperands();
  return instruction;
}

}  // namespace halyard::testing::ptx
