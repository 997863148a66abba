import { hash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { testBot, testContest, testRun } from '../../../test/support/backtest/testRun.ts'
import { summaryOf } from '../summary/summaryOf.ts'
import { reportHtml } from './reportHtml.ts'

const run = testRun({ contests: 80, bots: ['alice', 'bob'] })
const page = reportHtml(run, summaryOf(run))

/** What stands between the tags of this element, each time. */
const contentsOf = (text: string, tag: string, attributes = '') =>
  [...text.matchAll(new RegExp(`<${tag}${attributes}>(.*?)</${tag}>`, 'gs'))].map(([, content = '']) => content)

describe('reportHtml', () => {
  test('asks the network for nothing', () => {
    expect(page).not.toMatch(/\b(?:src|srcset|action|data|poster)\s*=\s*["']?\s*(?:https?:)?\/\//i)
    expect(page).not.toMatch(/<(?:link|iframe|img|object|embed|base)\b/i)
    expect(page).not.toMatch(/url\(|@import/)
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(['#bot-0', '#bot-1'])
    // Where the library comes from is said in its notice, and nowhere else is there an address.
    expect(new Set(page.match(/https?:\/\/[^\s"')]+/g))).toEqual(new Set(['https://github.com/leeoniya/uPlot']))
  })

  test('runs its own script and style alone', () => {
    const [policy = ''] = [...page.matchAll(/http-equiv="Content-Security-Policy" content="([^"]*)"/g)].map(([, content]) => content)
    const hashes = [...contentsOf(page, 'style'), ...contentsOf(page, 'script')].map((text) => `sha256-${hash('sha256', text, 'base64')}`)
    expect(hashes).toHaveLength(2)
    expect(policy.replaceAll('&#39;', "'")).toBe(`default-src 'none'; style-src '${hashes[0]}'; script-src '${hashes[1]}'`)
  })

  test('carries every contest, with its prices and moves', () => {
    const data = contentsOf(page, 'script', ' type="application/json" id="data-\\d+"').map((text) => JSON.parse(text))
    expect(data).toHaveLength(2)
    run.bots.forEach((bot, index) => {
      expect(data[index].contests).toHaveLength(bot.contests.length)
      bot.contests.forEach((contest, place) => {
        const shown = data[index].contests[place]
        expect(shown.contestId).toBe(contest.contestId)
        expect(shown.moves.map(([ms, text]: [number, string]) => ({ at: contest.enteredAt + ms, text }))).toEqual(contest.moves)
        expect(shown.prices.map(({ price }: { price: number[] }) => price)).toEqual(
          contest.prices.map(({ points }) => points.map(([, price]) => Number(price))),
        )
      })
    })
  })

  test('says what is to be taken with care', () => {
    const warned = { ...run, bots: [testBot({ warnings: [{ code: 'CONTESTS_BETWEEN_PRICES', message: '3 < 4 contests' }] })] }
    expect(contentsOf(reportHtml(warned, summaryOf(warned)), 'aside', '[^>]*').join()).toContain('<li>3 &lt; 4 contests</li>')
    expect(contentsOf(page, 'aside', '[^>]*')).toEqual([])
  })

  test('has a script that parses', () => {
    const [script = ''] = contentsOf(page, 'script')
    expect(() => runInNewContext(`() => {${script}}`)).not.toThrow()
  })

  test('shows hostile names as text', () => {
    const hostile = '</script><script>alert(1)</script><!--"\'&'
    const ghost = { kind: 'AGENT', source: 'recorded', side: hostile, score: hostile, moves: [{ at: 0, text: hostile }] } as const
    const bot = testBot({
      name: hostile,
      strategies: [{ kind: hostile, name: hostile, params: { [hostile]: hostile }, code: hostile }],
      config: hostile,
      contests: [testContest({ contestId: hostile, score: hostile, moves: [{ at: 0, text: hostile }], others: [ghost] })],
      refused: { [hostile]: 1 },
    })
    const figures = [{ name: hostile, value: 1, unit: 'ms', samples: 0 } as const]
    const attacked = { ...run, bots: [bot, bot], logs: [hostile], fingerprint: hostile, assumptions: { figures } }
    const text = reportHtml(attacked, summaryOf(attacked), summaryOf(attacked))
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<\/script>/g)).toHaveLength(3)
    expect(text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)')
  })

  test('sets another run beside this one', () => {
    const other = testRun({ contests: 40, seed: 2 })
    const compared = reportHtml(run, summaryOf(run), summaryOf(other))
    expect(compared).toContain('<th scope="col">Difference</th>')
    expect(compared).toContain('USDC against the other run')
    expect(compared).toContain('The other run has no bot of this name.')
    expect(compared).toContain(other.fingerprint)
    expect(page).not.toContain('Difference')
  })

  test('is the same whenever it is made', () => {
    expect(reportHtml(run, summaryOf(run))).toBe(page)
  })

  test('is made of a run without contests', () => {
    const empty = { ...run, bots: [testBot()] }
    expect(reportHtml(empty, summaryOf(empty))).toContain('alice')
  })
})
