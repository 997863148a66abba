import type { Checker } from '../checker.ts'
import { commits } from './commits.ts'
import { deadCode } from './deadCode.ts'
import { exports } from './exports.ts'
import { format } from './format.ts'
import { imports } from './imports.ts'
import { lint } from './lint.ts'
import { manifest } from './manifest.ts'
import { rules } from './rules.ts'
import { types } from './types.ts'

/** Every checker of the project, the slowest first. A new one is a file beside these and a line here. */
export const CHECKERS: readonly Checker[] = [rules, types, imports, deadCode, format, lint, exports, manifest, commits]
