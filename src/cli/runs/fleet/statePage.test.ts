import { afterEach, expect, test } from 'vitest'
import { openStatePage } from './statePage.ts'

const idle = { playing: 1, played: 7, failed: 2, sweeps: 1, answeredMs: 500 }
let close = async () => {}
afterEach(() => close())

async function openedWith(state: typeof idle): Promise<string> {
  const page = await openStatePage({ state: () => state }, 0)
  close = page.close
  return page.url
}

test('tells its metrics, each as what it is, and however often it is asked', async () => {
  const url = await openedWith(idle)
  const asked = async () => (await fetch(`${url}/metrics`)).text()
  const first = await asked()
  expect(first.split('\n').filter((line) => /^(?:# TYPE|cornerman)/.test(line))).toEqual([
    '# TYPE cornerman_worker_playing gauge',
    'cornerman_worker_playing 1',
    '# TYPE cornerman_worker_played_total counter',
    'cornerman_worker_played_total 7',
    '# TYPE cornerman_worker_failed_total counter',
    'cornerman_worker_failed_total 2',
    '# TYPE cornerman_worker_searches gauge',
    'cornerman_worker_searches 1',
    '# TYPE cornerman_worker_answered_seconds gauge',
    'cornerman_worker_answered_seconds 0.5',
  ])
  expect(await asked()).toBe(first)
})

test.each([
  [29_999, 200],
  [30_000, 503],
])('is healthy by when the database last answered: %i ms ago is %i', async (answeredMs, status) => {
  const answer = await fetch(`${await openedWith({ ...idle, answeredMs })}/healthz`)
  expect([answer.status, await answer.json()]).toEqual([status, { isHealthy: status === 200, ...idle, answeredMs }])
})

test('has nothing else', async () => {
  expect((await fetch(`${await openedWith(idle)}/`)).status).toBe(404)
})
