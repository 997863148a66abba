import type { Frame } from '../../stream/shown.ts'
import type { ConnectionState } from '../live/connection.ts'
import { STATES } from './states.ts'

interface Seen {
  readonly frame: Frame | undefined
  readonly state: ConnectionState
}

/** What has become worse or better between two moments, in sentences; figures that move are no news. */
export function announcementsOf(before: Seen, now: Seen): string[] {
  const news: string[] = []
  if (now.state === 'lost' && before.state !== 'lost') news.push('Connection lost, trying again.')
  if (now.state === 'open' && before.state === 'lost') news.push('Connected again.')
  if (before.frame === undefined || now.frame === undefined) return news
  if (now.frame.stopped !== before.frame.stopped) news.push(`All bots: ${STATES[now.frame.stopped]}.`)
  const old = new Map(before.frame.bots.map((bot) => [bot.name, bot]))
  for (const { name, severity, message, stopped } of now.frame.bots) {
    const was = old.get(name)
    if (was !== undefined && was.stopped !== stopped && now.frame.stopped === before.frame.stopped)
      news.push(`${name}: ${STATES[stopped]}.`)
    else if (was?.severity === severity) continue
    else if (severity === undefined) news.push(`${name} is well again.`)
    else if (severity !== 'info') news.push(`${severity === 'alarm' ? 'Alarm' : 'Warning'}: ${name}. ${message ?? ''}`)
  }
  return news
}
