import type { Command } from 'commander'
import { repairLog } from '../../../recording/index.ts'
import { EXIT } from '../../exit.ts'
import { logPath, print } from '../../output.ts'

export function addRepair(logs: Command): void {
  logs
    .command('repair')
    .description('write a copy of a log without what is wrong with it, and say what was dropped')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .requiredOption('--out <dir>', 'the folder of the copy: empty, or yet to be made')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs repair .cornerman/recordings/alice --out alice-repaired')
    .action((path: string, { out, json }: { readonly out: string; readonly json?: boolean }) => {
      const { kept, mendings } = repairLog(path, out)
      const said = mendings.map(({ file, line, code, done }) => `${file}${line === 0 ? '' : `, line ${line}`}: ${code}: ${done}`)
      print(json, { kept, mendings }, [...said, `${out}: ${kept} lines kept`])
      process.exitCode = kept > 0 ? EXIT.done : EXIT.failed
    })
}
