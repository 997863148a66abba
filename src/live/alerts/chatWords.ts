import type { OperatorCommand } from '../../pipeline/index.ts'

export type ChatCommand = Exclude<OperatorCommand, 'drain'>
export type ProfitPeriod = 'day' | 'week'

/** Texts and commands of the bots for a chat. */
export interface ChatDesk {
  readonly bots: readonly string[]
  status(): string
  /** @param period the last 24 hours or seven days; undefined: of the journal's life */
  profit(period: ProfitPeriod | undefined): string
  /** Covers the last 24 hours. */
  summary(): string
  /**
   * Does what the owner has confirmed.
   *
   * @param bot only this one; undefined: all
   * @returns what still stops more than this; undefined where nothing does
   */
  say(command: ChatCommand, bot: string | undefined): string | undefined | Promise<string | undefined>
}

export interface ChatLog {
  info(message: string): void
  warn(message: string): void
}

export const COMMANDS = { stop: 'stopEntries', stopnow: 'stopAll', resume: 'resume' } as const satisfies Record<string, ChatCommand>

export type Stopping = keyof typeof COMMANDS

export const WORDS: Readonly<Record<ChatCommand, { readonly asks: string; readonly button: string; readonly done: string }>> = {
  stopEntries: {
    asks: 'Stop entries? Nothing new is entered; what is open is played to its end.',
    button: 'Stop entries',
    done: 'entries are stopped',
  },
  stopAll: {
    asks: 'Kill switch? No entries and no swaps; tickets and open seats are taken back, reveals go on.',
    button: 'Stop everything',
    done: 'kill switch: everything is stopped',
  },
  resume: { asks: 'Resume? Entries and swaps are allowed again, within the limits of the guard.', button: 'Resume', done: 'resumed' },
}

export const HELP = [
  '/status: how the bots stand',
  '/profit [day|week]: what was won and lost',
  '/stop [bot]: no new entries',
  '/stopnow [bot]: kill switch',
  '/resume [bot]: play on',
].join('\n')

/** The command of a message that grammy has found one of ours in. */
export function commandIn(text = ''): ChatCommand {
  const name = /^\/(\w+)/.exec(text)?.[1] as Stopping
  return COMMANDS[name]
}
