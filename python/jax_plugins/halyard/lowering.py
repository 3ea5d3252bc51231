"""How primitives are written for this platform, where that is not how they are for any."""

PLATFORM = "halyard"

# Primitives whose rule for CPUs emits calls of LAPACK, most of which the compiler turns into loops,
# or ops that are better than those of the rule for any platform.
_CPU_RULES = (
    "eigh", "geqrf", "householder_product", "lu", "ormqr", "svd", "triangular_solve",
    "tridiagonal_solve",
)


def allow_donation():
    from jax._src.interpreters import mlir
    if PLATFORM not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(PLATFORM)


def copy_cpu_rules(names):
    """Registers JAX's rules for CPUs of the primitives of these names; fails if one is missing."""
    from jax._src.interpreters import mlir
    rules = {p.name: (p, entry) for p, entry in mlir._platform_specific_lowerings["cpu"].items()}
    missing = [name for name in names if name not in rules]
    for name in names:
        if name in rules:
            primitive, entry = rules[name]
            mlir.register_lowering(primitive, entry.rule, platform=PLATFORM, inline=entry.inline)
    if missing:
        raise LookupError("no CPU rule for " + ", ".join(missing))


def add_linalg():
    import jax._src.lax.linalg  # its rules are there then
    copy_cpu_rules(_CPU_RULES)
