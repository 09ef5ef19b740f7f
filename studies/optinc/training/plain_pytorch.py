#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The `exact` baseline in plain PyTorch: the same recipe, model, data and number of servers as helio train, none of its code.

usage: plain_pytorch.py TRAIN.bin TEST.bin [--epochs 30] [--seed 1] [--servers 4] [--batch 128] [--rate 0.4] [--out FILE]

Files are CIFAR-100 binary (coarse, fine, 3072 planar pixels). Gradients of the servers' micro-batches are averaged by accumulation, and
every micro-batch has batch statistics of its own. Start values and order of examples are PyTorch's, so runs agree in distribution only.
"""
import argparse
import json
import math
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Bottleneck(nn.Module):
    """1x1, 3x3 (with the stride), 1x1 to four times the channels, and the way around; the last norm starts at 0."""

    def __init__(self, entering, channels, stride):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(entering, channels, 1, bias=False), nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.conv3, self.norm3 = nn.Conv2d(channels, 4 * channels, 1, bias=False), nn.BatchNorm2d(4 * channels)
        nn.init.zeros_(self.norm3.weight)
        self.around = nn.Identity()
        if stride != 1 or entering != 4 * channels:
            self.around = nn.Sequential(nn.Conv2d(entering, 4 * channels, 1, stride, bias=False),
                                        nn.BatchNorm2d(4 * channels))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = F.relu(self.norm2(self.conv2(y)))
        return F.relu(self.norm3(self.conv3(y)) + self.around(x))


def resnet50(classes):
    """He et al. 2016, with a 3x3 stem for 32x32 images and no pooling after it."""
    blocks, entering = [], 64
    for stage, (channels, count) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
        for block in range(count):
            blocks.append(Bottleneck(entering, channels, 2 if stage > 0 and block == 0 else 1))
            entering = 4 * channels
    model = nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), *blocks,
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(entering, classes))
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    return model


def load(path, device):
    records = np.fromfile(path, dtype=np.uint8).reshape(-1, 3074)
    return (torch.from_numpy(records[:, 2:].reshape(-1, 3, 32, 32).copy()).to(device),
            torch.from_numpy(records[:, 1].astype(np.int64)).to(device))


def augmented(images):
    """Random 32x32 crops of images padded by 4 zeros, half of them flipped."""
    n = len(images)
    padded = F.pad(images, (4, 4, 4, 4))
    rows = torch.randint(0, 9, (n, 1), device=images.device) + torch.arange(32, device=images.device)
    columns = torch.randint(0, 9, (n, 1), device=images.device) + torch.arange(32, device=images.device)
    flip = torch.rand(n, 1, device=images.device) < 0.5
    columns = torch.where(flip, columns.flip(1), columns)
    index = torch.arange(n, device=images.device)
    return padded[index[:, None, None, None], torch.arange(3, device=images.device)[None, :, None, None],
                  rows[:, None, :, None], columns[:, None, None, :]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.4)
    parser.add_argument("--decay", type=float, default=5e-4)
    parser.add_argument("--warmup", type=float, default=1)
    parser.add_argument("--out", default="")
    o = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(o.seed)
    images, labels = load(o.train, device)
    test_images, test_labels = load(o.test, device)
    scaled = images.float() / 255
    mean, spread = scaled.mean((0, 2, 3)).view(1, 3, 1, 1), scaled.std((0, 2, 3)).view(1, 3, 1, 1)
    del scaled

    model = resnet50(int(labels.max()) + 1)
    model = model.to(device, memory_format=torch.channels_last)
    plain = [p for p in model.parameters() if p.ndim == 1]
    decayed = [p for p in model.parameters() if p.ndim > 1]
    optimiser = torch.optim.SGD([{"params": decayed, "weight_decay": o.decay}, {"params": plain, "weight_decay": 0}],
                                lr=o.rate, momentum=0.9, nesterov=True)
    everyone = o.servers * o.batch
    per_epoch = len(images) // everyone
    steps, warm = o.epochs * per_epoch, round(o.warmup * per_epoch)

    def prepared(batch):
        return ((batch.float() / 255 - mean) / spread).to(memory_format=torch.channels_last)

    def held_out():
        """Loss and accuracy."""
        model.eval()
        right, loss = 0, 0.0
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16):
            for first in range(0, len(test_images), 1000):
                scores = model(prepared(test_images[first:first + 1000]))
                loss += F.cross_entropy(scores.float(), test_labels[first:first + 1000], reduction="sum").item()
                right += (scores.argmax(1) == test_labels[first:first + 1000]).sum().item()
        model.train()
        return loss / len(test_images), right / len(test_images)

    started, lines = time.time(), []
    for step in range(steps):
        if step % per_epoch == 0:
            order = torch.randperm(len(images), device=device)
            total = torch.zeros((), device=device)
        rate = o.rate * (step + 1) / warm if step < warm else o.rate * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.zero_grad()
        for server in range(o.servers):
            first = (step % per_epoch) * everyone + server * o.batch
            chosen = order[first:first + o.batch]
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = F.cross_entropy(model(prepared(augmented(images[chosen]))), labels[chosen])
            (loss / o.servers).backward()
            total += loss.detach() / o.servers
        optimiser.step()
        if (step + 1) % per_epoch == 0:
            epoch = (step + 1) // per_epoch
            if epoch % 5 == 0 or epoch == o.epochs:
                lost, right = held_out()
                lines.append({"epoch": epoch, "loss": total.item() / per_epoch, "held_out_loss": lost, "accuracy": right,
                              "seconds": time.time() - started})
                print(json.dumps(lines[-1]), flush=True)
    if o.out:
        with open(o.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)


main()
