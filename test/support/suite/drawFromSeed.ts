import './provided.ts'
import fc from 'fast-check'
import { inject } from 'vitest'

// Before every file: whoever names no seed draws from that of the suite.

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') })
