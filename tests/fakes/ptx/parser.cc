// Modules, declarations and statements (PTX ISA 4, 5, 11).
#include "tests/fakes/ptx/parser.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "tests/fakes/ptx/matrix/wgmma.h"
#include "tests/fakes/ptx/text.h"

namespace halyard::testing::ptx {
namespace {

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

class Parser {
 public:
  explicit Parser(const std::string& text)
      : text_(WithoutComments(text)), has_wgmma_(text_.find("wgmma.") != std::string::npos) {}

  void Run(Module* module) {
    module_ = module;
    while (SkipSpace()) TopLevel();
    if (module->functions.empty()) throw ParseError(line_, "no entry");
  }

 private:
  bool SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) Advance();
    return at_ < text_.size();
  }
  // Returns whether the text continues with the directive `name`, as a whole word.
  bool At(const char* name) const {
    const size_t length = std::strlen(name);
    return text_.compare(at_, length, name) == 0 &&
           (at_ + length == text_.size() || !IsWord(text_[at_ + length]));
  }
  char Advance() {
    if (at_ >= text_.size()) throw ParseError(line_, "the text ends too early");
    if (text_[at_] == '\n') ++line_;
    return text_[at_++];
  }
  // Takes the text up to and including one of `ends`, which is stored to `end`.
  std::string Until(const char* ends, char* end) {
    SkipSpace();
    statement_line_ = line_;
    std::string out;
    for (;;) {
      const char c = Advance();
      if (std::strchr(ends, c) != nullptr && c != 0) {
        *end = c;
        return Strip(out);
      }
      out += c == '\n' ? ' ' : c;
    }
  }

  void TopLevel() {
    const std::string rest = text_.substr(at_, 32);
    for (const char* simple : {".version", ".target", ".address_size"}) {
      if (rest.compare(0, std::strlen(simple), simple) != 0) continue;
      const size_t begin = at_ + std::strlen(simple);
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      if (std::strcmp(simple, ".target") == 0)
        module_->target = Strip(text_.substr(begin, std::min(at_, text_.find(',', begin)) - begin));
      return;
    }
    char end = 0;
    const std::string head = Until("(;{=", &end);
    std::vector<std::string> words = Words(head);
    const auto linkage = [](const std::string& w) {
      return w == ".visible" || w == ".extern" || w == ".weak" || w == ".common";
    };
    const bool external = !words.empty() && words[0] == ".extern";
    while (!words.empty() && linkage(words[0])) words.erase(words.begin());
    if (words.empty()) throw ParseError(statement_line_, "unknown text at module level");
    if (words[0] == ".entry" && words.size() == 2 && end != ';') {
      Entry(words[1], end);
    } else if (words[0] == ".shared" && end == ';') {
      words.erase(words.begin());
      Shared(ParseDeclaration(words, statement_line_), external);
    } else if ((words[0] == ".global" || words[0] == ".const") && (end == ';' || end == '=')) {
      GlobalVariable(words, end == '=');
    } else {
      throw ParseError(statement_line_, "unknown at module level: " + head);
    }
  }

  void Shared(const Declaration& declaration, bool external) {
    if (!declaration.open || !external) {
      static_shared_ = AlignUp(static_shared_, declaration.align);
      globals_[declaration.name] = {Space::kShared, kSharedBase + static_shared_};
      static_shared_ += declaration.bytes;
      return;
    }
    dynamic_align_ = std::max(dynamic_align_, declaration.align);
    dynamic_names_.insert(declaration.name);
    globals_[declaration.name] = {Space::kShared, 0};  // placed once all static variables are known
  }

  void GlobalVariable(std::vector<std::string> words, bool initialised) {
    const bool constant = words[0] == ".const";
    words.erase(words.begin());
    const Declaration declaration = ParseDeclaration(words, statement_line_);
    auto variable = std::make_unique<Variable>();
    variable->name = declaration.name;
    variable->constant = constant;
    if (declaration.open || declaration.align > 16) {
      throw ParseError(statement_line_, "cannot place " + declaration.name);
    }
    variable->bytes.assign(AlignUp(declaration.bytes, 16), 0);
    if (initialised) {
      char end = 0;
      std::string text = Until(";", &end);
      if (!text.empty() && text.front() == '{' && text.back() == '}') {
        text = text.substr(1, text.size() - 2);
      }
      size_t at = 0;
      for (const std::string& element : SplitList(text, statement_line_)) {
        const uint64_t value = ParseInteger(element, statement_line_);
        const auto bytes = static_cast<size_t>(declaration.element_bytes);
        if (at + bytes > declaration.bytes) throw ParseError(statement_line_, "too many values");
        std::memcpy(variable->bytes.data() + at, &value, std::min<size_t>(bytes, 8));
        at += bytes;
      }
    }
    globals_[declaration.name] = {constant ? Space::kConst : Space::kGlobal,
                                  reinterpret_cast<uint64_t>(variable->bytes.data())};
    module_->variables.push_back(std::move(variable));
  }

  void Entry(const std::string& name, char end) {
    Function function;
    function.name = name;
    if (end == '(') {
      const std::string parameters = Until(")", &end);
      for (const std::string& parameter : SplitList(parameters, statement_line_)) {
        Parameter_(parameter, &function);
      }
      std::string directives = Until("{", &end);
      Directives(directives, &function);
    }
    Body(&function);
    if (!module_->functions.emplace(name, std::move(function)).second) {
      throw ParseError(statement_line_, "a second " + name);
    }
  }

  void Parameter_(const std::string& text, Function* function) {
    std::vector<std::string> words = Words(text);
    if (words.empty() || words[0] != ".param")
      throw ParseError(statement_line_, "no .param: " + text);
    words.erase(words.begin());
    // .ptr .space .align N describes what the pointer points to. It is a promise, not a place, so
    // it is dropped.
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] != ".ptr") continue;
      words.erase(words.begin() + i);
      while (i < words.size() && words[i][0] == '.') {
        const size_t count = words[i] == ".align" ? 2 : 1;
        if (i + count > words.size()) throw ParseError(statement_line_, "unknown .ptr");
        words.erase(words.begin() + i, words.begin() + i + count);
      }
    }
    const Declaration declaration = ParseDeclaration(words, statement_line_);
    Parameter parameter;
    parameter.name = declaration.name;
    parameter.bytes = static_cast<uint32_t>(declaration.bytes);
    parameter.offset = static_cast<uint32_t>(AlignUp(function->parameter_bytes, declaration.align));
    function->parameter_bytes = parameter.offset + parameter.bytes;
    // 4.4 and 5.1.6: the limit is 4096 bytes, or 32764 since PTX 8.1 on sm_70.
    if (function->parameter_bytes > 4096) throw ParseError(statement_line_, "too many parameters");
    function->parameters.push_back(parameter);
  }

  // Parses the performance-tuning directives (11.4).
  void Directives(const std::string& text, Function* function) {
    std::vector<std::string> words = Words(text);
    std::string list;
    for (size_t i = 0; i < words.size();) {
      const std::string directive = words[i++];
      list.clear();
      while (i < words.size() && words[i][0] != '.') list += words[i++];
      const std::vector<std::string> values = SplitList(list, statement_line_);
      uint32_t* to = nullptr;
      if (directive == ".maxntid") to = function->max_threads;
      if (directive == ".reqntid") to = function->required_threads;
      const bool known = to != nullptr || directive == ".minnctapersm" || directive == ".maxnreg" ||
                         directive == ".maxclusterrank";
      if (!known || values.empty() || values.size() > 3) {
        throw ParseError(statement_line_, "unknown directive " + directive);
      }
      for (size_t d = 0; d < 3 && to != nullptr; ++d) {
        to[d] =
            d < values.size() ? static_cast<uint32_t>(ParseInteger(values[d], statement_line_)) : 1;
      }
    }
  }

  void Body(Function* function);
  void BodyDirective(const std::string& text, Scope* scope);
  Statement Split(const std::string& text) const;

  const std::string text_;
  const bool has_wgmma_;
  size_t at_ = 0;
  int line_ = 1;
  int statement_line_ = 1;
  Module* module_ = nullptr;
  std::map<std::string, Scope::Symbol> globals_;
  std::set<std::string> dynamic_names_;
  uint64_t static_shared_ = 0, dynamic_align_ = 16;
};

Statement Parser::Split(const std::string& text) const {
  Statement s;
  s.line = statement_line_;
  s.text = text;
  size_t at = 0;
  if (text[0] == '@') {
    at = 1;
    if (text.size() > 1 && text[1] == '!') {
      s.guard_negated = true;
      at = 2;
    }
    const size_t begin = at;
    while (at < text.size() && IsWord(text[at])) ++at;
    s.guard = text.substr(begin, at - begin);
    while (at < text.size() && text[at] == ' ') ++at;
  }
  const size_t opcode = at;
  while (at < text.size() && (IsWord(text[at]) || text[at] == '.' || text[at] == ':')) ++at;
  std::string part;
  for (char c : text.substr(opcode, at - opcode) + ".") {
    if (c != '.') {
      part += c;
      continue;
    }
    if (part.empty()) throw ParseError(s.line, "no instruction: " + text);
    s.opcode.push_back(std::move(part));
    part.clear();
  }
  s.operands = SplitList(text.substr(at), s.line);
  return s;
}

void Parser::BodyDirective(const std::string& text, Scope* scope) {
  std::vector<std::string> words = Words(text);
  const std::string kind = words[0];
  words.erase(words.begin());
  Function& function = scope->function();
  if (kind == ".reg") {
    if (words.empty() || words[0][0] != '.') throw ParseError(statement_line_, "unknown .reg");
    const std::optional<Type> type = ParseType(words[0].substr(1));
    if (!type) throw ParseError(statement_line_, "unknown register type " + words[0]);
    std::string names;
    for (size_t i = 1; i < words.size(); ++i) names += words[i];
    for (const std::string& name : SplitList(names, statement_line_)) {
      const size_t bracket = name.find('<');
      int count = -1;
      if (bracket != std::string::npos) {
        const uint64_t given =
            ParseInteger(name.substr(bracket + 1, name.size() - bracket - 2), statement_line_);
        if (given > 1000000) throw ParseError(statement_line_, "too many registers");
        count = static_cast<int>(given);
      }
      scope->DeclareRegisters(name.substr(0, bracket), type->bits, count, statement_line_);
    }
  } else if (kind == ".local") {
    const Declaration d = ParseDeclaration(words, statement_line_);
    function.local_bytes = static_cast<uint32_t>(AlignUp(function.local_bytes, d.align));
    scope->DeclareSymbol(d.name, {Space::kLocal, kLocalBase + function.local_bytes});
    function.local_bytes += static_cast<uint32_t>(d.bytes);
  } else if (kind == ".shared") {
    Shared(ParseDeclaration(words, statement_line_), false);
  } else if (kind == ".param") {
    throw ParseError(statement_line_, "calls are not known here: " + text);
  } else if (kind != ".pragma" && kind != ".loc" && kind != ".file") {
    throw ParseError(statement_line_, "unknown directive " + kind);
  }
}

void Parser::Body(Function* function) {
  function->shared_bytes = static_cast<uint32_t>(static_shared_);
  function->dynamic_shared =
      kSharedBase + static_cast<uint32_t>(AlignUp(static_shared_, dynamic_align_));
  for (const std::string& name : dynamic_names_) globals_[name].address = function->dynamic_shared;
  Scope scope(function, &globals_);
  for (const Parameter& p : function->parameters) {
    scope.DeclareSymbol(p.name, {Space::kParam, p.offset});
  }
  std::map<std::string, int> labels;
  std::string last_label;
  std::vector<std::vector<uint32_t>> named;  // the registers of each instruction, for wgmma
  for (int depth = 1;;) {
    SkipSpace();
    if (at_ < text_.size() && (text_[at_] == '{' || text_[at_] == '}')) {
      if (Advance() == '{') {
        if (++depth > 64) throw ParseError(line_, "too many scopes");
        scope.Enter();
      } else {
        if (--depth == 0) break;
        scope.Leave();
      }
      continue;
    }
    char end = 0;
    size_t word = at_;
    while (word < text_.size() && IsWord(text_[word])) ++word;
    if (word > at_ && word < text_.size() && text_[word] == ':' &&
        text_.compare(word, 2, "::") != 0) {
      const std::string label = text_.substr(at_, word - at_);
      if (!labels.emplace(label, static_cast<int>(function->code.size())).second) {
        throw ParseError(line_, "a second label " + label);
      }
      last_label = label;
      at_ = word + 1;
      continue;
    }
    if (word == at_ && (At(".loc") || At(".file"))) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      continue;
    }
    const std::string text = Until(";", &end);
    if (text.empty()) continue;
    if (text.compare(0, 14, ".branchtargets") == 0) {
      labels.erase(last_label);
      scope.tables[last_label] = SplitList(text.substr(14), statement_line_);
    } else if (text[0] == '.') {
      BodyDirective(text, &scope);
    } else {
      if (function->code.size() > 4000000) throw ParseError(line_, "too many instructions");
      const Statement statement = Split(text);
      scope.Note(statement);
      function->code.push_back(DecodeStatement(&scope, statement));
      if (has_wgmma_) named.push_back(scope.RegistersOf(statement));
    }
  }
  if (static_shared_ != function->shared_bytes) {
    if (function->uses_dynamic_shared) {
      throw ParseError(line_,
                       function->name + " declares shared memory beside extern shared memory");
    }
    function->shared_bytes = static_cast<uint32_t>(static_shared_);
    function->dynamic_shared = kSharedBase + function->shared_bytes;
  }
  Instruction end;
  end.flow = Flow::kExit;
  end.line = line_;
  function->code.push_back(end);
  scope.ResolveLabels(labels);
  if (function->wgmma_line != 0) {
    if (module_->target != "sm_90a")
      throw ParseError(function->wgmma_line, "wgmma needs .target sm_90a");
    GuardRegisters(named, function);
  }
  function->unwritten = scope.Unwritten();
}

}  // namespace

std::unique_ptr<Module> ParseModule(const std::string& text, std::string* error) {
  auto module = std::make_unique<Module>();
  try {
    Parser(text).Run(module.get());
    return module;
  } catch (const std::exception& e) {
    *error = e.what();
    return nullptr;
  }
}

}  // namespace halyard::testing::ptx
