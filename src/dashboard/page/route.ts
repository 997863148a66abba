import type { Place } from '../stream/shown.ts'

/** What the address bar names: `#/`, `#/bots/alice`, `#/bots/alice/contests/<id>`. Anything else is the fleet. */
export function placeOf(hash: string): Place {
  const [bots, bot, contests, contestId] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  if (bots !== 'bots' || bot === undefined || bot === '') return { kind: 'fleet' }
  return contests === 'contests' && contestId !== undefined && contestId !== '' ? { kind: 'contest', bot, contestId } : { kind: 'bot', bot }
}

export function hashOf(place: Place): string {
  switch (place.kind) {
    case 'fleet':
      return '#/'
    case 'bot':
      return `#/bots/${encodeURIComponent(place.bot)}`
    case 'contest':
      return `#/bots/${encodeURIComponent(place.bot)}/contests/${encodeURIComponent(place.contestId)}`
  }
}

/** Where the stream of a place comes from. */
export function streamOf(place: Place): string {
  const query = new URLSearchParams({ view: place.kind })
  if (place.kind !== 'fleet') query.set('bot', place.bot)
  if (place.kind === 'contest') query.set('id', place.contestId)
  return `/stream?${query}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
