import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cornermanProgram } from '../src/cli/program.ts'
import { commandsPage, unexplainedIn } from './support/docs/commandsPage.ts'

// docs/commands.md has every command and every option, each with its purpose.

const PAGE = '../docs/commands.md'
const program = () => cornermanProgram(() => {})

test('docs/commands.md is what the code makes of the commands; -u writes it anew', async () => {
  await expect(commandsPage(program())).toMatchFileSnapshot(PAGE)
})

test('each command and each option says its purpose', () => {
  expect(unexplainedIn(program())).toEqual([])
})

test.each(['planted', 'logs planted', 'start --planted', 'logs check --planted'])('a new one without documents is found: %s', (planted) => {
  const path = planted.split(' ')
  const name = path.pop() ?? ''
  const whole = program()
  const parent = path.reduce((at, part) => at.commands.find((command) => command.name() === part) ?? at, whole)
  if (name.startsWith('--')) parent.option(name)
  else parent.command(name)
  expect(unexplainedIn(whole)).toEqual([planted])
  expect(commandsPage(whole)).not.toBe(readFileSync(new URL(PAGE, import.meta.url), 'utf8'))
})
