"""Wrote those profiles of this folder that are of whole models and of their parts, with ProfilerStep#N and shapes, on a machine with a GPU: make_models.py FOLDER."""
import sys

import torch
import torchvision
from torch import nn
from torch.nn import functional
from torch.profiler import profile, schedule

OUT, DEVICE, HALF = sys.argv[1], "cuda", torch.bfloat16
wait, random = torch.cuda.synchronize, torch.randn


def write(name, step, steps=4):
    for _ in range(3):
        step()
    wait()
    with profile(schedule=schedule(wait=0, warmup=1, active=steps), record_shapes=True,
                 on_trace_ready=lambda profiler: profiler.export_chrome_trace(f"{OUT}/{name}.json.gz")) as profiler:
        for _ in range(steps + 1):
            step()
            profiler.step()


def inference(work, waits=True):
    def step():
        with torch.no_grad():
            work()
        if waits:
            wait()
    return step


# Convolutions in plain fp32, of which cuDNN runs some on streams of its own.
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
net = torchvision.models.resnet50().to(DEVICE)
optimizer = torch.optim.SGD(net.parameters(), 0.1, foreach=True)
images, labels = random(64, 3, 224, 224, device=DEVICE), torch.randint(0, 1000, (64,), device=DEVICE)


def train():
    optimizer.zero_grad()
    functional.cross_entropy(net(images), labels).backward()
    optimizer.step()


write("fp32_resnet_train", train, 3)
torch.backends.cudnn.allow_tf32 = True

query, key, value = (random(4, 16, 4096, 64, device=DEVICE, dtype=HALF) for _ in range(3))
write("fp32_attention", inference(lambda: [torch.softmax(query.float() @ key.float().transpose(-1, -2) * 0.125, -1).to(HALF) @ value for _ in range(2)]))
write("dominant_attention", inference(lambda: [functional.scaled_dot_product_attention(query, key, value) for _ in range(8)]))

nodes, edges = 200_000, 4_000_000
sources, targets = (torch.randint(0, nodes, (edges,), device=DEVICE) for _ in range(2))
features, weights = random(nodes, 128, device=DEVICE), random(128, 128, device=DEVICE)


def passes_messages():
    x = features
    for _ in range(3):
        x = torch.zeros_like(x).index_add_(0, targets, x[sources]) @ weights


write("dominant_scatter", inference(passes_messages), 3)

tables = nn.ModuleList([nn.EmbeddingBag(2_000_000, 64, mode="sum") for _ in range(8)]).to(DEVICE)
top = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 1)).to(DEVICE)
indices = [torch.randint(0, 2_000_000, (16384, 32)) for _ in range(8)]
write("copy_indices", inference(lambda: top(torch.cat([table(index.to(DEVICE)) for table, index in zip(tables, indices)], 1))))

head, words = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 32000)).to(DEVICE, HALF), random(4096, 4096, device=DEVICE, dtype=HALF)
write("copy_logits", inference(lambda: head(words).float().cpu(), False))


def block(inner, outer):
    return nn.Sequential(nn.Conv2d(inner, outer, 3, padding=1), nn.GroupNorm(8, outer), nn.SiLU(), nn.Conv2d(outer, outer, 3, padding=1), nn.GroupNorm(8, outer), nn.SiLU())


unet = nn.Sequential(block(4, 64), nn.MaxPool2d(2), block(64, 128), nn.MaxPool2d(2), block(128, 256), nn.Upsample(scale_factor=2), block(256, 128),
                     nn.Upsample(scale_factor=2), block(128, 64)).to(DEVICE, HALF)
picture, volume = random(16, 4, 256, 256, device=DEVICE, dtype=HALF), random(16, 256, 256, 256, device=DEVICE)
write("layout_unet", inference(lambda: unet(picture)))


def reorders():
    x = volume
    for _ in range(4):
        x = torch.relu(x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2).contiguous())


write("layout_permute_fp32", inference(reorders))

torch.set_float32_matmul_precision("highest")
left, right = random(8192, 8192, device=DEVICE), random(8192, 8192, device=DEVICE)
write("fp32_gemm", inference(lambda: [left @ right for _ in range(3)]), 3)

layers, rows = [nn.Linear(4096, 4096).to(DEVICE, HALF) for _ in range(24)], random(2048, 4096, device=DEVICE, dtype=HALF)


def looks_at_each():
    x = rows
    for layer in layers:
        x = torch.relu(layer(x))
        if x.max().item() > 1e30:
            break


write("sync_max_item", inference(looks_at_each, False))
deep = torch.compile(nn.Sequential(*[nn.Sequential(nn.Linear(4096, 4096), nn.GELU(), nn.LayerNorm(4096)) for _ in range(8)]).to(DEVICE, HALF))
batch = random(16384, 4096, device=DEVICE, dtype=HALF)
write("healthy_compiled", inference(lambda: deep(batch)))
