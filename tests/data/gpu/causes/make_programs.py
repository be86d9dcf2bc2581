"""Wrote those profiles of this folder that are of programs as people write them, 5 steps with ProfilerStep#N each, on a machine with a GPU: make_programs.py FOLDER."""
import sys
import time

import torch
import transformers
import triton
from torch import nn
from torch.profiler import profile, schedule
from torch_geometric.nn import GCNConv
from triton import language

OUT, DEVICE, HALF = sys.argv[1], "cuda", torch.bfloat16
wait, random = torch.cuda.synchronize, torch.randn


def write(name, step, shapes=False):
    for _ in range(3):
        step()
    wait()
    with profile(schedule=schedule(wait=0, warmup=1, active=5), record_shapes=shapes,
                 on_trace_ready=lambda profiler: profiler.export_chrome_trace(f"{OUT}/{name}.json.gz")) as profiler:
        for _ in range(6):
            step()
            profiler.step()


def inference(work):
    def step():
        with torch.no_grad():
            work()
    return step


def llama(layers, width, kind=HALF, attention="sdpa"):
    config = transformers.LlamaConfig(vocab_size=32000, hidden_size=width, intermediate_size=width * 11 // 4 // 64 * 64, num_hidden_layers=layers,
                                      num_attention_heads=width // 64, num_key_value_heads=width // 128, max_position_embeddings=4096)
    config._attn_implementation = attention
    return transformers.LlamaForCausalLM(config).to(DEVICE, kind).eval()


def words(*sizes):
    return torch.randint(0, 32000, sizes, device=DEVICE)


# A token at a time: attention makes a new plan on the host for each length of the cache.
net, token = llama(8, 1024), words(1, 1)
with torch.no_grad():
    past = net(words(1, 64), use_cache=True).past_key_values
write("host_decode", inference(lambda: net(token, past_key_values=past, use_cache=True)))

# The same net with many tokens at once, in fp32 on tensor units, and compiled.
torch.set_float32_matmul_precision("high")
wide, prompt = llama(4, 2048, torch.float, "eager"), words(4, 1024)
write("healthy_tf32_prefill", inference(lambda: wide(prompt, use_cache=False)), shapes=True)
torch.set_float32_matmul_precision("highest")
deep, batch = llama(8, 2048), words(8, 1024)
compiled = torch.compile(deep)
write("healthy_compiled_llama", inference(lambda: compiled(batch, use_cache=False)))

# Inputs and logits of every step pass through pageable memory.
head = nn.Sequential(nn.Linear(2048, 4096), nn.GELU(), nn.Linear(4096, 16384)).to(DEVICE, HALF).eval()
here = random(4096, 2048)
write("copy_both_ways", inference(lambda: head(here.to(DEVICE).to(HALF)).float().cpu().sum()))

# The next input is copied on a stream of its own.
pinned, side = random(8192, 8192).pin_memory(), torch.cuda.Stream()
there, square = torch.empty(8192, 8192, device=DEVICE), random(8192, 8192, device=DEVICE, dtype=HALF)


def prefetch():
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        there.copy_(pinned, non_blocking=True)
    for _ in range(6):
        square @ square
    torch.cuda.current_stream().wait_stream(side)


write("healthy_prefetch", prefetch)


# One block adds up all of a large tensor, in a kernel that no operator launches.
@triton.jit
def one_block(x, y, n, BLOCK: language.constexpr):
    total = language.zeros((BLOCK,), language.float32)
    for i in range(0, n, BLOCK):
        at = i + language.arange(0, BLOCK)
        total += language.load(x + at, mask=at < n, other=0.0)
    language.store(y, language.sum(total))


large, result, middle = random(1 << 24, device=DEVICE), torch.zeros(1, device=DEVICE), random(4096, 4096, device=DEVICE, dtype=HALF)
write("low_triton", lambda: (one_block[(1,)](large, result, large.numel(), BLOCK=1024), middle @ middle), shapes=True)

# A part of the model is computed on the CPU.
before, after, x = nn.Linear(2048, 2048).to(DEVICE, HALF), nn.Linear(2048, 2048).to(DEVICE, HALF), random(4096, 2048, device=DEVICE, dtype=HALF)
write("cpu_sort_middle", inference(lambda: after(torch.sort(before(x).float().cpu()[:1024], 1).values.to(DEVICE).to(HALF))))

# Messages in a graph: gathered and scattered.
edges, nodes = torch.randint(0, 200000, (2, 4000000), device=DEVICE), random(200000, 128, device=DEVICE)
layers = nn.ModuleList([GCNConv(128, 128) for _ in range(3)]).to(DEVICE)


def passes_messages():
    state = nodes
    for layer in layers:
        state = layer(state, edges).relu()


write("dominant_gcn", inference(passes_messages))


def pause_in_the_middle():
    for _ in range(10):
        middle @ middle
    wait()
    time.sleep(0.01)
    for _ in range(10):
        middle @ middle
    wait()


write("input_pause_middle", pause_in_the_middle)
