"""Writes ETRecords: a zip with the graph of a model as JSON, the parts that tell of operators and nothing else.

The outer graph has a node for each instruction; one that calls a delegate holds the graph of that delegate, as JSON in a string.
"""
import dataclasses
import io
import json
import zipfile

PREFIX = "executorch.exir.dialects.edge.ops.aten."
FLOAT = 7  # as torch.export numbers types


@dataclasses.dataclass
class Node:
    """An operation of the model."""

    operation: str  # convolution.default
    inputs: list  # (name, shape), in order
    shape: tuple  # of what it gives
    module: str = ""
    module_class: str = ""
    line: int = 1  # of model.py
    source: str = ""
    groups: int = 1  # of a convolution


def tensor(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, {"as_int": step})
        step *= size
    return {"dtype": FLOAT, "sizes": [{"as_int": size} for size in shape], "requires_grad": False,
            "device": {"type": "cpu"}, "strides": strides, "storage_offset": {"as_int": 0}, "layout": 7}


class Graph:
    """One graph: that of the program, or that of a delegate."""

    def __init__(self, file):
        self.file = file
        self.nodes = []
        self.values = {}

    def add(self, node, handle):
        name = f"aten_{node.operation.replace('.', '_').lower()}_{handle}"
        inputs = []
        for role, shape in node.inputs:
            value = f"{name}_{role}"
            self.values[value] = tensor(shape)
            inputs.append({"name": role, "arg": {"as_tensor": {"name": value}}})
        if node.operation.startswith("convolution"):
            inputs += [{"name": "bias", "arg": {"as_none": []}}, {"name": "stride", "arg": {"as_ints": [1, 1]}},
                       {"name": "padding", "arg": {"as_ints": [1, 1]}}, {"name": "dilation", "arg": {"as_ints": [1, 1]}},
                       {"name": "transposed", "arg": {"as_bool": False}},
                       {"name": "output_padding", "arg": {"as_ints": [0, 0]}},
                       {"name": "groups", "arg": {"as_int": node.groups}}]
        self.values[name] = tensor(node.shape)
        stack = f"L__self__,,__main__.Model;L__self__{node.module},{node.module},{node.module_class}"
        trace = f'File "{self.file}", line {node.line}, in forward\n    {node.source}'
        self.nodes.append({"name": name, "target": PREFIX + node.operation, "inputs": inputs,
                           "outputs": [{"as_tensor": {"name": name}}],
                           "metadata": {"stack_trace": trace, "nn_module_stack": stack, "debug_handle": str(handle)}})

    def add_call(self, delegate, handle):
        held = {"backend_id": "XnnpackBackend", "processed_bytes": "", "compile_specs": [],
                "original_module": delegate.program(), "original_state_dict": "", "original_constants": "",
                "named_data_store": ""}
        name = f"executorch_call_delegate_{handle}"
        self.values[name] = tensor((1,))
        self.nodes.append({"name": name, "target": "torch.ops.higher_order.executorch_call_delegate",
                           "inputs": [{"name": "lowered_module", "arg": {"as_string": json.dumps(held)}}],
                           "outputs": [{"as_tensors": [{"name": name}]}], "metadata": {"debug_handle": str(handle)}})

    def program(self):
        graph = {"inputs": [], "outputs": [], "nodes": self.nodes, "tensor_values": self.values, "sym_int_values": {},
                 "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}}
        return {"graph_module": {"graph": graph}, "opset_version": {"aten": 10}, "range_constraints": {},
                "schema_version": {"major": 5, "minor": 4}, "dialect": "", "verifiers": ["EDGE"]}


def record(instructions, file):
    """The archive; an instruction is a node, or a list of nodes that a delegate runs (None: the backend's own)."""
    outer, handles, calls, handle = Graph(file), {}, {}, 0
    for number, instruction in enumerate(instructions):
        if isinstance(instruction, Node):
            handle += 1
            handles[str(number)] = handle
            outer.add(instruction, handle)
            continue
        inner, of_delegate = Graph(file), []
        for node in instruction:
            if node:
                handle += 1
                of_delegate.append(handle)
                inner.add(node, handle)
        handle += 1
        handles[str(number)] = of_delegate
        calls[str(number)] = {"name": "XnnpackBackend", "delegate_map": {}}
        outer.add_call(inner, handle)
    members = {"ETRECORD_V0": "", "edge_dialect_exported_program/forward": json.dumps(outer.program()),
               "debug_handle_map": json.dumps({"forward": handles}), "delegate_map": json.dumps({"forward": calls})}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return archive.getvalue()
