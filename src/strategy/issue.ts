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
  /** Whether objects are shown too: what holds no secret, and is wrong as a whole. */
  readonly showsObjects?: boolean
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
  const shown = names.isSecret?.(issue.path, value) === true && value !== undefined ? '' : shownValue(value, names.showsObjects === true)
  return `${field === '' ? names.whole : field}${shown}: ${allowedBy(issue)}`
}

/** How zod begins what it says of its own accord, which is of its schemas, and not of what a person writes. */
const ZODS_WORDS = /^(Invalid|Too small|Too big)\b/

const allowedBy = (issue: z.core.$ZodIssue): string => (ZODS_WORDS.test(issue.message) ? (ownWords(issue) ?? issue.message) : issue.message)

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  bigint: 'a bigint, such as 5n',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object, { … }',
  record: 'an object, { … }',
  function: 'a function',
  date: 'a Date',
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' of them', set: ' of them', map: ' of them' }

function ownWords(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected]
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`
    case 'invalid_value':
      return issue.values.length === 1 ? show(issue.values[0]) : `one of ${issue.values.map((value) => show(value)).join(', ')}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_union': {
      const [, kinds] = /Expected (.+)$/.exec(issue.message) ?? []
      return kinds === undefined ? undefined : `one of ${kinds.replaceAll(' | ', ', ')}`
    }
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return undefined
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), root)
}

/** Objects are not shown unasked: what is wrong in one has a place of its own, and the rest may hold a secret. */
function shownValue(value: unknown, showsObjects: boolean): string {
  if (value === undefined) return ' is missing'
  if (!showsObjects && value !== null && (typeof value === 'object' || typeof value === 'function')) return ''
  return ` = ${show(typeof value === 'string' ? withoutSecrets(value) : value)}`
}

/** A user name and password are secrets in whatever URL they stand, up to the last @, since a password may hold one; so may the query be. */
const withoutSecrets = (text: string): string => text.replace(/\/\/.*@/s, '//…@').replace(/(:\/\/[^?#]*)[?#].*/s, '$1?…')
