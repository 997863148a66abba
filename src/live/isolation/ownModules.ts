import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** An import as it stands in a module, and where it leads: a file, or another kind of module by its URL. */
export interface OwnImport {
  readonly specifier: string
  readonly leadsTo: string
}

const files = new Set<string>()
const imports = new Map<string, OwnImport[]>()

// From here on: a config is imported after this. What is in the cache already is not resolved again.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const leadsTo = resolved.url.startsWith('file:') ? fileURLToPath(resolved.url) : resolved.url
    if (leadsTo !== resolved.url) files.add(leadsTo)
    if (context.parentURL?.startsWith('file:')) addTo(fileURLToPath(context.parentURL), { specifier, leadsTo })
    return resolved
  },
})

function addTo(importer: string, found: OwnImport): void {
  const before = imports.get(importer)
  if (before === undefined) imports.set(importer, [found])
  else before.push(found)
}

/** The files that modules were loaded from so far: the code of a config is among them, and nothing that it does not import. */
export const ownModules = (): readonly string[] => [...files]

/** What a file that was loaded has imported so far. */
export const ownImports = (file: string): readonly OwnImport[] => imports.get(file) ?? []
