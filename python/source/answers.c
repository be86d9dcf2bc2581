/* answers.c: the module tacho._answers. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "tacho._answers", .m_size = -1 };

PyMODINIT_FUNC PyInit__answers(void)
{
    return PyModule_Create(&definition);
}
