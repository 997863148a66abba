import { expect, test } from 'vitest'
import { createLog } from './log.ts'

const written = (pretty: boolean, say: (log: ReturnType<typeof createLog>) => void): string => {
  let text = ''
  say(
    createLog({
      pretty,
      sink: {
        write: (line) => {
          text += line
        },
      },
    }),
  )
  return text
}

test('on a terminal a line is one line, whatever a strategy or the service says', () => {
  const said = 'contest cancelled: gone\n12:00:00 INFO: alice: won 500.00 USDC\u001b[2J\u202eCDSU'
  const text = written(true, (log) => log.warn({ bot: 'alice' }, said))
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text).toContain('alice: contest cancelled: gone\\n12:00:00 INFO: alice: won 500.00 USDC\\u001b[2J\\u202eCDSU')
})

test('for programs a line is JSON, with the words as they are', () => {
  const text = written(false, (log) => log.warn({ bot: 'alice' }, 'gone\nagain'))
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(text)).toMatchObject({ level: 'warn', bot: 'alice', msg: 'gone\nagain' })
})
