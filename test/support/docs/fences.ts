/** A fenced code block of a page. */
export interface Fence {
  /** The page, and the line the block begins at, for a message. */
  readonly page: string
  readonly line: number
  /** The word after the backticks; empty where there is none. */
  readonly language: string
  readonly code: string
}

/** The code blocks of a page of Markdown, in their order, without the indentation of a list they stand in. */
export function fencesOf(page: string, markdown: string): readonly Fence[] {
  const fences: Fence[] = []
  const lines = markdown.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const open = /^(\s*)```(\S*)\s*$/.exec(lines[index] ?? '')
    if (open === null) continue
    const [, indent = '', language = ''] = open
    const line = index + 1
    const code: string[] = []
    for (index++; index < lines.length && lines[index]?.trim() !== '```'; index++) {
      const text = lines[index] ?? ''
      code.push(text.startsWith(indent) ? text.slice(indent.length) : text)
    }
    if (index >= lines.length) throw new Error(`${page}:${line}: the block is not closed`)
    fences.push({ page, line, language, code: code.join('\n') })
  }
  return fences
}
