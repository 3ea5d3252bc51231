"""Functions that users register by jax.ffi.register_ffi_target(…, platform="halyard"), and LAPACK's.

They go to the library through the C API's extension for the foreign function interface
(client/pjrt/ffi.cc). jaxlib keeps what is registered before the platform is there.
"""

import ctypes
import warnings

PLATFORM = "halyard"

# Primitives whose rules for CPUs call them.
_RULES = ("eig", "schur", "hessenberg", "tridiagonal", "geqp3")

_EXTENSION_TYPE = 5  # PJRT_Extension_Type_FFI


class _Base(ctypes.Structure):
    pass


_Base._fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int),
                  ("next", ctypes.POINTER(_Base))]


class _Api(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.POINTER(_Base)),
                ("version_struct_size", ctypes.c_size_t), ("version_extension", ctypes.c_void_p),
                ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("error_destroy", ctypes.c_void_p), ("error_message", ctypes.c_void_p)]


class _Extension(ctypes.Structure):
    _fields_ = [("base", _Base), ("type_register", ctypes.c_void_p),
                ("user_data_add", ctypes.c_void_p), ("register_handler", ctypes.c_void_p)]


class _RegisterArgs(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("target_name", ctypes.c_char_p),
                ("target_name_size", ctypes.c_size_t), ("handler", ctypes.c_void_p),
                ("platform_name", ctypes.c_char_p), ("platform_name_size", ctypes.c_size_t),
                ("traits", ctypes.c_int)]


class _TypeArgs(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p),
                ("type_name", ctypes.c_char_p), ("type_name_size", ctypes.c_size_t),
                ("type_id", ctypes.c_int64), ("type_info", ctypes.c_void_p)]


class _MessageArgs(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p),
                ("error", ctypes.c_void_p), ("message", ctypes.c_void_p),
                ("message_size", ctypes.c_size_t)]


class _DestroyArgs(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p),
                ("error", ctypes.c_void_p)]


def _pointer(capsule):
    """What a capsule of any name points to."""
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name(capsule))


class Registry:
    """The library's side. `path`: of libhalyard.so, which JAX has loaded."""

    def __init__(self, path):
        get_api = ctypes.CDLL(path).GetPjrtApi
        get_api.restype = ctypes.POINTER(_Api)
        self._api = get_api().contents
        base = self._api.extension_start
        while base and base.contents.type != _EXTENSION_TYPE:
            base = base.contents.next
        if not base:
            raise LookupError(f"{path} has no extension for the foreign function interface")
        self._extension = ctypes.cast(base, ctypes.POINTER(_Extension)).contents

    def _call(self, function, args):
        call = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(type(args)))(function)
        error = call(ctypes.byref(args))
        if not error:
            return
        said = _MessageArgs(ctypes.sizeof(_MessageArgs), None, error, None, 0)
        ctypes.CFUNCTYPE(None, ctypes.POINTER(_MessageArgs))(self._api.error_message)(
            ctypes.byref(said))
        message = ctypes.string_at(said.message, said.message_size).decode(errors="replace")
        gone = _DestroyArgs(ctypes.sizeof(_DestroyArgs), None, error)
        ctypes.CFUNCTYPE(None, ctypes.POINTER(_DestroyArgs))(self._api.error_destroy)(
            ctypes.byref(gone))
        raise RuntimeError(message)

    def target(self, name, function, platform, api_version, traits):
        """jaxlib's handler of registrations."""
        if api_version != 1:
            raise NotImplementedError(
                f"the function {name!r} has api_version {api_version}; halyard calls those of 1")
        if isinstance(function, dict):
            stages = [stage for stage in function if stage != "execute"]
            if stages:
                raise NotImplementedError(
                    f"the function {name!r} has the stages {', '.join(stages)}; halyard calls "
                    "functions of the stage execute alone")
            function = function["execute"]
        encoded, platform = name.encode(), platform.encode()
        self._call(self._extension.register_handler, _RegisterArgs(
            ctypes.sizeof(_RegisterArgs), encoded, len(encoded), _pointer(function), platform,
            len(platform), 0))

    def type(self, name, registration):
        """jaxlib's handler of types."""
        if isinstance(registration, dict):
            registration = registration["type_id"]
        number = ctypes.c_int64.from_address(_pointer(registration))
        encoded = name.encode()
        args = _TypeArgs(ctypes.sizeof(_TypeArgs), None, encoded, len(encoded), number.value, None)
        self._call(self._extension.type_register, args)
        number.value = args.type_id


def connect(path):
    """From now on, and for what has been registered so far, functions go to the library."""
    from jax._src.lib import xla_client
    registry = Registry(path)
    started = False

    def target(name, function, platform, api_version, traits):
        try:
            registry.target(name, function, platform, api_version, traits)
        except Exception as error:
            if started:
                raise
            # One function must not cost those that were registered after it.
            warnings.warn(f"halyard: a function cannot be called: {error}")

    xla_client.register_custom_call_handler(PLATFORM, target)
    xla_client.register_custom_type_handler(PLATFORM, registry.type)
    started = True


def add_lapack():
    from jax._src.lib import lapack, xla_client
    import jax._src.lax.linalg  # its rules are there then
    from jax_plugins.halyard import lowering

    for name, function, api_version in lapack.registrations()["cpu"]:
        if api_version == 1:  # most of them become loops; what does not calls these
            xla_client.register_custom_call_target(name, function, PLATFORM, api_version)
    lowering.copy_cpu_rules(_RULES)
