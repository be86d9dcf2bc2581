/* record.c: the module tacho._record. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "tacho._record", .m_size = -1 };

PyMODINIT_FUNC PyInit__record(void)
{
    return PyModule_Create(&definition);
}
