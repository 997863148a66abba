import { describe, expect, test } from 'vitest'
import { emptyFolder, input, linesOf, RUN, START, writerOf } from '../../test/support/logFiles.ts'
import { thrownBy } from '../../test/support/thrownBy.ts'
import type { CornermanError } from '../core/error.ts'
import { checkLog } from './checkLog.ts'
import { gatherLogs } from './gatherLogs.ts'
import type { HeaderLine } from './lines.ts'

const LATER = RUN.replace('0304', '0309')
const LATEST = RUN.replace('0304', '0315')

/** A host's part: its turns, each of some inputs. */
function part(
  host: string,
  turns: readonly { epoch: number; run: string; from: number; to: number; fields?: Partial<HeaderLine> }[],
): string {
  const folder = emptyFolder()
  for (const { epoch, run, from, to, fields } of turns) {
    const writer = writerOf(folder, { run, fleet: { host, epoch }, ...fields })
    for (let n = from; n <= to; n++) {
      if (n === from) writer.writePrices({ at: START + n, tick: n, prices: new Map() })
      writer.write(input(n))
    }
    writer.close()
  }
  return folder
}

const inputsOf = (folder: string) => linesOf(folder).flatMap((line) => (line.kind === 'input' ? [line.n] : []))

describe('gatherLogs', () => {
  test('puts the turns of all hosts in their order, as one recording that is sound', () => {
    const one = part('h1', [
      { epoch: 1, run: RUN, from: 1, to: 5 },
      { epoch: 4, run: LATEST, from: 9, to: 12 },
    ])
    const two = part('h2', [{ epoch: 2, run: LATER, from: 5, to: 9 }])
    const out = emptyFolder()
    const gathered = gatherLogs([two, one], out)
    expect(gathered).toEqual({
      bot: 'alice',
      agentId: 'a-1',
      runs: [
        { epoch: 1, host: 'h1', run: RUN, from: 1, to: 5 },
        { epoch: 2, host: 'h2', run: LATER, from: 5, to: 9 },
        { epoch: 4, host: 'h1', run: LATEST, from: 9, to: 12 },
      ],
      missing: [],
    })
    expect(inputsOf(out)).toEqual([1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 9, 10, 11, 12])
    expect(checkLog(out)).toEqual([])
    expect(linesOf(out).filter(({ kind }) => kind === 'prices')).toHaveLength(3)
  })

  test('a turn of which nothing was kept stands before the one that begins at the same input', () => {
    const one = part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5 }])
    const two = part('h2', [{ epoch: 2, run: LATER, from: 6, to: 7 }])
    const three = part('h3', [{ epoch: 3, run: LATEST, from: 6, to: 9 }])
    const out = emptyFolder()
    expect(gatherLogs([three, one, two], out)).toMatchObject({ runs: [{ epoch: 1 }, { epoch: 2 }, { epoch: 3 }], missing: [] })
    expect(inputsOf(out)).toEqual([1, 2, 3, 4, 5, 6, 7, 6, 7, 8, 9])
    expect(checkLog(out)).toEqual([])
  })

  test('a host whose clock was ahead stands in its turn all the same', () => {
    const ahead = part('h1', [{ epoch: 1, run: LATEST, from: 1, to: 5 }])
    const two = part('h2', [{ epoch: 2, run: LATER, from: 6, to: 9 }])
    const out = emptyFolder()
    expect(gatherLogs([ahead, two], out).runs.map(({ run }) => run)).toEqual([LATEST, `${LATEST}.2`])
    expect(inputsOf(out)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(checkLog(out)).toEqual([])
  })

  test('says which inputs are in none of the parts', () => {
    const one = part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5 }])
    const three = part('h3', [{ epoch: 5, run: LATEST, from: 9, to: 12 }])
    expect(gatherLogs([one, three], emptyFolder()).missing).toEqual([{ from: 6, to: 8 }])
  })

  test.each<[string, string[]]>([
    [
      'two parts of one turn',
      [part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5 }]), part('h2', [{ epoch: 1, run: LATER, from: 5, to: 9 }])],
    ],
    [
      'a turn that says it was another',
      [part('h1', [{ epoch: 3, run: RUN, from: 1, to: 5 }]), part('h2', [{ epoch: 2, run: LATER, from: 5, to: 9 }])],
    ],
    [
      'two bots',
      [
        part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5 }]),
        part('h2', [{ epoch: 2, run: LATER, from: 5, to: 9, fields: { bot: 'bob' } }]),
      ],
    ],
    [
      'two agents',
      [
        part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5 }]),
        part('h2', [{ epoch: 2, run: LATER, from: 5, to: 9, fields: { agentId: 'a-2' } }]),
      ],
    ],
    ['a recording of no fleet', [part('h1', [{ epoch: 1, run: RUN, from: 1, to: 5, fields: { fleet: undefined } }])]],
  ])('refuses %s', (_, parts) => {
    expect(thrownBy<CornermanError>(() => gatherLogs(parts, emptyFolder()))?.code).toBe('LOG_PARTS')
  })
})
