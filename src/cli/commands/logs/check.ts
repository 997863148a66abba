import type { Command } from 'commander'
import { checkLog } from '../../../recording/index.ts'
import { EXIT } from '../../exit.ts'
import { logPath, print } from '../../output.ts'

export function addCheck(logs: Command): void {
  logs
    .command('check')
    .description('everything that is wrong with a log; exit code 1 where there is something')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs check .cornerman/recordings/alice --json')
    .action((path: string, { json }: { readonly json?: boolean }) => {
      const problems = checkLog(path)
      print(
        json,
        { problems },
        problems.length === 0 ? [`${path}: nothing is wrong`] : problems.map(({ code, message }) => `${code} ${message}`),
      )
      process.exitCode = problems.length === 0 ? EXIT.done : EXIT.failed
    })
}
