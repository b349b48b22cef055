x = f"{a!r:>{b}} {c=}" "d" rb'e'
