import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { transformSync } from 'oxc-transform'
import { invariant } from '../../core/error.ts'

const SOURCES = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = join(SOURCES, 'dashboard/page')
const PACKAGES = `${sep}node_modules${sep}`

/** What a browser takes of a package whose door for Node it cannot read. */
const FOR_BROWSERS: Readonly<Record<string, string>> = { uplot: 'uplot/dist/uPlot.esm.js' }

/**
 * Makes the dashboard's page of its sources: what a browser asks for, by path. Modules stay modules, with their types and JSX taken
 * out and their imports turned into addresses; what they need of packages comes along. Every address holds a hash of the whole,
 * so that it may be kept for ever.
 *
 * @throws {Error} a source that cannot be read or has a mistake in its syntax
 */
export async function buildPage(): Promise<ReadonlyMap<string, string>> {
  await init
  const modules = new Modules()
  const script = modules.add(join(PAGE, 'main.tsx'))
  const assets = new Map([
    ...modules.byPath,
    ['page.css', styleOf(join(PAGE, 'styles/main.css'))],
    ['icon.svg', readFileSync(join(PAGE, 'icon.svg'), 'utf8')],
  ])
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const root = `/assets/${hash('sha256', JSON.stringify([html, ...assets])).slice(0, 16)}/`
  // All are asked for at once, and not one after the other's imports have been read.
  const preloads = [...modules.byPath.keys()].map((path) => `    <link rel="modulepreload" href="${root}${path}" />\n`).join('')
  const addresses = { './icon.svg': 'icon.svg', './styles/main.css': 'page.css', './main.tsx': script }
  const addressed = Object.entries(addresses).reduce((text, [from, to]) => {
    invariant(text.includes(`"${from}"`), `index.html does not ask for ${from}`)
    return text.replace(`"${from}"`, `"${root}${to}"`)
  }, html)
  return new Map([
    ['/', addressed.replace('  </head>', `${preloads}  </head>`)],
    ...[...assets].map(([path, content]): [string, string] => [`${root}${path}`, content]),
  ])
}

/** The modules that a first one needs, each made once. */
class Modules {
  /** Code by path below the root of the assets. */
  readonly byPath = new Map<string, string>()

  /** Adds a module and all that it imports. @returns its path */
  add(file: string): string {
    const path = pathOf(file)
    if (this.byPath.has(path)) return path
    // Taken before its imports are followed: two modules may need each other.
    this.byPath.set(path, '')
    const source = readFileSync(file, 'utf8')
    const code = file.includes(PACKAGES) ? source : withoutTypes(file, source)
    let made = ''
    let read = 0
    for (const { type, specifier, start, end } of parse(code)[0]) {
      if (type !== 'static' && type !== 'reexport-star') continue
      const address = posix.relative(posix.dirname(path), this.add(fileOf(specifier, file)))
      made += `${code.slice(read, start)}${address.startsWith('.') ? address : `./${address}`}`
      read = end
    }
    this.byPath.set(path, made + code.slice(read))
    return path
  }
}

function withoutTypes(file: string, source: string): string {
  const { code, errors } = transformSync(file, source, {
    typescript: { onlyRemoveTypeImports: true },
    jsx: { runtime: 'automatic', importSource: 'preact' },
  })
  const [first] = errors
  if (first !== undefined) throw new Error(`${relative(SOURCES, file)}: ${first.message}`)
  return code
}

/** The file that an import leads to. */
function fileOf(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
  return fileURLToPath(import.meta.resolve(FOR_BROWSERS[specifier] ?? specifier))
}

function pathOf(file: string): string {
  const place = file.lastIndexOf(PACKAGES)
  const path = place === -1 ? relative(SOURCES, file) : join('packages', file.slice(place + PACKAGES.length))
  return path.replaceAll(sep, '/').replace(/\.(?:tsx?|mjs)$/, '.js')
}

/** A style sheet with those that it imports put in. */
function styleOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/^@import "([^"]+)";$/gm, (_line, specifier: string) => styleOf(fileOf(specifier, file)))
}
