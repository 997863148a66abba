import { expect, test } from 'vitest'
import { CornermanError } from '../../../core/error.ts'
import { databaseTrouble } from './databaseTrouble.ts'
import { InDoubt } from './fleetConnection.ts'

const ofServer = (code: string, words: string) => Object.assign(new Error(words), { code })
const doubted = (cause: Error) => new InDoubt(cause.message, { cause })
const refused = (cause: Error & { readonly code: string }) =>
  new CornermanError('FLEET_REFUSED', `the database does not take it: ${cause.message}`, { cause, details: { code: cause.code } })

test.each([
  [
    'read-only',
    doubted(ofServer('25006', 'cannot execute UPDATE in a read-only transaction')),
    /takes no writes.*UPDATE in a read-only transaction \[25006\].*Name the primary/,
  ],
  ['a full disk', refused(ofServer('53100', 'could not extend file')), /no room left.*: could not extend file \[53100\]\. Make room/],
  [
    'a full disk, as a bot has met it',
    new CornermanError('JOURNAL_WRITE_FAILED', 'x', { cause: refused(ofServer('53100', 'could not extend file')) }),
    /could not extend file \[53100\]/,
  ],
  ['no memory', doubted(ofServer('53200', 'out of memory')), /refuses a write.*: out of memory \[53200\]/],
  ['a right that is missing', refused(ofServer('42501', 'permission denied for table bots')), /permission denied for table bots \[42501\]/],
])('names what the server says: %s', (_what, thrown, words) => {
  expect(databaseTrouble(thrown)).toMatchObject({ code: 'FLEET_REFUSED', message: expect.stringMatching(words) as string })
})

test.each([
  ['no answer', new InDoubt('no answer within 1500 ms')],
  ['a connection that broke', doubted(ofServer('EPIPE', 'write EPIPE'))],
  ['a server that ends', doubted(ofServer('57P01', 'terminating connection due to administrator command'))],
  ['a deadlock', doubted(ofServer('40P01', 'deadlock detected'))],
  ['another error', new Error('x')],
])('leaves alone what the server has not said, or is over in a moment: %s', (_what, thrown) => {
  expect(databaseTrouble(thrown)).toBeUndefined()
})
