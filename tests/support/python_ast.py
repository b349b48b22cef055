# SPDX-License-Identifier: Apache-2.0
"""The tree that a program must give, made of CPython's own: rows of (depth, kind, op, flags, name,
path, place), where place is (line, byte of the line) or None where CPython's tree does not tell."""

import ast

OPS = "NONE ADD SUB MUL DIV FLOORDIV MOD POW MATMUL LSHIFT RSHIFT BIT_AND BIT_OR BIT_XOR NEGATE PLUS"
OPS += " INVERT AND OR LT LE EQ NE GT GE IN NOT_IN IS IS_NOT"
OPS = {name: number for number, name in enumerate(OPS.split())}
AST_OPS = {
    "Add": "ADD", "Sub": "SUB", "Mult": "MUL", "Div": "DIV", "FloorDiv": "FLOORDIV", "Mod": "MOD",
    "Pow": "POW", "MatMult": "MATMUL", "LShift": "LSHIFT", "RShift": "RSHIFT", "BitAnd": "BIT_AND",
    "BitOr": "BIT_OR", "BitXor": "BIT_XOR", "USub": "NEGATE", "UAdd": "PLUS", "Invert": "INVERT",
    "And": "AND", "Or": "OR", "Lt": "LT", "LtE": "LE", "Eq": "EQ", "NotEq": "NE", "Gt": "GT",
    "GtE": "GE", "In": "IN", "NotIn": "NOT_IN", "Is": "IS", "IsNot": "IS_NOT",
}  # fmt: skip
STORE, DEL, STAR, DOUBLE_STAR, ASYNC, FLOAT, IMAGINARY, BYTES, AS, FROM, TUPLE, KEYWORD_ONLY = (
    1 << bit for bit in range(12)
)
CONTEXT = {"Load": 0, "Store": STORE, "Del": DEL}
EMPTY = object()


def op_of(node):
    return OPS[AST_OPS[type(node).__name__]]


class Rows:
    def __init__(self, text):
        self.lines = text.split(b"\n")
        self.rows = []
        self.depth = 0

    def add(self, kind, *children, op=0, flags=0, name="", path="", at=None):
        place = (at.lineno, at.col_offset) if at is not None else None
        self.rows.append((self.depth, kind, op, flags, name, path, place))
        self.depth += 1
        for child in children:
            child() if callable(child) else self.node(child)
        self.depth -= 1

    def node(self, node):
        if node is None or node is EMPTY:
            self.add("EMPTY")
        else:
            getattr(self, type(node).__name__)(node)

    def block(self, statements, optional=False):
        if optional and not statements:
            return EMPTY
        return lambda: self.add("BLOCK", *statements)

    def byte_at(self, node):
        return self.lines[node.lineno - 1][node.col_offset : node.col_offset + 1]

    # ---- statements

    def Module(self, node):
        self.add("MODULE", *node.body)

    def parameters(self, arguments):
        positional = arguments.posonlyargs + arguments.args
        defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
        rows = [(a, d, 0) for a, d in zip(positional, defaults)]
        if arguments.vararg:
            rows.append((arguments.vararg, None, STAR))
        rows += [(a, d, KEYWORD_ONLY) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
        if arguments.kwarg:
            only = KEYWORD_ONLY if arguments.vararg or arguments.kwonlyargs else 0
            rows.append((arguments.kwarg, None, DOUBLE_STAR | only))

        def one(argument, default, flags):
            return lambda: self.add(
                "PARAMETER", argument.annotation, default, flags=flags, name=argument.arg
            )

        return lambda: self.add("PARAMETERS", *(one(*row) for row in rows))

    def FunctionDef(self, node, flags=0):
        parts = [self.parameters(node.args), node.returns, self.block(node.body)]
        self.add("FUNCTION", *parts, *node.decorator_list, name=node.name, flags=flags, at=node)

    def AsyncFunctionDef(self, node):
        self.FunctionDef(node, ASYNC)

    def ClassDef(self, node):
        bases = sorted(node.bases + node.keywords, key=lambda n: (n.lineno, n.col_offset))
        parts = [lambda: self.add("BASES", *bases), self.block(node.body)]
        self.add("CLASS", *parts, *node.decorator_list, name=node.name, at=node)

    def Return(self, node):
        self.add("RETURN", node.value, at=node)

    def Delete(self, node):
        self.add("DELETE", *node.targets, at=node)

    def Assign(self, node):
        self.add("ASSIGN", *node.targets, node.value, at=node)

    def AugAssign(self, node):
        self.add("AUG_ASSIGN", node.target, node.value, op=op_of(node.op), at=node)

    def AnnAssign(self, node):
        self.add("ANN_ASSIGN", node.target, node.annotation, node.value, at=node)

    def For(self, node, flags=0):
        parts = [node.target, node.iter, self.block(node.body), self.block(node.orelse, True)]
        self.add("FOR", *parts, flags=flags, at=node)

    def AsyncFor(self, node):
        self.For(node, ASYNC)

    def While(self, node):
        self.add("WHILE", node.test, self.block(node.body), self.block(node.orelse, True), at=node)

    def If(self, node):
        self.add("IF", node.test, self.block(node.body), self.block(node.orelse, True), at=node)

    def With(self, node, flags=0):
        self.add("WITH", *node.items, self.block(node.body), flags=flags, at=node)

    def AsyncWith(self, node):
        self.With(node, ASYNC)

    def withitem(self, node):
        self.add("WITH_ITEM", node.context_expr, node.optional_vars)

    def Raise(self, node):
        self.add("RAISE", node.exc, node.cause, at=node)

    def Try(self, node):
        ends = [self.block(node.orelse, True), self.block(node.finalbody, True)]
        self.add("TRY", self.block(node.body), *node.handlers, *ends, at=node)

    TryStar = Try

    def ExceptHandler(self, node):
        self.add("EXCEPT", node.type, self.block(node.body), name=node.name or "", at=node)

    def Assert(self, node):
        self.add("ASSERT", node.test, node.msg, at=node)

    def alias(self, node, is_from):
        bound = node.asname or (node.name if is_from else node.name.split(".")[0])
        self.add("ALIAS", name=bound, path=node.name, flags=AS if node.asname else 0, at=node)

    def Import(self, node):
        self.add("IMPORT", *(lambda a=a: self.alias(a, False) for a in node.names), at=node)

    def ImportFrom(self, node):
        star = node.names[0].name == "*"
        names = () if star else (lambda a=a: self.alias(a, True) for a in node.names)
        flags = STAR if star else 0
        path = node.module or ""
        self.add("IMPORT_FROM", *names, op=node.level, flags=flags, path=path, at=node)

    def names(self, kind, node):
        self.add(kind, *(lambda n=n: self.add("NAME", name=n) for n in node.names), at=node)

    def Global(self, node):
        self.names("GLOBAL", node)

    def Nonlocal(self, node):
        self.names("NONLOCAL", node)

    def Expr(self, node):
        self.add("EXPRESSION", node.value)

    def Pass(self, node):
        self.add("PASS", at=node)

    def Break(self, node):
        self.add("BREAK", at=node)

    def Continue(self, node):
        self.add("CONTINUE", at=node)

    # ---- match

    def Match(self, node):
        self.add("MATCH", node.subject, *node.cases, at=node)

    def match_case(self, node):
        self.add("CASE", node.pattern, node.guard, self.block(node.body))

    def MatchValue(self, node):
        self.node(node.value)

    def MatchSingleton(self, node):
        self.add({True: "TRUE", False: "FALSE", None: "NULL"}[node.value])

    def MatchSequence(self, node):
        self.add("LIST" if self.byte_at(node) == b"[" else "TUPLE", *node.patterns)

    def MatchMapping(self, node):
        def pair(key, value):
            return lambda: self.add("PAIR", key, value)

        rest = [lambda: self.add("DOUBLE_STAR", self.stored(node.rest))] if node.rest else []
        self.add("DICT", *map(pair, node.keys, node.patterns), *rest)

    def MatchClass(self, node):
        def keyword(name, value):
            return lambda: self.add("KEYWORD", value, name=name)

        self.add("CALL", node.cls, *node.patterns, *map(keyword, node.kwd_attrs, node.kwd_patterns))

    def stored(self, name):
        return (lambda: self.add("NAME", name=name, flags=STORE)) if name else EMPTY

    def MatchStar(self, node):
        self.add("STAR", self.stored(node.name))

    def MatchAs(self, node):
        if node.pattern is None:
            self.node(EMPTY) if node.name is None else self.stored(node.name)()
        else:
            self.add("WALRUS", self.stored(node.name), node.pattern)

    def MatchOr(self, node):
        first, *rest = node.patterns
        if rest:
            self.add("BINARY", first, ast.MatchOr(rest), op=OPS["BIT_OR"])
        else:
            self.node(first)

    # ---- expressions

    def Name(self, node):
        self.add("NAME", name=node.id, flags=CONTEXT[type(node.ctx).__name__], at=node)

    def Constant(self, node):
        value = node.value
        if value is None or isinstance(value, bool):
            self.add({True: "TRUE", False: "FALSE", None: "NULL"}[value], at=node)
        elif value is ...:
            self.add("ELLIPSIS", at=node)
        elif isinstance(value, (str, bytes)):
            self.add("STRING", flags=BYTES if isinstance(value, bytes) else 0, at=node)
        else:
            flags = {int: 0, float: FLOAT, complex: IMAGINARY}[type(value)]
            self.add("NUMBER", flags=flags, at=node)

    def interpolated(self, node):
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                yield value.value
                if value.format_spec is not None:
                    yield from self.interpolated(value.format_spec)

    def JoinedStr(self, node):
        self.add("FSTRING", *self.interpolated(node), at=node)

    def Attribute(self, node):
        flags = CONTEXT[type(node.ctx).__name__]
        self.add("ATTRIBUTE", node.value, name=node.attr, flags=flags, at=node)

    def Subscript(self, node):
        flags, index = CONTEXT[type(node.ctx).__name__], node.slice
        indices = [index]
        if isinstance(index, ast.Tuple) and index.elts:
            first = index.elts[0]
            bare = self.byte_at(index) != b"(" or (
                (first.lineno, first.col_offset) == (index.lineno, index.col_offset)
            )
            if bare:
                indices = index.elts
                flags |= TUPLE if len(indices) == 1 else 0
        self.add("SUBSCRIPT", node.value, *indices, flags=flags, at=node)

    def Slice(self, node):
        self.add("SLICE", node.lower, node.upper, node.step)

    def Starred(self, node):
        self.add("STAR", node.value, at=node)

    def keyword(self, node):
        if node.arg is None:
            self.add("DOUBLE_STAR", node.value, at=node)
        else:
            self.add("KEYWORD", node.value, name=node.arg, at=node)

    def Call(self, node):
        rest = sorted(node.args + node.keywords, key=lambda n: (n.lineno, n.col_offset))
        self.add("CALL", node.func, *rest, at=node)

    def BinOp(self, node):
        self.add("BINARY", node.left, node.right, op=op_of(node.op), at=node)

    def UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self.add("NOT", node.operand, at=node)
        else:
            self.add("UNARY", node.operand, op=op_of(node.op), at=node)

    def BoolOp(self, node):
        *rest, last = node.values
        if not rest:
            self.node(last)
            return
        left = (lambda: self.BoolOp(ast.BoolOp(node.op, rest))) if len(rest) > 1 else rest[0]
        self.add("BOOLEAN", left, last, op=op_of(node.op))

    def Compare(self, node):
        self.add("COMPARE", node.left, *node.comparators, op=op_of(node.ops[0]), at=node)

    def IfExp(self, node):
        self.add("CONDITIONAL", node.body, node.test, node.orelse, at=node)

    def Lambda(self, node):
        self.add("LAMBDA", self.parameters(node.args), node.body, at=node)

    def Tuple(self, node):
        self.add("TUPLE", *node.elts)

    def List(self, node):
        self.add("LIST", *node.elts, at=node)

    def Set(self, node):
        self.add("SET", *node.elts, at=node)

    def Dict(self, node):
        def item(key, value):
            kind, parts = ("DOUBLE_STAR", [value]) if key is None else ("PAIR", [key, value])
            return lambda: self.add(kind, *parts)

        self.add("DICT", *map(item, node.keys, node.values), at=node)

    def comprehension(self, node):
        self.add("COMP_FOR", node.target, node.iter, flags=ASYNC if node.is_async else 0)
        for test in node.ifs:
            self.add("COMP_IF", test)

    def comprehended(self, kind, element, node):
        self.add(kind, element, *node.generators, at=node)

    def ListComp(self, node):
        self.comprehended("LIST_COMP", node.elt, node)

    def SetComp(self, node):
        self.comprehended("SET_COMP", node.elt, node)

    def GeneratorExp(self, node):
        self.comprehended("GENERATOR", node.elt, node)

    def DictComp(self, node):
        pair = lambda: self.add("PAIR", node.key, node.value)  # noqa: E731
        self.comprehended("DICT_COMP", pair, node)

    def Await(self, node):
        self.add("AWAIT", node.value, at=node)

    def Yield(self, node):
        self.add("YIELD", node.value, at=node)

    def YieldFrom(self, node):
        self.add("YIELD", node.value, flags=FROM, at=node)

    def NamedExpr(self, node):
        self.add("WALRUS", node.target, node.value, at=node)


def rows_of(text):
    """The rows of a program's bytes; SyntaxError as from CPython."""
    rows = Rows(text)
    rows.node(ast.parse(text))
    return rows.rows
