import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
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

/** Reads the built page: `/` is its `index.html`. @throws what the file system throws where it is not built */
export async function readPage(folder: string): Promise<Page> {
  const assets = (await readdir(join(folder, 'assets'))).map((name) => `/assets/${name}`)
  const paths = [['/', '/index.html'] as const, ...assets.map((path) => [path, path] as const)]
  return new Map(
    await Promise.all(paths.map(async ([path, file]) => [path, await pageFileOf(await readFile(join(folder, file)), file)] as const)),
  )
}

/** A page that says one thing, for where the real one could not be built. */
export async function plainPage(message: string): Promise<Page> {
  const text = message.replace(/[<&]/g, (character) => `&#${character.charCodeAt(0)};`)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cornerman</title><h1>Cornerman</h1><p>${text}</p></html>\n`
  return new Map([['/', await pageFileOf(Buffer.from(html), 'index.html')]])
}

async function pageFileOf(bytes: Buffer, name: string): Promise<PageFile> {
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  return { type, bytes, compressed: await promisify(gzip)(bytes, { level: 9 }), tag: `"${hash('sha256', bytes).slice(0, 16)}"` }
}
