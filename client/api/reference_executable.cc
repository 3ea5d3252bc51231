#include "client/api/reference_executable.h"

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/api/custom_call.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/processes/process_grid.h"

namespace halyard {

using hlo::Literal;
using hlo::Shape;

namespace {

// Takes the leaves of `shape` from `leaves` in order.
Literal Nest(const Shape& shape, absl::Span<const Literal> leaves, size_t* next) {
  if (shape.IsToken()) {
    ++*next;
    return Literal::Token();
  }
  if (shape.IsArray()) return leaves[(*next)++];
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Nest(element, leaves, next));
  return Literal::Tuple(std::move(elements));
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) {
    leaves->push_back(literal);
    return;
  }
  for (const Literal& element : literal.elements()) Flatten(element, leaves);
}

class ReferenceExecutable : public Executable {
 public:
  ReferenceExecutable(const hlo::Module& module, std::vector<int> devices, int num_devices)
      : module_(module.Clone()), devices_(std::move(devices)), num_devices_(num_devices) {
    for (const hlo::Instruction* parameter : module_->entry()->parameters()) {
      for (const Shape& leaf : hlo::FlattenShape(parameter->shape.Storage())) {
        parameters_.push_back(leaf);
      }
    }
    results_ = hlo::FlattenShape(module_->entry()->root()->shape.Storage());
  }
  const std::vector<Shape>& parameter_shapes() const override { return parameters_; }
  const std::vector<Shape>& result_shapes() const override { return results_; }
  std::string name() const override { return module_->name(); }
  int64_t arena_bytes() const override { return 0; }
  const CompileStats& stats() const override { return stats_; }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    if (absl::Status s = CheckArguments(parameters_, arguments); !s.ok()) return s;
    if (absl::Status s = CheckProcess(grid(), options); !s.ok()) return s;
    if (options.device >= num_devices_) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no device ", options.device, "; the client has ", num_devices_));
    }
    absl::StatusOr<Literal> result = RunProcess(Nested(arguments), options);
    if (!result.ok()) return result.status();
    const int64_t process = options.replica * grid().partitions + options.partition;
    return BuffersOf(*result,
                     options.device >= 0 ? options.device : devices_[static_cast<size_t>(process)]);
  }
  std::vector<int> device_assignment() const override { return devices_; }

  Grid grid() const override { return {module_->num_replicas, module_->num_partitions}; }
  bool communicates() const override { return hlo::NeedsGrid(*module_); }

  // The evaluator takes all that the hosts give before it starts, so their queues must be closed.
  absl::StatusOr<std::vector<std::vector<Buffer>>> RunGrid(
      absl::Span<const std::vector<Buffer>> arguments, const GridRunOptions& options) override {
    if (options.ranks != nullptr) {
      return absl::UnimplementedError(
          "the reference evaluates all processes in one; run it without mpirun");
    }
    std::vector<std::vector<Literal>> nested;
    for (const std::vector<Buffer>& own : arguments) {
      if (absl::Status status = CheckArguments(parameters_, own); !status.ok()) return status;
      nested.push_back(Nested(own));
    }
    std::vector<hlo::ProcessHost> hosts;
    for (ProcessHost* host : options.hosts) hosts.push_back(TakeAll(host));
    absl::StatusOr<std::vector<Literal>> results = hlo::RunGrid(
        *module_, nested,
        {.hosts = hosts.empty() ? nullptr : &hosts, .custom_call = EvaluateCustomCall});
    for (size_t i = 0; i < hosts.size(); ++i) GiveAll(hosts[i], options.hosts[i]);
    if (!results.ok()) return results.status();
    std::vector<std::vector<Buffer>> buffers;
    for (size_t i = 0; i < results->size(); ++i)
      buffers.push_back(BuffersOf((*results)[i], devices_[i]));
    return buffers;
  }

 private:
  std::vector<Literal> Nested(absl::Span<const Buffer> arguments) const {
    std::vector<Literal> leaves, nested;
    for (const Buffer& argument : arguments) leaves.push_back(argument.rep()->literal);
    size_t next = 0;
    for (const hlo::Instruction* parameter : module_->entry()->parameters())
      nested.push_back(Nest(parameter->shape, leaves, &next));
    return nested;
  }

  static std::vector<Buffer> BuffersOf(const Literal& result, int device) {
    std::vector<Literal> flat;
    Flatten(result, &flat);
    std::vector<Buffer> buffers;
    for (const Literal& leaf : flat) {
      auto rep = std::make_shared<Buffer::Rep>();
      rep->shape = leaf.shape();
      rep->literal = leaf;
      rep->device = device;
      buffers.emplace_back(std::move(rep));
    }
    return buffers;
  }

  // Returns an item of one leaf as an array. The evaluator takes such an item for a tuple as well.
  static Literal ItemOf(std::vector<Literal> leaves) {
    return leaves.size() == 1 ? std::move(leaves[0]) : Literal::Tuple(std::move(leaves));
  }

  hlo::ProcessHost TakeAll(ProcessHost* host) const {
    hlo::ProcessHost taken;
    for (std::vector<Literal>& item : host->infeed.TakeAll())
      taken.infeed.push_back(ItemOf(std::move(item)));
    for (const auto& computation : module_->computations()) {
      for (const auto& inst : computation->instructions()) {
        if (inst->opcode != hlo::Opcode::kRecv) continue;
        const int64_t channel = inst->GetInt(hlo::Attr::kChannelId);
        for (std::vector<Literal>& item : host->to_device(channel).TakeAll())
          taken.to_device[channel].push_back(ItemOf(std::move(item)));
      }
    }
    return taken;
  }

  static void GiveAll(const hlo::ProcessHost& from, ProcessHost* host) {
    const auto give = [](const std::vector<Literal>& items, HostQueue& queue) {
      for (const Literal& item : items) {
        std::vector<Literal> leaves;
        Flatten(item, &leaves);
        if (!queue.Push(std::move(leaves)).ok()) return;  // the host has closed it
      }
    };
    give(from.outfeed, host->outfeed);
    for (const auto& [channel, items] : from.to_host) give(items, host->to_host(channel));
    host->CloseAll();
  }

  // All processes get the same arguments. Returns the result of the process that `options` names.
  absl::StatusOr<Literal> RunProcess(const std::vector<Literal>& arguments,
                                     const RunOptions& options) {
    const hlo::GridShape grid{module_->num_replicas, module_->num_partitions};
    if (!hlo::NeedsGrid(*module_)) {
      hlo::Evaluator evaluator;
      evaluator.custom_call = EvaluateCustomCall;
      return evaluator.Run(*module_, arguments);
    }
    absl::StatusOr<std::vector<Literal>> results =
        hlo::RunGrid(*module_, {arguments}, {.custom_call = EvaluateCustomCall});
    if (!results.ok()) return results.status();
    return (*results)[grid.IndexOf({options.replica, options.partition})];
  }

  std::unique_ptr<hlo::Module> module_;
  const std::vector<int> devices_;  // of each process
  const int num_devices_;
  CompileStats stats_;
  std::vector<Shape> parameters_, results_;
};

}  // namespace

std::unique_ptr<Executable> MakeReferenceExecutable(const hlo::Module& module,
                                                    std::vector<int> devices, int num_devices) {
  return std::make_unique<ReferenceExecutable>(module, std::move(devices), num_devices);
}

}  // namespace halyard
