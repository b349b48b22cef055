def f(x:
    y = 3
    return y

class A
    def g(self):
        x = (1 +
        return x

for i in range(3)
    print(i)
a = = 3
x = np.zeros(3
z = 4
foo bar baz
