import { type AnyMachine, BY_TEST_ALONE, transitionsOf } from './machines.ts'

const HEAD = `# Lifecycles

What becomes of an action, a ticket or seat, a swap or a figure is written down as a table of pure functions ([\`Machine\`](../src/pipeline/state/lifecycle.ts)): a state and a happening give the next state,
and all that is to be done. The driver (\`Lifecycle\`) is the only one that keeps and changes such states. It checks each move against the table, keeps the bot's deadlines in
step with those of the states, and has the rest carried out. A pair that is not below cannot be in a bot that lives; a replay of an older recording may have one. Should it be all the same, the state stays as it is, with the
money that it holds, and [\`LIFECYCLE_BROKEN\`](errors.md) says so; it ends no bot.

The tables are printed by \`test/lifecycles.test.ts\`, which fails when they are others; \`-u\` prints them anew. The machine's own test makes every move. The simulated
runs of \`test/system/botSimulation.test.ts\` make every move that is not in *italics*.
`

/** The tables as `docs/lifecycles.md` has them. */
export const printedLifecycles = (machines: readonly AnyMachine[]): string => [HEAD, ...machines.map(printed)].join('\n')

function printed(machine: AnyMachine): string {
  const states = Object.keys(machine.on)
  const happenings = [...new Set(transitionsOf(machine).map(({ happening }) => happening))]
  const alone = new Set(BY_TEST_ALONE[machine.name])
  const pairs = transitionsOf(machine)
  const cellOf = (state: string, happening: string) => {
    const { to = [] } = pairs.find((pair) => pair.state === state && pair.happening === happening)?.transition ?? {}
    return to.map((next) => (alone.has(`${state} ${happening} -> ${next}`) ? `*${next}*` : next)).join(', ')
  }
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const moves = pairs.reduce((sum, { transition }) => sum + transition.to.length, 0)
  return [
    `## ${machine.name}`,
    '',
    `${states.length} ${states.length === 1 ? 'state' : 'states'}, ${happenings.length} happenings, ${pairs.length} of ${states.length * happenings.length} pairs, ${moves} moves; ${alone.size} of them by test alone.`,
    '',
    row(['', ...happenings.map((happening) => `\`${happening}\``)]),
    row(['---', ...happenings.map(() => '---')]),
    ...states.map((state) => row([`\`${state}\``, ...happenings.map((happening) => cellOf(state, happening))])),
    '',
  ].join('\n')
}
