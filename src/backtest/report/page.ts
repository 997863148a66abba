import { hash } from 'node:crypto'
import { html, type Markup, render, verbatim } from './html.ts'

export interface PageOptions {
  readonly title: string
  readonly style: string
  /** What it runs; undefined of a page that runs nothing. */
  readonly script?: string
  readonly body: Markup
}

/** One HTML file that asks the network for nothing: it opens from a disk, and can be sent and kept. */
export function pageOf({ title, style, script, body }: PageOptions): string {
  const styles = verbatim(style)
  const scripts = script === undefined ? undefined : verbatim(script)
  // By their hashes alone: should markup of others ever get into the page, the browser does not obey it.
  const obeyed = scripts === undefined ? '' : `; script-src '${integrity(scripts)}'`
  const policy = `default-src 'none'; style-src '${integrity(styles)}'${obeyed}`
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
${body}${
  scripts === undefined
    ? html``
    : html`<script>${scripts}</script>
`
}</body>
</html>
`)
}

const integrity = (content: Markup) => `sha256-${hash('sha256', render(content), 'base64')}`
