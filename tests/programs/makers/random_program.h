// Random programs over every kind of op. Shapes, types, layouts and attributes are drawn at random.
#ifndef HALYARD_TESTS_PROGRAMS_MAKERS_RANDOM_PROGRAM_H_
#define HALYARD_TESTS_PROGRAMS_MAKERS_RANDOM_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::testing {

// Returns a verified module of 1 to 20 ops (not counting what an op needs beside it: constants,
// indices, called computations) with some results. The same seed gives the same program.
std::unique_ptr<hlo::Module> RandomProgram(uint32_t seed);

// Returns a program that moves elements, chooses among them, and makes numbers of integers: every
// bit of a result is defined, whatever the bits of the arguments stand for.
std::unique_ptr<hlo::Module> RandomMovesProgram(uint32_t seed);

// Returns values made of indices (iota), some of them many, beside the ends of their type.
std::unique_ptr<hlo::Module> RandomIndicesProgram(uint32_t seed);

// Returns a product, convolution, window, sum or gather of sizes that fill vectors, in odd
// dimension orders, and up to three ops that read it.
std::unique_ptr<hlo::Module> RandomProductProgram(uint32_t seed);

// Returns a product or convolution with constant weights, as networks have them, and what reads it.
std::unique_ptr<hlo::Module> RandomLayersProgram(uint32_t seed);

// Returns folds of rows of several dimensions, which are spread over the rows again, and what reads
// them.
std::unique_ptr<hlo::Module> RandomRowsProgram(uint32_t seed);

// Returns loops of few iterations, most of them over arrays that are large enough for the compiler
// to unroll them, and what reads their results.
std::unique_ptr<hlo::Module> RandomLoopsProgram(uint32_t seed);

// Returns small values for the entry's parameters. Floats have few significant bits; integers are
// arbitrary.
std::vector<hlo::Literal> RandomArguments(const hlo::Module& module, uint32_t seed);

// The same, but floats have any bits: many are NaNs with and without the quiet bit, or denormals.
std::vector<hlo::Literal> RandomBits(const hlo::Module& module, uint32_t seed);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_MAKERS_RANDOM_PROGRAM_H_
