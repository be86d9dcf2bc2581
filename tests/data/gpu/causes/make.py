"""Wrote the profiles of this folder, on a machine with a GPU: make.py FOLDER."""
import sys
import time

import torch
from torch import nn
from torch.profiler import profile, schedule

OUT, DEVICE, HALF = sys.argv[1], "cuda", torch.bfloat16
wait, random = torch.cuda.synchronize, torch.randn


def mlp(layers, width, kind=HALF):
    return nn.Sequential(*[one for _ in range(layers) for one in (nn.Linear(width, width), nn.GELU())]).to(DEVICE, kind)


def transformer(layers, width, heads, kind=HALF):
    layer = nn.TransformerEncoderLayer(width, heads, 4 * width, 0, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).to(DEVICE, kind)


def convolutions():
    return nn.Sequential(*[one for _ in range(8) for one in (nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU())]).to(DEVICE)


def write(name, step, shapes=False, stack=False):
    for _ in range(3):
        step()
    wait()
    with profile(record_shapes=shapes or stack, with_stack=stack, with_modules=stack) as profiler:
        for _ in range(8):
            step()
            profiler.step()
        wait()
    profiler.export_chrome_trace(f"{OUT}/{name}.json.gz")


def write_steps(name, step, stack=False):
    """The same with ProfilerStep#N around each."""
    with profile(schedule=schedule(wait=1, warmup=2, active=8), record_shapes=stack, with_stack=stack, with_modules=stack,
                 on_trace_ready=lambda profiler: profiler.export_chrome_trace(f"{OUT}/{name}.json.gz")) as profiler:
        for _ in range(11):
            step()
            profiler.step()


def inference(net, x, waits=True):
    def step():
        with torch.no_grad():
            net(x)
        if waits:
            wait()
    return step


def training(net, x):
    optimizer = torch.optim.AdamW(net.parameters(), fused=True)

    def step():
        loss = net(x).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        loss.item()
    return step


big, wide = mlp(6, 8192), random(8192, 8192, device=DEVICE, dtype=HALF)
net, square = mlp(4, 4096), random(4096, 4096, device=DEVICE, dtype=HALF)
deep, tall = mlp(16, 4096), random(8192, 4096, device=DEVICE, dtype=HALF)
plain = nn.Sequential(*[one for _ in range(8) for one in (nn.Conv2d(128, 128, 3, padding=1, bias=False), nn.ReLU())]).to(DEVICE)
images = random(128, 128, 56, 56, device=DEVICE)
row, weights = random(4, 65536, device=DEVICE, dtype=HALF), random(65536, 4096, device=DEVICE, dtype=HALF)
long = random(2, 1 << 24, device=DEVICE)
on_host, tiny, rows = random(4096, 8192), random(64, 64, device=DEVICE), random(4, 1 << 22, device=DEVICE)


def copies(source):
    def step():
        with torch.no_grad():
            big[:6](source.to(DEVICE, non_blocking=True).to(HALF))
        wait()
    return step


def in_step(between=None, behind=wait):
    def step():
        x = tall
        with torch.no_grad():
            for one in deep:
                x = one(x)
                if between:
                    between(x)
        if behind is wait:
            wait()
        elif behind:
            behind(x)
    return step


def convolve():
    with torch.no_grad():
        plain(images)
    wait()


def thin():
    for _ in range(8):
        row @ weights
    wait()


def scans():
    in_step()()
    for _ in range(2):
        torch.cumsum(long, 1)
        long.argmax(1)
    wait()


def sleeps():
    time.sleep(0.01)
    in_step()()


def loop():
    with torch.no_grad():
        net(square)
        x = tiny
        for _ in range(300):
            x = x * 1.01 + 0.1
    wait()


def slow_input(sleeps):
    def step():
        if sleeps:
            time.sleep(0.008)
        else:
            torch.stack([torch.sort(torch.rand(100000))[0] for _ in range(8)])
        with torch.no_grad():
            big(wide[:4096])
        wait()
    return step


class Sorted(torch.utils.data.Dataset):
    def __len__(self):
        return 1280

    def __getitem__(self, index):
        return random(8192).sort()[0]


batches = iter(torch.utils.data.DataLoader(Sorted(), 64))


def loads():
    next(batches).to(DEVICE, HALF)
    with torch.no_grad():
        big(wide[:2048])
    wait()


def reorders():
    x = square
    with torch.no_grad():
        for one in net:
            x = one(x).t().contiguous()
            x = x.view(64, 64, 4096).permute(1, 0, 2).contiguous().view(4096, 4096)
    wait()


def few_blocks():
    with torch.no_grad():
        net(square)
        torch.cumsum(rows, 1)
        torch.softmax(rows, 1)
    wait()


write("healthy_mlp", inference(big, wide))
write("healthy_nosync", inference(big, wide, False))
write("healthy_train", training(transformer(4, 1024, 16), random(16, 1024, 1024, device=DEVICE, dtype=HALF)))
write("healthy_conv_cl", inference(convolutions().to(HALF, memory_format=torch.channels_last).eval(),
                                   random(256, 64, 56, 56, device=DEVICE, dtype=HALF).to(memory_format=torch.channels_last)))
write("copy_pageable", copies(on_host), shapes=True)
write("copy_pinned", copies(on_host.pin_memory()))
torch.backends.cuda.matmul.allow_tf32 = False
write("fp32_mlp", inference(mlp(6, 4096, torch.float), random(4096, 4096, device=DEVICE)), shapes=True)
write("tiny_loop", loop)
write("host_small", inference(transformer(12, 512, 8), random(4, 64, 512, device=DEVICE, dtype=HALF)))
write("input_sleep", slow_input(True))
write("input_cpu", slow_input(False), stack=True)
write("input_loader", loads)
write("layout_permute", reorders, shapes=True)
write("layout_conv_nchw", inference(convolutions(), random(128, 64, 56, 56, device=DEVICE)))
write("low_softmax", few_blocks, shapes=True)
write("dominant", inference(nn.Sequential(mlp(2, 4096), nn.Linear(4096, 65536).to(DEVICE, HALF)), square))
graph, encoder, words = torch.cuda.CUDAGraph(), transformer(12, 512, 8).eval(), random(4, 64, 512, device=DEVICE, dtype=HALF)
with torch.no_grad():
    for _ in range(3):
        encoder(words)
    wait()
    with torch.cuda.graph(graph):
        encoder(words)
write("graph_small", lambda: (graph.replay(), wait()))
write_steps("sync_item", in_step(lambda x: x[0, 0].item(), None))
write_steps("sync_device", in_step(lambda x: wait(), None))
write_steps("copy_dtoh", in_step(None, lambda x: x.cpu()))
write_steps("healthy_steps", in_step(), stack=True)
write_steps("healthy_steps_nosync", in_step(None, None))
write_steps("healthy_skinny", thin)
write_steps("input_steps", sleeps, stack=True)
write_steps("low_cumsum", scans)
torch.backends.cudnn.allow_tf32 = False
write_steps("fp32_conv", convolve)
torch.backends.cudnn.allow_tf32 = True
write_steps("layout_conv_tf32", convolve)
