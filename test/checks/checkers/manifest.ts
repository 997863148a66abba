import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Checker, Finding, Plant } from '../checker.ts'

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const

const versionsSchema = z.record(z.string(), z.string()).default({})
const manifestSchema = z.looseObject({
  dependencies: versionsSchema,
  optionalDependencies: versionsSchema,
  devDependencies: versionsSchema,
})
const packageSchema = z.looseObject({ resolved: z.string().optional(), integrity: z.string().optional() })
const lockSchema = z.looseObject({ packages: z.record(z.string(), packageSchema) })

const EXACT_OR_TILDE = /^~?\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** package.json and the lock file: what is installed is what was chosen, from whatever registry the user has. */
export const manifest: Checker = {
  name: 'manifest',
  counts: 'packages',
  scan: async (tree) => {
    const chosen = manifestSchema.parse(JSON.parse(tree.read('package.json')))
    const { '': root, ...installed } = lockSchema.parse(JSON.parse(tree.read('package-lock.json'))).packages
    const locked = manifestSchema.parse(root)
    const findings = [
      ...KINDS.flatMap((kind) => Object.entries(chosen[kind]).flatMap(looseVersion)),
      ...KINDS.filter((kind) => !isDeepStrictEqual(chosen[kind], locked[kind])).map(staleLock),
      ...Object.entries(installed).flatMap(lockEntry),
    ]
    return { scanned: Object.keys(installed).length, findings }
  },
  plants: [
    { ...plant('loose-version', 'package.json', /"zod": "[^"]*"/, '"zod": "^4.6.7"'), says: 'zod' },
    { ...plant('loose-version', 'package.json', /"rxjs": "[^"]*"/, '"rxjs": "*"'), says: 'rxjs' },
    { ...plant('loose-version', 'package.json', /"vitest": "[^"]*"/, '"vitest": "github:vitest-dev/vitest"'), says: 'vitest' },
    { ...plant('stale-lock', 'package-lock.json', /"eslint": "[^"]*"/, '"eslint": "~1.0.0"'), says: 'devDependencies' },
    plant(
      'download-address',
      'package-lock.json',
      /"integrity": /,
      '"resolved": "https://registry.invalid/planted.tgz",\n      "integrity": ',
    ),
    plant('no-integrity', 'package-lock.json', /"integrity": "[^"]*",?\s*"license"/, '"license"'),
  ],
  innocents: {},
}

function looseVersion([name, version]: [string, string]): Finding[] {
  if (EXACT_OR_TILDE.test(version)) return []
  const message = `${name} is asked for as ${version}: an exact version or a tilde range, such as 1.2.3 or ~1.2.3`
  return [{ file: 'package.json', rule: 'loose-version', message }]
}

function staleLock(kind: string): Finding {
  return { file: 'package-lock.json', rule: 'stale-lock', message: `its ${kind} are not those of package.json: run npm install` }
}

function lockEntry([path, { resolved, integrity }]: [string, z.output<typeof packageSchema>]): Finding[] {
  const file = 'package-lock.json'
  const findings: Finding[] = []
  if (resolved !== undefined) {
    findings.push({
      file,
      rule: 'download-address',
      message: `${path} is tied to ${resolved}: run npm install with the .npmrc of the project`,
    })
  }
  if (integrity === undefined) findings.push({ file, rule: 'no-integrity', message: `${path} has no hash to check the download by` })
  return findings
}

function plant(rule: string, file: string, from: RegExp, to: string): Plant {
  return { rule, file, files: { [file]: (before) => before.replace(from, to) } }
}
