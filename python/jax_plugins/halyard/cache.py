"""JAX's persistent cache of executables, which admits only platforms that it knows by name."""

PLATFORM = "halyard"


class _Admitted:
    """A client, but for the name of its platform."""

    def __init__(self, client):
        self._client = client
        self.platform = "cpu"

    def __getattr__(self, name):
        return getattr(self._client, name)


def allow():
    from jax._src import compilation_cache
    is_cache_used = compilation_cache.is_cache_used

    def is_used(backend):
        ours = backend.platform == PLATFORM
        return is_cache_used(_Admitted(backend) if ours else backend)

    compilation_cache.is_cache_used = is_used
