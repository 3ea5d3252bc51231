// run_programs [--cache]: runs programs that tests/beside_xla/beside_xla.py hands it, in one
// process, which spares each of them the start of a compiler. A line of its input is a request,
// words divided by tabs; the answers to it are lines, the last of which is "done".
//
//   compare STEM TARGET ...     for each target "start TARGET", then "same", "differs WHAT" or
//                               "error MESSAGE"
//   evaluate STEM TARGET FILE   the target's results, written to FILE: "same" or "error MESSAGE"
//
// Files: tests/beside_xla/stored_program.h. Without --cache every kernel is compiled.
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/api/client.h"
#include "client/arrays/npz.h"
#include "tests/beside_xla/stored_program.h"

namespace halyard::testing {
namespace {

class Server {
 public:
  explicit Server(bool cache) : cache_(cache) {}

  void Answer(const std::vector<std::string>& words) {
    if (words.size() >= 3 && words[0] == "compare") {
      Compare(words);
    } else if (words.size() == 4 && words[0] == "evaluate") {
      Evaluate(words[1], words[2], words[3]);
    } else {
      Say("error", "not a request");
    }
    Say("done", "");
  }

 private:
  // Prints one line, whatever a message contains.
  static void Say(const char* word, std::string text) {
    for (char& c : text) {
      if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
    }
    printf("%s%s%s\n", word, text.empty() ? "" : "\t", text.c_str());
    fflush(stdout);
  }

  absl::StatusOr<Client*> ClientFor(const std::string& target) {
    std::unique_ptr<Client>& client = clients_[target];
    if (client == nullptr) {
      absl::StatusOr<std::unique_ptr<Client>> made =
          Client::Create({.target = target, .use_cache = cache_, .use_tuning = false});
      if (!made.ok()) return made.status();
      client = *std::move(made);
    }
    return client.get();
  }

  void Compare(const std::vector<std::string>& words) {
    absl::StatusOr<StoredProgram> program = StoredProgram::Read(words[1], /*with_results=*/true);
    for (size_t i = 2; i < words.size(); ++i) {
      Say("start", words[i]);
      absl::StatusOr<Client*> client = ClientFor(words[i]);
      absl::StatusOr<std::string> wrong = !program.ok()  ? program.status()
                                          : !client.ok() ? client.status()
                                                         : program->Compare(**client);
      // A kernel that failed on the device has broken it for this client.
      if (absl::IsAborted(wrong.status())) clients_.erase(words[i]);
      if (!wrong.ok()) {
        Say("error", std::string(wrong.status().message()));
      } else {
        Say(wrong->empty() ? "same" : "differs", *wrong);
      }
    }
  }

  void Evaluate(const std::string& stem, const std::string& target, const std::string& file) {
    const absl::Status status = [&]() -> absl::Status {
      absl::StatusOr<StoredProgram> program = StoredProgram::Read(stem, /*with_results=*/false);
      if (!program.ok()) return program.status();
      absl::StatusOr<Client*> client = ClientFor(target);
      if (!client.ok()) return client.status();
      absl::StatusOr<std::vector<hlo::Literal>> results = program->Run(**client);
      if (!results.ok()) return results.status();
      std::vector<std::pair<std::string, hlo::Literal>> arrays;
      for (size_t i = 0; i < results->size(); ++i)
        arrays.emplace_back(absl::StrCat("out", i), (*results)[i]);
      return WriteNpz(file, arrays);
    }();
    Say(status.ok() ? "same" : "error", std::string(status.message()));
  }

  const bool cache_;
  std::map<std::string, std::unique_ptr<Client>> clients_;
};

}  // namespace
}  // namespace halyard::testing

int main(int argc, char** argv) {
  halyard::testing::Server server(argc > 1 && argv[1] == std::string("--cache"));
  for (std::string line; std::getline(std::cin, line);) server.Answer(absl::StrSplit(line, '\t'));
  return 0;
}
