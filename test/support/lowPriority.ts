import { constants, setPriority } from 'node:os'

// Files of tests that only compute import this: they take the time of the processor that nobody else wants, so that what
// plays in real time beside them meets its deadlines. Each file has a process of its own, which ends with it.

setPriority(constants.priority.PRIORITY_LOW)
