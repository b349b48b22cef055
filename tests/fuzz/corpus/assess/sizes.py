#@ small pascal
import argparse, click
import numpy as np
NX, NY = 2 ** 12, 1 << 12
SHAPE = (NX, NY, 3)
parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int, default=4096)
args = parser.parse_args()
@click.option("--m", default=3)
def main(n=args.n, m=NX * NY // 3 - 7 % 2):
    a = np.zeros(SHAPE); b = np.empty((n, m)); c = np.full(a.shape[:2] + (4,), 0.0); d = np.arange(0, 1, 1e-6)
    e = a[0].T.reshape(-1, 3).astype(np.float32)[None, :, 1:]; f = np.linspace(0, 1, NX)[:, np.newaxis]
    g = np.meshgrid(f, f, indexing="ij"); x, y = g; h, w = a.shape[:2]; k = len(a) * a.size * a.ndim
    r = np.concatenate([b, b], axis=1); t = np.broadcast_to(f, (NX, NX)); u = b @ b.T; v = np.stack([b, b]); s = np.pad(b, 1)
    return a.sum(axis=(0, 1), keepdims=True), b.max(0), np.ones_like(b), np.random.randn(n, m), np.zeros(2 ** 63), np.zeros(-1)
if __name__ == "__main__":
    main()
