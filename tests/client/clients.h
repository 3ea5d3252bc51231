// Clients that the tests of one process share.
#ifndef HALYARD_TESTS_CLIENT_CLIENTS_H_
#define HALYARD_TESTS_CLIENT_CLIENTS_H_

#include <string>
#include <vector>

#include "client/api/client.h"

namespace halyard::testing {

// Returns the client of "reference" or of a target, or null if this machine lacks the target.
Client* ClientFor(const std::string& target);

// Compiles and runs the program. Returns its results as text, separated by spaces, or the error
// message, in which the program is called "p".
std::string RunOn(const std::string& target, const std::string& text,
                  const std::vector<hlo::Literal>& arguments, const CompileOptions& options = {});

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CLIENT_CLIENTS_H_
