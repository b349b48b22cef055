# verdict: none
"""Tensors, training and .item() in a loop: none of it is NumPy."""
import torch


def train(model, loader, epochs):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    history = []
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        history.append(total)
        if total < 1e-3:
            break
    return history
