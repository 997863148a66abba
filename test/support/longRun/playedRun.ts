import { auditOf, type LoggedLine } from '../../shapes/audit.ts'

// What a run came to by the sandbox's own file, and what the bots' log said of the stakes that were lost without a move.

const HOUR_MS = 3_600_000

export interface RunLine extends LoggedLine {
  readonly bot?: string
  readonly code?: string
  readonly contestId?: string
  readonly hindrance?: string
}

/** A stake of a settled contest in which the sandbox saw no valid move of the bot. */
export interface LostStake {
  readonly bot: string
  readonly mode: string
  readonly contestId: string
  /** micro-USDC. */
  readonly stake: bigint
  /** Unix milliseconds. */
  readonly enteredAt: number
  readonly endedAt: number
  /** The hindrance in the bot's `UNPLAYED` line; undefined: the bot has not said it. */
  readonly reason: string | undefined
}

export interface PlayedRun {
  readonly playedMs: number
  readonly settled: number
  /** micro-USDC. */
  readonly staked: bigint
  readonly settledByMode: Readonly<Record<string, number>>
  readonly lost: readonly LostStake[]
  /** Contests whose `UNPLAYED` line is wrong: the sandbox saw a move. */
  readonly wronglySaid: readonly string[]
}

export interface RunToJudge {
  /** The sandbox's file. The sandbox is closed. */
  readonly file: string
  readonly agents: readonly { readonly name: string; readonly agentId: string }[]
  readonly lines: readonly RunLine[]
  readonly playedMs: number
}

export function playedRunOf({ file, agents, lines, playedMs }: RunToJudge): PlayedRun {
  const contests = agents.flatMap(({ name, agentId }) =>
    auditOf({ file, agentId, lines }).contests.map((contest) => ({ bot: name, ...contest })),
  )
  const said = lines.filter(({ code }) => code === 'UNPLAYED')
  const reasonOf = (bot: string, contestId: string) => said.find((line) => line.bot === bot && line.contestId === contestId)?.hindrance
  const settledByMode: Record<string, number> = {}
  for (const { mode } of contests) settledByMode[mode] = (settledByMode[mode] ?? 0) + 1
  const lost = contests
    .filter(({ hasMoved }) => !hasMoved)
    .map(({ bot, mode, contestId, stake, enteredAt, endedAt }) => {
      return { bot, mode, contestId, stake, enteredAt, endedAt, reason: reasonOf(bot, contestId) }
    })
  return {
    playedMs,
    settled: contests.length,
    staked: contests.reduce((sum, { stake }) => sum + stake, 0n),
    settledByMode,
    lost,
    wronglySaid: said
      .filter(({ bot, contestId }) => !lost.some((stake) => stake.bot === bot && stake.contestId === contestId))
      .map(({ bot, contestId, hindrance }) => `${bot} ${contestId} ${hindrance}`),
  }
}

const usdcText = (micro: bigint) => `${(Number(micro) / 1e6).toFixed(2)} USDC`

/** The run for a person who reads the output of the suite. */
export function playedRunText({ playedMs, settled, staked, settledByMode, lost }: PlayedRun): string {
  const anHour = (count: number) => ((count * HOUR_MS) / playedMs).toFixed(1)
  return [
    `${settled} contests settled in ${(playedMs / 60_000).toFixed(1)} minutes, ${usdcText(staked)} staked; ${anHour(settled)} contests an hour`,
    ...Object.entries(settledByMode)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([mode, count]) => `  ${mode.padEnd(18)} ${String(count).padStart(5)} settled, ${anHour(count)} an hour`),
    `${lost.length} lost without a move, ${usdcText(lost.reduce((sum, { stake }) => sum + stake, 0n))}`,
    ...lost.map(({ bot, mode, contestId, stake, reason }) => `  ${bot}: ${mode} ${contestId} ${usdcText(stake)}: ${reason ?? 'not said'}`),
  ].join('\n')
}
