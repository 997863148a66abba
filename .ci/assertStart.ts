// `node .ci/assertStart.ts FILE`: exit 1 unless FILE holds the result of a good `npm start -- --json`.

import { readFileSync } from 'node:fs'
import { startProblems } from './startProblems.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node .ci/assertStart.ts FILE')

const output = readFileSync(file, 'utf8')
const problems = startProblems(output)
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? `start: good: ${output.trim()}` : `start: ${problems.length} problems in ${output.trim()}`)
process.exitCode = problems.length === 0 ? 0 : 1
