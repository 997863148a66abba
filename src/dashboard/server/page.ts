import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly compressed: Buffer
  readonly tag: string
}

/** The page, in memory, by path: what is not in it cannot be asked for. */
export type Page = ReadonlyMap<string, PageFile>

/** A page of its files by path, such as `/` and `/assets/page.css`. */
export async function pageOf(files: ReadonlyMap<string, string>): Promise<Page> {
  return new Map(await Promise.all([...files].map(async ([path, content]) => [path, await pageFileOf(content, path)] as const)))
}

/** A page that says one thing, for where the real one could not be made. */
export async function plainPage(message: string): Promise<Page> {
  const text = message.replace(/[<&]/g, (character) => `&#${character.charCodeAt(0)};`)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cornerman</title><h1>Cornerman</h1><p>${text}</p></html>\n`
  return pageOf(new Map([['/', html]]))
}

async function pageFileOf(content: string, path: string): Promise<PageFile> {
  const bytes = Buffer.from(content)
  const type = TYPES[path === '/' ? '.html' : extname(path)] ?? 'application/octet-stream'
  return { type, bytes, compressed: await promisify(gzip)(bytes, { level: 9 }), tag: `"${hash('sha256', bytes).slice(0, 16)}"` }
}
