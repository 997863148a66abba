import type { Command } from 'commander'

/** Every command of a program, each before its subcommands. */
const commandsOf = (program: Command): readonly Command[] => program.commands.flatMap((command) => [command, ...commandsOf(command)])

const nameOf = (command: Command): string => (command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name())

/** The text of docs/commands.md. */
export const commandsPage = (program: Command): string => `---
title: Commands
---

# Commands

Every command with its options. \`--help\` behind a command shows the same, with an example.

The page is made from the code: \`npm exec -- vitest run --project fast test/commandsDocs.test.ts -u\` writes it.
${commandsOf(program).map(sectionOf).join('')}`

function sectionOf(command: Command): string {
  const help = command.createHelp()
  const taken = [
    ...help.visibleArguments(command).map((each) => ({ term: help.argumentTerm(each), purpose: help.argumentDescription(each) })),
    ...command.options.map((each) => ({
      term: each.flags,
      purpose: `${help.optionDescription(each)}${each.mandatory ? ' (required)' : ''}`,
    })),
  ]
  return `
## \`${nameOf(command)}\`

\`${help.commandUsage(command)}\`: ${help.commandDescription(command)}
${taken.length === 0 ? '' : `\n${taken.map(({ term, purpose }) => `- \`${term}\`: ${purpose}\n`).join('')}`}`
}

/** Commands and options of a program that say nothing of their purpose. */
export const unexplainedIn = (program: Command): readonly string[] =>
  commandsOf(program).flatMap((command) => [
    ...(command.description() === '' ? [nameOf(command)] : []),
    ...command.options.filter(({ description }) => description === '').map(({ flags }) => `${nameOf(command)} ${flags}`),
  ])
