"""Wrote the profiles of this folder, on a machine with a GPU, with JAX 0.11: make.py FOLDER. The first word of a name is what is wrong, as in gpu/causes."""
import glob
import shutil
import sys
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy

KEY = jax.random.key(0)
weights = [jax.random.normal(KEY, (8192, 8192), jnp.bfloat16) * 0.01 for _ in range(6)]
batch = jax.random.normal(KEY, (8192, 8192), jnp.bfloat16)
on_host = numpy.random.rand(4096, 8192).astype(numpy.float32)
plain, plain_batch = [one.astype(jnp.float32) for one in weights[:2]], batch.astype(jnp.float32)


def write(name, step):
    for _ in range(3):
        step()
    with tempfile.TemporaryDirectory() as folder:
        jax.profiler.start_trace(folder)
        for number in range(4):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                step()
        jax.profiler.stop_trace()
        shutil.copy(glob.glob(folder + "/**/*.trace.json.gz", recursive=True)[0], f"{sys.argv[1]}/{name}.trace.json.gz")


@jax.jit
def mlp(layers, x):
    for layer in layers:
        x = jax.nn.gelu(x @ layer)
    return x


@jax.jit
def precise(layers, x):
    for layer in layers:
        x = jnp.matmul(x, layer, precision="highest")
    return x


@jax.jit
def one_layer(layer, x):
    return jax.nn.gelu(x @ layer)


def sleeps():
    time.sleep(0.02)
    mlp(weights, batch).block_until_ready()


def each_layer():
    x = batch[:1024]
    for layer in weights:
        x = one_layer(layer, x)
        x.block_until_ready()
        float(x[0, 0])


write("healthy_mlp", lambda: mlp(weights, batch).block_until_ready())
write("fp32_matmul", lambda: precise(plain, plain_batch).block_until_ready())
write("input_sleep", sleeps)
write("input_device_put", lambda: mlp(weights[:1], jax.device_put(on_host).astype(jnp.bfloat16)).block_until_ready())
write("sync_to_numpy", lambda: numpy.asarray(mlp(weights[:1], batch)))
write("host_each_layer", each_layer)
