import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CornermanError, messageOf } from '../core/error.ts'
import { softwareVersions } from './software.ts'

/** As Node and V8 say it: there are no fields to read. */
const NOT_INSTALLED = /^Cannot find package '([^'/][^']*)' imported from (.+)$/
const NOT_EXPORTED = /module '(cornerman(?:\/[a-z]+)?)' does not provide an export named '([^']+)'/
const PLACE = /(?:file:\/\/)?(\/[^\s()]+?\.(?:ts|js|mjs|json):\d+)/

/** Why a file of the user's could not be imported, where, and what to do about it as far as that is known. */
export function importTrouble(thrown: unknown): string {
  const message = messageOf(thrown)
  const [, absent, importer = ''] = NOT_INSTALLED.exec(message) ?? []
  if (absent !== undefined) return `${absent}, which ${nameOf(importer)} imports, is not installed: npm install ${absent}`
  const [, door, missing] = NOT_EXPORTED.exec(message) ?? []
  const remedy =
    missing === undefined ? '' : `: check its spelling; what a newer ${door} has, ${softwareVersions().cornerman}, which this is, has not`
  return `${placeOf(thrown)}${message}${remedy}`
}

const nameOf = (importer: string): string => relative(process.cwd(), importer.startsWith('file:') ? fileURLToPath(importer) : importer)

/** The place in a file of ours that an import failed at, where the error says one. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || thrown instanceof CornermanError) return ''
  const place = PLACE.exec(thrown.stack ?? '')?.[1]
  return place === undefined || place.includes('/node_modules/') ? '' : `${relative(process.cwd(), place)}: `
}
