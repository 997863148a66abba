import { describe, expect, test } from 'vitest'
import { AGENT_KEY_HEADER, isFailure, leavesOpen, readRefusal, successSchema } from './wire.ts'

const failure = (data: unknown, message = 'no') => ({ error: { json: { message, data } } })

test('the key travels in the header of part 5', () => {
  expect(AGENT_KEY_HEADER).toBe('x-agent-key')
})

describe('an answer', () => {
  test('is what stands in json, whatever the transformer puts beside it', () => {
    const answer = successSchema.parse({ result: { data: { json: { available: '1' }, meta: { values: {} } }, type: 'data' } })
    expect(answer.result.data.json).toEqual({ available: '1' })
    expect(successSchema.parse({ result: { data: { json: null } } }).result.data.json).toBeNull()
  })

  test.each([
    undefined,
    null,
    'ok',
    [],
    {},
    { result: {} },
    { result: { data: {} } },
    { result: { data: [] } },
    failure({}),
  ])('of another form is none: %j', (body) => {
    expect(successSchema.safeParse(body).success).toBe(false)
  })
})

describe('a refusal', () => {
  test('has the appCode, the message and the details of part 7', () => {
    const body = failure(
      { appCode: 'STAKE_OVER_CAP', code: 'BAD_REQUEST', details: { maxStake: '50000000' } },
      'the stake is above the cap',
    )
    expect(readRefusal(400, body)).toEqual({
      code: 'STAKE_OVER_CAP',
      message: 'the stake is above the cap',
      status: 400,
      details: { maxStake: '50000000' },
    })
  })

  test.each([
    ['appCode before code', { appCode: 'A', code: 'C', details: null }, 'A'],
    ['appCode alone', { appCode: 'A' }, 'A'],
    ['code where there is no appCode', { code: 'C' }, 'C'],
    ['code where appCode is null', { appCode: null, code: 'C' }, 'C'],
    ['code where appCode is no text', { appCode: 7, code: 'C' }, 'C'],
    ['code where appCode is empty', { appCode: '', code: 'C' }, 'C'],
    ['the status where there is neither', { httpStatus: 409 }, 'HTTP_409'],
    ['the status where neither is text', { appCode: {}, code: 3 }, 'HTTP_409'],
    ['the status where data is missing', undefined, 'HTTP_409'],
    ['the status where data is null', null, 'HTTP_409'],
    ['the status where data is text', 'CONTEST_FULL', 'HTTP_409'],
  ])('its code is %s', (_name, data, code) => {
    expect(readRefusal(409, failure(data))).toMatchObject({ code, status: 409, message: 'no' })
  })

  test('of a tRPC without its transformer is read as one with it', () => {
    const error = {
      message: 'no seat',
      code: -32_009,
      data: { code: 'CONFLICT', httpStatus: 409, appCode: 'CONTEST_FULL', details: { at: 1 } },
    }
    expect(readRefusal(409, { error })).toEqual(readRefusal(409, { error: { json: error } }))
    expect(readRefusal(409, { error })).toEqual({ code: 'CONTEST_FULL', message: 'no seat', status: 409, details: { at: 1 } })
    expect(readRefusal(502, { error: { message: 'plain' } })).toEqual({ code: 'HTTP_502', message: 'plain', status: 502 })
    for (const body of [{ error }, { error: { message: 'plain' } }, { error: { data: {} } }]) expect(isFailure(body)).toBe(true)
    for (const body of [{ error: 'text' }, { error: null }, { error: {} }, { result: { data: { json: 1 } } }])
      expect(isFailure(body)).toBe(false)
  })

  test.each<[boolean, number, unknown]>([
    [false, 400, failure({ appCode: 'CONTEST_FULL', code: 'CONFLICT', httpStatus: 409 })],
    [false, 200, failure({ appCode: 'CONTEST_FULL' })],
    [false, 429, failure({ appCode: 'RATE_LIMITED', code: 'TOO_MANY_REQUESTS', httpStatus: 429 })],
    [false, 404, '<html>'],
    [false, 400, failure({ appCode: 'A', code: 500, httpStatus: '500' })],
    [true, 500, failure({ appCode: 'CONTEST_FULL', code: 'CONFLICT', httpStatus: 409 })],
    [true, 502, '<html>'],
    [true, 408, failure({ appCode: 'CONTEST_FULL' })],
    [true, 400, failure({ appCode: 'CONTEST_FULL', code: 'INTERNAL_SERVER_ERROR' })],
    [true, 400, failure({ appCode: 'CONTEST_FULL', httpStatus: 503 })],
    [true, 200, failure({ appCode: 'INTERNAL' })],
    [true, 400, { error: { message: 'no', code: -32_603, data: { appCode: 'CONTEST_FULL' } } }],
  ])('leaves open what became of an action: %s, with HTTP %i and %j', (isOpen, status, body) => {
    expect(leavesOpen(status, body)).toBe(isOpen)
  })

  test('details are kept whatever they are, and absent where there are none', () => {
    for (const details of [0, '', false, null, [], { a: 1 }])
      expect(readRefusal(400, failure({ appCode: 'A', details })).details).toEqual(details)
    expect('details' in readRefusal(400, failure({ appCode: 'A' }))).toBe(false)
  })

  test('a message that is missing or no text is made from the status, and hides no code', () => {
    for (const message of [undefined, null, 5]) {
      const body = { error: { json: { message, data: { appCode: 'A' } } } }
      expect(readRefusal(418, body)).toEqual({ code: 'A', message: 'the service answered HTTP 418', status: 418 })
    }
  })

  test.each([
    undefined,
    null,
    '<html>Bad Gateway</html>',
    [],
    {},
    { error: null },
    { error: 'text' },
    { error: {} },
    { error: { json: null } },
  ])('of another form still has a code and the status: %j', (body) => {
    expect(readRefusal(502, body)).toEqual({ code: 'HTTP_502', message: 'the service answered HTTP 502', status: 502 })
  })
})
