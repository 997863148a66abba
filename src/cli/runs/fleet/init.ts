import { type FleetFitness, fitnessOf } from '../../../live/fleet/index.ts'
import { EXIT } from '../../exit.ts'
import { print } from '../../output.ts'
import { BotFleet, type FleetPlace, patiently } from './botFleet.ts'

export interface InitOptions extends FleetPlace {
  /** The role that hosts come with, where it is another than that of the owner. */
  readonly role?: string
  readonly json?: boolean
}

/** Makes the tables of a fleet, and says what its database lacks. @throws CornermanError what a fleet is refused with */
export async function initFleet(options: InitOptions): Promise<number> {
  const fleet = await BotFleet.open(options, true)
  const { url, durability } = fleet.settings
  try {
    if (options.role !== undefined) await grant(fleet, options.role)
    const fitness = await patiently(() => fitnessOf(fleet.connection, url, durability))
    const { version, lacking } = fitness
    const lines =
      lacking.length === 0
        ? ['it has all that is needed: cornerman start --fleet on each host']
        : lacking.map(({ words, code }) => `${words} [${code}]`)
    print(options.json, { fleet: fleet.id, ...shownFitness(fitness) }, [`fleet ${fleet.id}, on PostgreSQL ${version}`, ...lines])
    return lacking.length === 0 ? EXIT.done : EXIT.usage
  } finally {
    fleet.close()
  }
}

/** As the documents of commands have it. */
export const shownFitness = ({
  version,
  durability,
  synchronousCommit,
  synchronousStandbyNames,
  isEncrypted,
  system,
  lacking,
}: FleetFitness) => ({
  postgres: version,
  ...{ durability, synchronousCommit, synchronousStandbyNames, isEncrypted, system: system ?? null },
  lacking: lacking.map(({ code, words }) => ({ code, message: words })),
})

async function grant(fleet: BotFleet, role: string): Promise<void> {
  const name = `"${role.replaceAll('"', '""')}"`
  await fleet.ask(`
    GRANT USAGE ON SCHEMA cornerman_fleet TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA cornerman_fleet TO ${name};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA cornerman_fleet TO ${name};`)
}
