#include "tools/halyard/run_grid.h"

#include <cstdio>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/custom_call.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/process_grid.h"

namespace halyard::tools {
namespace {

using hlo::Literal;
using hlo::Shape;

Literal Nested(const Shape& shape, const std::vector<Literal>& leaves, size_t* next) {
  if (shape.IsToken()) {
    ++*next;
    return Literal::Token();
  }
  if (shape.IsArray()) return leaves[(*next)++];
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Nested(element, leaves, next));
  return Literal::Tuple(std::move(elements));
}

void AppendLeaves(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) leaves->push_back(literal);
  for (const Literal& element : literal.elements()) AppendLeaves(element, leaves);
}

absl::StatusOr<std::vector<Literal>> Arguments(const GridRunOptions& options,
                                               const hlo::Module& module) {
  std::vector<Shape> shapes;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    for (const Shape& leaf : hlo::FlattenShape(parameter->shape)) shapes.push_back(leaf);
  }
  absl::StatusOr<std::vector<Literal>> leaves = ReadArguments(options.inputs, options.file, shapes);
  if (!leaves.ok()) return leaves.status();
  std::vector<Literal> arguments;
  size_t next = 0;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(Nested(parameter->shape, *leaves, &next));
  }
  return arguments;
}

void Print(const std::string& name, const Literal& literal) {
  std::vector<Literal> leaves;
  AppendLeaves(literal, &leaves);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].shape().IsArray()) puts(Summary(absl::StrCat(name, i), leaves[i]).c_str());
  }
}

}  // namespace

absl::Status RunGridProgram(const GridRunOptions& options) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return module.status();
  if (options.replicas > 0) (*module)->num_replicas = options.replicas;
  if (options.partitions > 0) (*module)->num_partitions = options.partitions;
  if (absl::Status s = hlo::VerifyModule(**module); !s.ok()) return s;
  if (absl::Status s = CheckCustomCalls(**module, nullptr); !s.ok()) return s;
  absl::StatusOr<std::vector<Literal>> arguments = Arguments(options, **module);
  if (!arguments.ok()) return arguments.status();
  const hlo::GridShape grid{(*module)->num_replicas, (*module)->num_partitions};
  std::vector<hlo::ProcessHost> hosts(static_cast<size_t>(grid.size()));
  absl::StatusOr<std::vector<Literal>> results =
      hlo::RunGrid(**module, {*arguments}, {.hosts = &hosts, .custom_call = EvaluateCustomCall});
  if (!results.ok()) return results.status();
  std::vector<Literal> all;
  for (int64_t i = 0; i < grid.size(); ++i) {
    printf("process %s\n", grid.At(i).ToString().c_str());
    Print("out", (*results)[i]);
    for (const Literal& data : hosts[i].outfeed) Print("outfeed", data);
    AppendLeaves((*results)[i], &all);
  }
  return options.outputs.empty() ? absl::OkStatus() : WriteResults(options.outputs, all);
}

}  // namespace halyard::tools
