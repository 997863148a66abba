import type { Command } from 'commander'
import { logPath } from '../../output.ts'
import type { CheckOptions } from '../../runs/logs/check.ts'

export function addCheck(logs: Command): void {
  logs
    .command('check')
    .description('list everything that is wrong with a log or a journal, and change nothing; exit code 1 if anything is')
    .argument('<path>', "a recording's folder, or one segment; a bot's journal (.db), or a data directory for all of its journals", logPath)
    .option('--agent <id>', 'for a journal: the agent that it must belong to')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  npm run cornerman -- logs check .cornerman/recordings/alice --json
  npm run cornerman -- logs check .cornerman/bots/alice.db
  npm run cornerman -- logs check .cornerman`,
    )
    .action(async (path: string, options: CheckOptions) => {
      const { check } = await import('../../runs/logs/check.ts')
      process.exitCode = check(path, options)
    })
}
