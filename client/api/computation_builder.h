// ComputationBuilder is the older edition of XlaBuilder. It is bound to a client and returns
// results behind pointers. Ops, broadcasting and errors are those of XlaBuilder.
#ifndef HALYARD_CLIENT_API_COMPUTATION_BUILDER_H_
#define HALYARD_CLIENT_API_COMPUTATION_BUILDER_H_

#include <memory>
#include <string>

#include "client/api/xla_client.h"

namespace halyard::xla {

using ComputationDataHandle = XlaOp;
using Computation = XlaComputation;

class ComputationBuilder : public XlaBuilder {
 public:
  ComputationBuilder(Client* client, const std::string& computation_name)
      : XlaBuilder(computation_name), client_(client) {}

  Client* client() const { return client_; }
  StatusOr<std::unique_ptr<Shape>> GetShape(XlaOp op) const;
  // Computes the constant on the client's device. See XlaBuilder::ComputeConstant.
  StatusOr<std::unique_ptr<GlobalData>> ComputeConstant(XlaOp op,
                                                        const Layout* output_layout = nullptr);
  std::unique_ptr<ComputationBuilder> CreateSubBuilder(const std::string& computation_name);
  StatusOr<std::unique_ptr<Computation>> Build();
  // Returns an empty computation after an error, and passes the error on to the parent builder.
  std::unique_ptr<Computation> BuildAndNoteError();

  using XlaBuilder::Map;
  XlaOp Map(absl::Span<const XlaOp> operands, const XlaComputation& computation,
            absl::Span<const XlaOp> static_operands) {
    return XlaBuilder::Map(operands, computation, {}, static_operands);
  }

 private:
  ComputationBuilder(Client* client, const std::string& computation_name, XlaBuilder* parent)
      : XlaBuilder(computation_name, parent), client_(client) {}

  Client* client_;
};

}  // namespace halyard::xla

#endif  // HALYARD_CLIENT_API_COMPUTATION_BUILDER_H_
