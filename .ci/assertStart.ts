// `node .ci/assertStart.ts FILE CODE`: exit 1 unless a good `npm start -- --json` wrote FILE and exited with CODE.

import { readFileSync } from 'node:fs'
import { startProblems } from './startProblems.ts'

const [file, exitCode] = process.argv.slice(2)
if (file === undefined || exitCode === undefined) throw new Error('usage: node .ci/assertStart.ts FILE CODE')

const output = readFileSync(file, 'utf8')
const problems = startProblems(output, Number(exitCode))
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? `start: good: ${output.trim()}` : `start: ${problems.length} problems in ${output.trim()}`)
process.exitCode = problems.length === 0 ? 0 : 1
