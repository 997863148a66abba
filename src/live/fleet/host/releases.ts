import type { FleetSight } from './fleetHost.ts'
import { UNHEARD_MS } from './serviceHearing.ts'

/** A bot that its host is to let go of, for another one. */
export interface Release {
  readonly bot: string
  readonly to: string
  readonly why: 'wished' | 'draining' | 'version' | 'unheard'
}

export interface Holder {
  readonly run: string
  readonly host: string
  readonly version: string
  /** Hosts that could take a bot over, in the order in which they would. */
  heirsOf(bot: string): readonly string[]
}

/**
 * Which of the bots that a host plays are to go elsewhere: those that somebody wishes at another host, all of a host that is to be empty, all of
 * one whose version is not the wanted one, and all of one that the service does not answer while it answers another. While no host could take a bot it
 * is played on where it is.
 */
export function releasesOf({ bots, hosts, wanted }: Pick<FleetSight, 'bots' | 'hosts' | 'wanted'>, holder: Holder): Release[] {
  const own = hosts.find(({ run }) => run === holder.run)
  const isDraining = own?.draining === true
  const isDeaf = (own?.unheard ?? 0) >= UNHEARD_MS
  const hearing = new Set(hosts.filter(({ isAlive, unheard }) => isAlive && unheard === 0).map(({ host }) => host))
  const isOutdated = wanted !== undefined && wanted !== holder.version
  return bots
    .filter(({ run }) => run === holder.run)
    .flatMap(({ bot, wish }): Release[] => {
      const isWishedElsewhere = wish !== null && wish !== holder.host
      // Most bots stay: no search for heirs.
      if (!isWishedElsewhere && !isDraining && !isOutdated && !isDeaf) return []
      const heirs = holder.heirsOf(bot)
      const [heir] = heirs
      const hearingHeir = heirs.find((one) => hearing.has(one))
      if (isWishedElsewhere && heirs.includes(wish)) return [{ bot, to: wish, why: 'wished' }]
      if (heir !== undefined && (isDraining || isOutdated)) return [{ bot, to: heir, why: isDraining ? 'draining' : 'version' }]
      return isDeaf && hearingHeir !== undefined ? [{ bot, to: hearingHeir, why: 'unheard' }] : []
    })
}
