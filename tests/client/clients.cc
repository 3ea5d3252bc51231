#include "tests/client/clients.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard::testing {

Client* ClientFor(const std::string& target) {
  // Never destroyed, because drivers may be unloaded before static objects are destroyed.
  static auto* clients = new std::map<std::string, std::unique_ptr<Client>>;
  auto [place, fresh] = clients->emplace(target, nullptr);
  if (!fresh) return place->second.get();
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = target});
  if (client.ok()) {
    place->second = *std::move(client);
  } else {
    // Any other error is a bug. Targets that every machine has must give no error.
    EXPECT_TRUE(absl::IsUnavailable(client.status()) || absl::IsNotFound(client.status()))
        << target << ": " << client.status();
    EXPECT_TRUE(target != "reference" && target != "x86") << client.status();
  }
  return place->second.get();
}

std::string RunOn(const std::string& target, const std::string& text,
                  const std::vector<hlo::Literal>& arguments, const CompileOptions& options) {
  auto module = ParseProgram(text, "p");
  if (!module.ok()) return std::string(module.status().message());
  Client* client = ClientFor(target);
  if (client == nullptr) return absl::StrCat("this machine has no ", target);
  auto executable = client->Compile(**module, options);
  if (!executable.ok()) return std::string(executable.status().message());
  auto results = (*executable)->RunLiterals(arguments);
  if (!results.ok()) return std::string(results.status().message());
  std::string texts;
  for (const hlo::Literal& result : *results)
    absl::StrAppend(&texts, texts.empty() ? "" : " ", result.ToString());
  return texts;
}

}  // namespace halyard::testing
