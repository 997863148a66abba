import type { FleetSight } from './fleetHost.ts'

/** A bot that its host is to let go of, for another one. */
export interface Release {
  readonly bot: string
  readonly to: string
  readonly why: 'wished' | 'draining' | 'version'
}

export interface Holder {
  readonly run: string
  readonly host: string
  readonly version: string
  /** Hosts that could take a bot over, in the order in which they would. */
  heirsOf(bot: string): readonly string[]
}

/**
 * Which of the bots that a host plays are to go elsewhere: those that somebody wishes at another host, all of a host that is to be empty, and
 * all of one whose version is not the wanted one. While no host could take a bot it is played on where it is.
 */
export function releasesOf({ bots, hosts, wanted }: Pick<FleetSight, 'bots' | 'hosts' | 'wanted'>, holder: Holder): Release[] {
  const isDraining = hosts.some(({ run, draining }) => run === holder.run && draining)
  const isOutdated = wanted !== undefined && wanted !== holder.version
  return bots
    .filter(({ run }) => run === holder.run)
    .flatMap(({ bot, wish }): Release[] => {
      const heirs = holder.heirsOf(bot)
      const [heir] = heirs
      if (wish !== null && wish !== holder.host && heirs.includes(wish)) return [{ bot, to: wish, why: 'wished' }]
      if (heir === undefined || !(isDraining || isOutdated)) return []
      return [{ bot, to: heir, why: isDraining ? 'draining' : 'version' }]
    })
}
