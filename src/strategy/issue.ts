import type { z } from 'zod'
import { show } from '../core/show.ts'

/** How a message names a place in a value: `bots[0].guard.maxStake`; empty for the value itself. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text === '' ? '' : `${text}.`}${String(key)}`),
    '',
  )
}

export interface IssueNames {
  /** What the value as a whole is called. */
  readonly whole: string
  /** What to do about a field that is not known, by the place of what has it. */
  readonly unknownField: string | ((path: readonly PropertyKey[]) => string)
  /** Places whose value must not be shown. */
  readonly isSecret?: (path: readonly PropertyKey[], value: unknown) => boolean
}

/** A mistake in words: the field, what stands there, and what is allowed. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown, names: IssueNames): string {
  const field = fieldOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const { unknownField } = names
    const remedy = typeof unknownField === 'string' ? unknownField : unknownField(issue.path)
    return `${issue.keys.map((key) => fieldOf([...issue.path, key])).join(', ')}: ${remedy}`
  }
  const value = valueAt(root, issue.path)
  const shown = names.isSecret?.(issue.path, value) === true && value !== undefined ? '' : shownValue(value)
  return `${field === '' ? names.whole : field}${shown}: ${issue.message}`
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), root)
}

/** Objects are not shown: what is wrong in one has a place of its own, and the rest may hold a secret. */
function shownValue(value: unknown): string {
  if (value === undefined) return ' is missing'
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) return ''
  return ` = ${show(typeof value === 'string' ? withoutSecrets(value) : value)}`
}

/** A user name and password are secrets in whatever URL they stand, up to the last @, since a password may hold one; so may the query be. */
const withoutSecrets = (text: string): string => text.replace(/\/\/.*@/s, '//…@').replace(/(:\/\/[^?#]*)[?#].*/s, '$1?…')
