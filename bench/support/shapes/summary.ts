import type { AuditedContest, AuditVerdict } from '../../../test/shapes/audit.ts'
import type { SeedResult } from './playSeed.ts'

/** What a batch of seeds at once came to; it counts where its control, on the sandbox's own shape, lost nothing. */
export interface BatchResult {
  readonly batch: string
  readonly counts: boolean
  readonly load: number
  readonly control: SeedResult
  readonly seeds: readonly SeedResult[]
}

export interface ModeFigures {
  ended: number
  unmoved: number
  unsaid: number
}

export interface ShapesSummary {
  readonly seeds: number
  readonly notCounting: readonly string[]
  readonly verdicts: Readonly<Record<AuditVerdict, number>>
  readonly all: ModeFigures
  readonly byMode: Readonly<Record<string, ModeFigures>>
  readonly enteredAgain: number
  readonly control: { readonly ended: number; readonly moved: number; readonly readsPerMinute: number }
  readonly readsPerMinute: number
  /** Of probes, in USDC stakes lost. */
  readonly probed: { readonly ended: number; readonly unmoved: number; readonly exits: Readonly<Record<string, number>> }
}

const figuresOf = (contests: readonly AuditedContest[]): ModeFigures => ({
  ended: contests.length,
  unmoved: contests.filter(({ hasMoved }) => !hasMoved).length,
  unsaid: contests.filter(({ hasMoved, isSaid }) => !hasMoved && !isSaid).length,
})
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((a, b) => a + b, 0) / values.length)

export function summaryOf(batches: readonly BatchResult[]): ShapesSummary {
  const counting = batches.filter(({ counts }) => counts)
  const seeds = counting.flatMap((batch) => batch.seeds)
  const contests = seeds.flatMap(({ audit }) => audit.contests)
  const controls = counting.map(({ control }) => control)
  const controlled = figuresOf(controls.flatMap(({ audit }) => audit.contests))
  const verdict = (of: AuditVerdict) => seeds.filter(({ audit }) => audit.verdict === of).length
  const probes = seeds.flatMap(({ probe }) => (probe === undefined ? [] : [probe]))
  const probed = figuresOf(probes.flatMap(({ audit }) => audit.contests))
  const exits = Object.groupBy(probes, ({ exit }) => String(exit))
  return {
    seeds: seeds.length,
    notCounting: batches.filter(({ counts }) => !counts).map(({ batch }) => batch),
    verdicts: {
      fine: verdict('fine'),
      silentLoss: verdict('silentLoss'),
      saidLoss: verdict('saidLoss'),
      neverStarted: verdict('neverStarted'),
    },
    all: figuresOf(contests),
    byMode: Object.fromEntries(
      [...new Set(contests.map(({ mode }) => mode))]
        .toSorted()
        .map((mode) => [mode, figuresOf(contests.filter((contest) => contest.mode === mode))]),
    ),
    enteredAgain: seeds.reduce((sum, { audit }) => sum + audit.enteredAgain, 0),
    control: {
      ended: controlled.ended,
      moved: controlled.ended - controlled.unmoved,
      readsPerMinute: mean(controls.map(({ readsPerMinute }) => readsPerMinute)),
    },
    readsPerMinute: mean(seeds.map(({ readsPerMinute }) => readsPerMinute)),
    probed: {
      ended: probed.ended,
      unmoved: probed.unmoved,
      exits: Object.fromEntries(Object.entries(exits).map(([exit, each]) => [exit, each?.length ?? 0])),
    },
  }
}

export function tableOf(summary: ShapesSummary): string {
  const { verdicts, all, byMode, control, probed } = summary
  const rows = [
    ['seeds that count', `${summary.seeds}`],
    ['fine', `${verdicts.fine}`],
    ['silent loss', `${verdicts.silentLoss}`],
    ['said loss', `${verdicts.saidLoss}, entered again ${summary.enteredAgain} times in all`],
    ['never started', `${verdicts.neverStarted}`],
    ['contests ended', `${all.ended}, without a move ${all.unmoved}, of those unsaid ${all.unsaid}`],
    ...Object.entries(byMode).map(([mode, { ended, unmoved, unsaid }]) => [
      `  ${mode}`,
      `${unmoved} of ${ended} without a move, ${unsaid} unsaid`,
    ]),
    ['control', `${control.moved} of ${control.ended} with a move`],
    ['reads a minute', `${summary.readsPerMinute}, control ${control.readsPerMinute}`],
    ...(Object.keys(probed.exits).length === 0
      ? []
      : [['probes', `exits ${JSON.stringify(probed.exits)}, contests ${probed.ended}, without a move ${probed.unmoved}`]]),
    ['batches that do not count', summary.notCounting.join(', ') || 'none'],
  ]
  return rows.map(([name = '', value]) => `${name.padEnd(26)} ${value}`).join('\n')
}
