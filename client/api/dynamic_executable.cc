#include "client/api/dynamic_executable.h"

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard {
namespace {

using hlo::Literal;
using hlo::Shape;

class DynamicProgram;

// An argument of a program: the leaves of its shape, and its value if sizes depend on it.
struct Argument {
  std::vector<Buffer> leaves;
  std::optional<Literal> value;
};

// A part of a program, for given sizes: what is compiled, the step that runs after it, and the rest
// of the program.
struct Stage {
  // One value of the part's root: an argument that is handed on, or the executable's next results.
  struct Element {
    int64_t argument = -1;
    size_t leaves = 0;
  };
  std::vector<Element> elements;
  std::unique_ptr<Executable> executable;  // null if all elements are arguments
  std::optional<hlo::Specialization::Step> step;
  std::vector<std::unique_ptr<DynamicProgram>> step_programs;
  std::vector<int64_t> known;
  std::unique_ptr<DynamicProgram> rest;  // null if the executable's results are the program's
};

// Keeps the stages of one executable; the least recently used stage is last. Thread-safe. Each
// stage is made once.
class StageCache {
 public:
  StageCache(CompileStatic compile, size_t capacity)
      : compile_(std::move(compile)), capacity_(capacity) {}

  absl::StatusOr<std::shared_ptr<Stage>> Get(
      const std::string& key, const std::function<absl::StatusOr<std::shared_ptr<Stage>>()>& make) {
    std::shared_ptr<Entry> entry = Find(key);
    std::lock_guard<std::mutex> lock(entry->mutex);
    if (entry->stage != nullptr) return entry->stage;
    absl::StatusOr<std::shared_ptr<Stage>> stage = make();
    if (stage.ok()) {
      entry->stage = *stage;
    } else {
      Forget(key, entry);
    }
    return stage;
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(const hlo::Module& module) {
    absl::StatusOr<std::unique_ptr<Executable>> executable = compile_(module);
    if (!executable.ok()) return executable;
    const int64_t bytes = (*executable)->arena_bytes();
    int64_t most = arena_bytes_;
    while (bytes > most && !arena_bytes_.compare_exchange_weak(most, bytes)) {
    }
    std::call_once(first_, [&] {
      first_stats_ = (*executable)->stats();
      stats_ready_.store(true, std::memory_order_release);
    });
    return executable;
  }

  int64_t NextId() { return next_id_++; }
  int64_t arena_bytes() const { return arena_bytes_; }
  // These describe the first part that was compiled.
  const CompileStats& stats() const {
    return stats_ready_.load(std::memory_order_acquire) ? first_stats_ : no_stats_;
  }

 private:
  struct Entry {
    std::mutex mutex;  // held while the stage is made
    std::shared_ptr<Stage> stage;
  };
  using Order = std::list<std::pair<std::string, std::shared_ptr<Entry>>>;

  std::shared_ptr<Entry> Find(const std::string& key) {
    std::shared_ptr<Entry> dropped;  // destroyed after the lock is released
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = entries_.find(key);
    if (found != entries_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return found->second->second;
    }
    order_.emplace_front(key, std::make_shared<Entry>());
    entries_[key] = order_.begin();
    if (order_.size() > capacity_) {
      dropped = std::move(order_.back().second);
      entries_.erase(order_.back().first);
      order_.pop_back();
    }
    return order_.front().second;
  }

  void Forget(const std::string& key, const std::shared_ptr<Entry>& entry) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = entries_.find(key);
    if (found == entries_.end() || found->second->second != entry) return;
    order_.erase(found->second);
    entries_.erase(found);
  }

  const CompileStatic compile_;
  const size_t capacity_;
  std::mutex mutex_;
  Order order_;
  std::map<std::string, Order::iterator> entries_;
  std::atomic<int64_t> next_id_ = 0, arena_bytes_ = 0;
  std::once_flag first_;
  std::atomic<bool> stats_ready_ = false;
  CompileStats first_stats_;
  const CompileStats no_stats_;
};

absl::StatusOr<Shape> ShapeOf(const Shape& like, const std::vector<Buffer>& leaves, size_t* next) {
  if (!like.IsTuple()) {
    if (*next >= leaves.size()) return absl::InternalError("an argument has too few arrays");
    return leaves[(*next)++].shape().WithDefaultLayout();
  }
  std::vector<Shape> elements;
  for (const Shape& element : like.elements()) {
    absl::StatusOr<Shape> shape = ShapeOf(element, leaves, next);
    if (!shape.ok()) return shape;
    elements.push_back(*std::move(shape));
  }
  return Shape::Tuple(std::move(elements));
}

// Runs a dynamic module stage by stage.
class DynamicProgram {
 public:
  DynamicProgram(std::unique_ptr<hlo::Module> module, StageCache* cache)
      : module_(std::move(module)), cache_(cache), id_(cache->NextId()) {}

  const hlo::Module& module() const { return *module_; }

  absl::StatusOr<std::vector<Buffer>> Run(std::vector<Argument> arguments,
                                          const RunOptions& options) {
    DynamicProgram* program = this;
    std::shared_ptr<Stage> stage;  // owns `program`, except in the first
    while (true) {
      absl::StatusOr<std::shared_ptr<Stage>> next = program->StageFor(arguments);
      if (!next.ok()) return next.status();
      absl::StatusOr<std::vector<Argument>> values = RunStage(**next, arguments, options);
      if (!values.ok()) return values.status();
      if ((*next)->rest == nullptr) return std::move((*values)[0].leaves);
      arguments = *std::move(values);
      stage = *std::move(next);
      program = stage->rest.get();
    }
  }

 private:
  absl::StatusOr<std::shared_ptr<Stage>> StageFor(const std::vector<Argument>& arguments) {
    std::vector<hlo::KnownArgument> known;
    std::string key = absl::StrCat(id_, ":");
    for (size_t i = 0; i < arguments.size(); ++i) {
      size_t leaf = 0;
      absl::StatusOr<Shape> shape =
          ShapeOf(module_->entry()->parameters()[i]->shape, arguments[i].leaves, &leaf);
      if (!shape.ok()) return shape.status();
      absl::StrAppend(&key, shape->ToString());
      if (arguments[i].value) absl::StrAppend(&key, "=", arguments[i].value->ToString());
      key += ";";
      // Values that the program calls quantized are stored as integers.
      known.push_back({WithQuantizationOf(module_->entry()->parameters()[i]->shape, *shape),
                       arguments[i].value});
    }
    return cache_->Get(key, [&] { return MakeStage(known); });
  }

  static Shape WithQuantizationOf(const Shape& stated, const Shape& shape) {
    if (stated.IsArray()) return shape.WithQuantization(stated.shared_quantization());
    if (!stated.IsTuple()) return shape;
    std::vector<Shape> elements;
    for (size_t i = 0; i < stated.elements().size(); ++i) {
      elements.push_back(WithQuantizationOf(stated.elements()[i], shape.elements()[i]));
    }
    return Shape::Tuple(std::move(elements));
  }

  absl::StatusOr<std::shared_ptr<Stage>> MakeStage(const std::vector<hlo::KnownArgument>& known) {
    absl::StatusOr<hlo::Specialization> made = hlo::Specialize(*module_, known);
    if (!made.ok()) return made.status();
    auto stage = std::make_shared<Stage>();
    const Shape root = made->module->entry()->root()->shape;
    bool computes = true;
    if (made->rest == nullptr) {
      stage->elements.push_back({-1, hlo::FlattenShape(root).size()});
    } else {
      computes = HandOnArguments(made->module.get(), stage.get());
      stage->rest = std::make_unique<DynamicProgram>(std::move(made->rest), cache_);
    }
    if (computes) {
      absl::StatusOr<std::unique_ptr<Executable>> executable = cache_->Compile(*made->module);
      if (!executable.ok()) return executable.status();
      stage->executable = *std::move(executable);
    }
    stage->known = std::move(made->known);
    if (made->step) {
      for (std::unique_ptr<hlo::Module>& program : made->step->programs) {
        stage->step_programs.push_back(
            std::make_unique<DynamicProgram>(std::move(program), cache_));
      }
      stage->step = std::move(made->step);
    }
    return stage;
  }

  // Leaves the computed values in the root, a tuple. Returns false if nothing is computed.
  static bool HandOnArguments(hlo::Module* module, Stage* stage) {
    hlo::Computation* entry = module->entry();
    std::vector<hlo::Instruction*> computed;
    std::vector<Shape> shapes;
    for (hlo::Instruction* element : entry->root()->operands) {
      Stage::Element to{-1, hlo::FlattenShape(element->shape).size()};
      if (element->opcode == hlo::Opcode::kParameter) {
        to.argument = element->parameter_number;
      } else {
        computed.push_back(element);
        shapes.push_back(element->shape);
      }
      stage->elements.push_back(to);
    }
    if (computed.size() < entry->root()->operands.size()) {
      entry->set_root(entry->Add(hlo::Opcode::kTuple, Shape::Tuple(std::move(shapes)), computed));
      entry->RemoveDead();
    }
    bool effects = false;
    for (const auto& inst : entry->instructions()) effects = effects || HasSideEffect(*inst);
    return !computed.empty() || effects;
  }

  // Returns the elements, then the step's result: the arguments of the rest.
  static absl::StatusOr<std::vector<Argument>> RunStage(const Stage& stage,
                                                        const std::vector<Argument>& arguments,
                                                        const RunOptions& options) {
    std::vector<Buffer> results;
    if (stage.executable != nullptr) {
      std::vector<Buffer> leaves;
      for (const Argument& argument : arguments) {
        leaves.insert(leaves.end(), argument.leaves.begin(), argument.leaves.end());
      }
      absl::StatusOr<std::vector<Buffer>> run = stage.executable->Run(leaves, options);
      if (!run.ok()) return run.status();
      results = *std::move(run);
    }
    std::vector<Argument> values;
    size_t next = 0;
    for (const Stage::Element& element : stage.elements) {
      if (element.argument >= 0) {
        values.push_back(arguments[element.argument]);
        values.back().value.reset();
        continue;
      }
      if (next + element.leaves > results.size()) return absl::InternalError("results are missing");
      Argument& value = values.emplace_back();
      value.leaves.assign(results.begin() + next, results.begin() + next + element.leaves);
      next += element.leaves;
    }
    for (int64_t i : stage.known) {
      absl::StatusOr<Literal> value = values[i].leaves[0].ToLiteral();
      if (!value.ok()) return value.status();
      values[i].value = *std::move(value);
    }
    if (stage.step) {
      absl::StatusOr<std::vector<Buffer>> stepped = RunStep(stage, values, options);
      if (!stepped.ok()) return stepped.status();
      values.push_back({*std::move(stepped), std::nullopt});
    }
    return values;
  }

  static absl::StatusOr<std::vector<Buffer>> RunStep(const Stage& stage,
                                                     const std::vector<Argument>& values,
                                                     const RunOptions& options) {
    const hlo::Specialization::Step& step = *stage.step;
    auto operand = [&](size_t i) {
      return Argument{values[step.operands[i]].leaves, std::nullopt};
    };
    if (step.opcode == hlo::Opcode::kConditional) {
      absl::StatusOr<Literal> index = operand(0).leaves[0].ToLiteral();
      if (!index.ok()) return index.status();
      const int64_t branches = static_cast<int64_t>(stage.step_programs.size());
      int64_t taken = index->GetInt(0);
      if (index->shape().element_type() == hlo::ElementType::kPred) {
        taken = taken != 0 ? 0 : 1;
      } else if (taken < 0 || taken >= branches) {
        taken = branches - 1;
      }
      return stage.step_programs[taken]->Run({operand(taken + 1)}, options);
    }
    Argument state = operand(0);
    while (true) {
      absl::StatusOr<std::vector<Buffer>> proceed = stage.step_programs[0]->Run({state}, options);
      if (!proceed.ok()) return proceed.status();
      absl::StatusOr<Literal> flag = (*proceed)[0].ToLiteral();
      if (!flag.ok()) return flag.status();
      if (flag->GetInt(0) == 0) return std::move(state.leaves);
      absl::StatusOr<std::vector<Buffer>> next = stage.step_programs[1]->Run({state}, options);
      if (!next.ok()) return next.status();
      state.leaves = *std::move(next);
    }
  }

  const std::unique_ptr<hlo::Module> module_;
  StageCache* const cache_;
  const int64_t id_;
};

class DynamicExecutable : public Executable {
 public:
  DynamicExecutable(std::unique_ptr<hlo::Module> module, CompileStatic compile, size_t max_programs,
                    int device)
      : cache_(std::move(compile), max_programs),
        program_(std::move(module), &cache_),
        device_(device) {
    const hlo::Computation& entry = *program_.module().entry();
    for (const hlo::Instruction* parameter : entry.parameters()) {
      const std::vector<Shape> leaves = hlo::FlattenShape(parameter->shape.Storage());
      leaves_.push_back(leaves.size());
      parameters_.insert(parameters_.end(), leaves.begin(), leaves.end());
    }
    results_ = hlo::FlattenShape(entry.root()->shape.Storage());
  }

  const std::vector<Shape>& parameter_shapes() const override { return parameters_; }
  const std::vector<Shape>& result_shapes() const override { return results_; }
  std::string name() const override { return program_.module().name(); }
  int64_t arena_bytes() const override { return cache_.arena_bytes(); }
  const CompileStats& stats() const override { return cache_.stats(); }
  std::vector<int> device_assignment() const override { return {device_}; }

  absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                          const RunOptions& options) override {
    if (arguments.size() != parameters_.size()) {
      return absl::InvalidArgumentError(absl::StrCat("the program takes ", parameters_.size(),
                                                     " arrays; ", arguments.size(), " were given"));
    }
    std::vector<Argument> grouped;
    size_t next = 0;
    for (size_t leaves : leaves_) {
      Argument& argument = grouped.emplace_back();
      argument.leaves.assign(arguments.begin() + next, arguments.begin() + next + leaves);
      next += leaves;
    }
    RunOptions run = options;
    run.donate.clear();  // several parts may read an argument
    return program_.Run(std::move(grouped), run);
  }

 private:
  StageCache cache_;
  DynamicProgram program_;
  const int device_;
  std::vector<size_t> leaves_;  // number of leaves of each parameter
  std::vector<Shape> parameters_, results_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> MakeDynamicExecutable(
    std::unique_ptr<hlo::Module> module, CompileStatic compile, size_t max_programs, int device) {
  return std::make_unique<DynamicExecutable>(std::move(module), std::move(compile), max_programs,
                                             device);
}

}  // namespace halyard
