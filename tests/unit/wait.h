/* wait.h: waiting in tests: for a condition. The limit ends a run that would hang; nothing that goes on at all reaches it. */
#ifndef UNIT_WAIT_H
#define UNIT_WAIT_H

enum { WAIT_MS = 300000 };

#endif
