// The precompiled Halide.h belongs to a target, and a target needs a source.
