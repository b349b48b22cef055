# SPDX-License-Identifier: Apache-2.0
"""
What the public headers declare, for ctypes: constants, structs and functions. test_binding.py
compares it with what a C compiler makes of the headers.
"""

import ctypes as c

STATUSES = (
    "OK USAGE MEMORY IO NOT_FOUND EXISTS FORMAT UNSUPPORTED MISMATCH CHANGED CHECK CANCELLED"
).split()
(
    OK,
    USAGE,
    MEMORY,
    IO,
    NOT_FOUND,
    EXISTS,
    FORMAT,
    UNSUPPORTED,
    MISMATCH,
    CHANGED,
    CHECK,
    CANCELLED,
) = STATUSES

#: NumPy's kind and size of each muster_type; the three without NumPy's like are None.
TYPES = [
    None, "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g",
    "c8", "c16", "G", "M8", "m8", None, None, None,
]  # fmt: skip

ORDERS = {"auto": 0, "number": 1, "name": 2, "mtime": 3, "list": 4}
DIRECT = {"auto": 0, "never": 1, "always": 2}
DESTINATIONS = {"memory": 0, "npy": 1, "null": 2}
VERDICTS = ["none", "ready", "light", "significant", "not_recommended"]
LISTS = ["findings", "counting_findings", "gaps", "loops", "files", "assessed_files", "diagnostics"]
LISTS += ["suppressed", "known", "unchanged", "fixed"]
END = 2**63 - 1


class CError(c.Structure):
    _fields_ = [
        ("status", c.c_int),
        ("errnum", c.c_int),
        ("offset", c.c_int64),
        ("path", c.c_char * 4096),
        ("message", c.c_char * 512),
        ("found", c.c_char * 128),
        ("expected", c.c_char * 128),
    ]


class CDtype(c.Structure):
    _fields_ = [("type", c.c_int), ("swapped", c.c_bool), ("unit", c.c_char * 24)]


class CRowRange(c.Structure):
    _fields_ = [("lo", c.c_int64), ("hi", c.c_int64)]


FAULT_FN = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(CError))


class COpenOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("format", c.c_char_p),
        ("sidecar", c.c_char_p),
        ("source_dtype", c.c_char_p),
        ("dtype", c.c_char_p),
        ("row_shape", c.POINTER(c.c_uint64)),
        ("row_rank", c.c_size_t),
        ("row_shape_set", c.c_bool),
        ("header_bytes", c.c_uint64),
        ("header_bytes_set", c.c_bool),
        ("order", c.c_int),
        ("allow_gaps", c.c_bool),
        ("stack", c.c_bool),
        ("rows", CRowRange),
        ("threads", c.c_uint),
        ("on_fault", FAULT_FN),
        ("on_fault_user", c.c_void_p),
        ("direct", c.c_int),
        ("dataset", c.c_char_p),
        ("columns", c.POINTER(c.c_char_p)),
        ("column_count", c.c_size_t),
        ("null_value", c.c_char_p),
        ("strict", c.c_bool),
        ("decode_cf", c.c_bool),
        ("follow_external", c.c_bool),
    ]


SHARD_ROWS_FN = c.CFUNCTYPE(
    c.c_int, c.c_void_p, c.c_uint64, c.POINTER(c.c_uint64), c.POINTER(CError)
)
READ_ROWS_FN = c.CFUNCTYPE(
    c.c_int, c.c_void_p, c.c_uint64, c.c_uint64, c.c_uint64, c.c_void_p, c.POINTER(CError)
)
RELEASE_FN = c.CFUNCTYPE(None, c.c_void_p)


class CReader(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("user", c.c_void_p),
        ("shard_count", c.c_uint64),
        ("trailing_rank", c.c_size_t),
        ("trailing_shape", c.POINTER(c.c_uint64)),
        ("dtype", CDtype),
        ("shard_rows", SHARD_ROWS_FN),
        ("read_rows", READ_ROWS_FN),
        ("release", RELEASE_FN),
    ]


class CShard(c.Structure):
    _fields_ = [
        ("path", c.c_char_p),
        ("member", c.c_char_p),
        ("rows", c.c_uint64),
        ("first_row", c.c_uint64),
        ("bytes", c.c_uint64),
        ("mtime_ns", c.c_int64),
    ]


class CPlanOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("procs", c.c_uint64),
        ("over_decompose", c.c_uint64),
        ("tile_rows", c.c_uint64),
    ]


class CTile(c.Structure):
    _fields_ = [("row_lo", c.c_uint64), ("row_hi", c.c_uint64), ("slice_count", c.c_size_t)]


class CSlice(c.Structure):
    _fields_ = [
        ("shard", c.c_size_t),
        ("file_lo", c.c_uint64),
        ("file_hi", c.c_uint64),
        ("dst_lo", c.c_uint64),
        ("dst_hi", c.c_uint64),
    ]


class CProgress(c.Structure):
    _fields_ = [(n, c.c_uint64) for n in ("rows_done", "rows", "bytes_done", "bytes")]


PROGRESS_FN = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(CProgress))


class CLoadOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("to", c.c_int),
        ("dst", c.c_void_p),
        ("strides", c.POINTER(c.c_int64)),
        ("populate", c.c_bool),
        ("path", c.c_char_p),
        ("threads", c.c_uint),
        ("tile_rows", c.c_uint64),
        ("over_decompose", c.c_uint64),
        ("checksum", c.c_bool),
        ("cancel", c.POINTER(c.c_int)),
        ("progress", PROGRESS_FN),
        ("progress_user", c.c_void_p),
    ]


class CLoadResult(c.Structure):
    _fields_ = [("rows", c.c_uint64), ("bytes", c.c_uint64), ("checksum", c.c_uint64)]


class CWriteOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("format", c.c_char_p),
        ("dtype", c.c_char_p),
        ("row_shape", c.POINTER(c.c_uint64)),
        ("row_rank", c.c_size_t),
        ("shards", c.c_uint64),
        ("rows", c.c_uint64),
        ("shard_rows", c.POINTER(c.c_uint64)),
        ("shard_rows_count", c.c_size_t),
        ("equal", c.c_bool),
        ("seed", c.c_uint64),
        ("threads", c.c_uint),
        ("cancel", c.POINTER(c.c_int)),
    ]


class CVerifyResult(c.Structure):
    _fields_ = [
        ("seed_checked", c.c_bool),
        ("seal_checked", c.c_bool),
        ("cells", c.c_uint64),
        ("wrong_cells", c.c_uint64),
        ("first_wrong", c.c_uint64),
        ("shards", c.c_uint64),
        ("wrong_shards", c.c_uint64),
    ]


class CFormatInfo(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("summary", c.c_char_p),
        ("extensions", c.c_char_p),
        ("can_write", c.c_bool),
        ("unavailable", c.c_char_p),
    ]


class CGpuOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("cuda_library", c.c_char_p),
        ("cufile_library", c.c_char_p),
        ("direct_storage", c.c_bool),
    ]


class CChangedLines(c.Structure):
    _fields_ = [("path", c.c_char_p), ("first", c.c_uint32), ("last", c.c_uint32)]


class CAssessOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("elements", c.c_uint64),
        ("elements_text", c.c_char_p),
        ("pattern", c.c_char_p),
        ("gpus", c.c_uint),
        ("nodes", c.c_uint),
        ("gpu_model", c.c_char_p),
        ("fbmem", c.c_uint64),
        ("sysmem", c.c_uint64),
        ("cpu_only", c.c_bool),
        ("cuda", c.c_uint),
        ("os", c.c_char_p),
        ("manifest", c.c_char_p),
        ("date", c.c_char_p),
        ("manifest_is_optional", c.c_bool),
        ("unlisted", c.c_bool),
        ("no_ignore", c.c_bool),
        ("rules", c.POINTER(c.c_char_p)),
        ("rule_count", c.c_size_t),
        ("ignored_rules", c.POINTER(c.c_char_p)),
        ("ignored_rule_count", c.c_size_t),
        ("doctor", c.c_char_p),
        ("threads", c.c_uint),
        ("keep_originals", c.c_bool),
        ("text", c.c_char_p),
        ("text_length", c.c_size_t),
        ("text_name", c.c_char_p),
        ("explain_path", c.c_char_p),
        ("explain_line", c.c_uint32),
        ("explain_cell", c.c_uint32),
        ("baseline", c.c_char_p),
        ("baseline_text", c.c_char_p),
        ("baseline_length", c.c_size_t),
        ("changed_since", c.c_char_p),
        ("changed", c.POINTER(CChangedLines)),
        ("changed_count", c.c_size_t),
        ("configured", c.POINTER(c.c_char_p)),
        ("configured_count", c.c_size_t),
        ("keep_lines", c.c_bool),
    ]


class CReportOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("colour", c.c_bool),
        ("width", c.c_uint),
        ("unsafe_suggestions", c.c_bool),
        ("notes", c.POINTER(c.c_char_p)),
    ]


#: The header's name of each struct.
STRUCTS = {
    "muster_error": CError,
    "muster_dtype": CDtype,
    "muster_row_range": CRowRange,
    "muster_open_options": COpenOptions,
    "muster_reader": CReader,
    "muster_shard": CShard,
    "muster_plan_options": CPlanOptions,
    "muster_tile": CTile,
    "muster_slice": CSlice,
    "muster_progress": CProgress,
    "muster_load_options": CLoadOptions,
    "muster_load_result": CLoadResult,
    "muster_write_options": CWriteOptions,
    "muster_verify_result": CVerifyResult,
    "muster_format_info": CFormatInfo,
    "muster_gpu_options": CGpuOptions,
    "muster_changed_lines": CChangedLines,
    "muster_assess_options": CAssessOptions,
    "muster_report_options": CReportOptions,
}

_P, _S, _U = c.c_void_p, c.c_char_p, c.c_uint64
_ERR = c.POINTER(CError)
PROTOTYPES = {
    "muster_version": (_S,),
    "muster_abi_version": (c.c_int,),
    "muster_layouts": (_P, c.POINTER(c.c_size_t)),
    "muster_available_memory": (_U,),
    "muster_populate": (None, _P, c.c_size_t),
    "muster_status_name": (_S, c.c_int),
    "muster_type_size": (c.c_size_t, c.c_int),
    "muster_dtype_parse": (c.c_int, _S, c.POINTER(CDtype), _ERR),
    "muster_dtype_name": (_S, c.POINTER(CDtype), c.c_char_p),
    "muster_open_options_init": (None, c.POINTER(COpenOptions)),
    "muster_open": (c.c_int, c.POINTER(_S), c.c_size_t, c.POINTER(COpenOptions), c.POINTER(_P), _ERR),
    "muster_open_reader": (
        c.c_int, c.POINTER(CReader), c.POINTER(COpenOptions), c.POINTER(_P), _ERR,
    ),
    "muster_dataset_free": (None, _P),
    "muster_dataset_rank": (c.c_size_t, _P),
    "muster_dataset_shape": (c.POINTER(_U), _P),
    "muster_dataset_rows": (_U, _P),
    "muster_dataset_row_bytes": (_U, _P),
    "muster_dataset_dtype": (CDtype, _P),
    "muster_dataset_source_dtype": (CDtype, _P),
    "muster_dataset_format": (_S, _P),
    "muster_dataset_shard_count": (c.c_size_t, _P),
    "muster_dataset_shard": (c.c_int, _P, c.c_size_t, c.POINTER(CShard)),
    "muster_dataset_note_count": (c.c_size_t, _P),
    "muster_dataset_note": (_S, _P, c.c_size_t),
    "muster_read_rows": (c.c_int, _P, _U, _U, _P, c.POINTER(c.c_int64), _ERR),
    "muster_plan_options_init": (None, c.POINTER(CPlanOptions)),
    "muster_plan_new": (c.c_int, _P, c.POINTER(CPlanOptions), c.POINTER(_P), _ERR),
    "muster_plan_free": (None, _P),
    "muster_plan_tile_count": (_U, _P),
    "muster_plan_tile": (c.c_int, _P, _U, c.POINTER(CTile)),
    "muster_plan_slice": (c.c_int, _P, _U, c.c_size_t, c.POINTER(CSlice)),
    "muster_load_options_init": (None, c.POINTER(CLoadOptions)),
    "muster_load": (c.c_int, _P, c.POINTER(CLoadOptions), c.POINTER(CLoadResult), _ERR),
    "muster_checksum": (_U, _P, c.c_size_t),
    "muster_checksum_part": (_U, _P, c.c_size_t, _U),
    "muster_write_options_init": (None, c.POINTER(CWriteOptions)),
    "muster_write": (c.c_int, _S, c.POINTER(CWriteOptions), _ERR),
    "muster_seeded": (_U, _U, _U),
    "muster_verify": (c.c_int, _S, c.POINTER(COpenOptions), c.POINTER(CVerifyResult), _ERR),
    "muster_seal": (c.c_int, _S, c.POINTER(COpenOptions), _S, _ERR),
    "muster_check_seal": (c.c_int, _P, _S, c.c_uint, c.POINTER(CVerifyResult), _ERR),
    "muster_clean": (c.c_int, _S, c.POINTER(_U), _ERR),
    "muster_format_count": (c.c_size_t,),
    "muster_format": (c.c_int, c.c_size_t, c.POINTER(CFormatInfo)),
    "muster_gpu_options_init": (None, c.POINTER(CGpuOptions)),
    "muster_gpu_open": (c.c_int, c.POINTER(CGpuOptions), c.POINTER(_P), _ERR),
    "muster_gpu_close": (None, _P),
    "muster_read_rows_gpu": (
        c.c_int, _P, _P, _U, _U, _P, c.POINTER(c.c_int64), _P, _ERR,
    ),
    "muster_assess_options_init": (None, c.POINTER(CAssessOptions)),
    "muster_assess_pattern": (_S, c.c_size_t),
    "muster_assess": (
        c.c_int, c.POINTER(_S), c.c_size_t, c.POINTER(CAssessOptions), c.POINTER(_P), _ERR,
    ),
    "muster_assessment_free": (None, _P),
    "muster_assessment_verdict": (c.c_int, _P),
    "muster_verdict_name": (_S, c.c_int),
    "muster_assessment_sentence": (_S, _P),
    "muster_assessment_runs": (c.c_bool, _P),
    "muster_assessment_count": (c.c_size_t, _P, c.c_int),
    "muster_report_options_init": (None, c.POINTER(CReportOptions)),
    "muster_report_format": (_S, c.c_size_t),
    "muster_assessment_write": (
        c.c_int, _P, _S, c.POINTER(CReportOptions), c.POINTER(_P), _ERR,
    ),
    "muster_assessment_baseline": (c.c_int, _P, c.POINTER(_P), _ERR),
    "muster_assessment_explanation": (_S, _P),
    "muster_explain": (c.c_int, _S, c.POINTER(_P), _ERR),
    "muster_text_free": (None, _P),
}  # fmt: skip
