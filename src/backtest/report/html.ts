// Markup by tagged template: whatever is put into it is text and is escaped, but for markup made in the same way.

const markup: unique symbol = Symbol('markup')

/** HTML that is well formed and safe as it stands. Only this file makes any. */
export interface Markup {
  readonly [markup]: string
}

type Part = Markup | string | number | readonly Markup[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function textOf(part: Part): string {
  if (typeof part === 'object') return markup in part ? part[markup] : part.map(textOf).join('')
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** @example html`<td>${bot.name}</td>` // a name of `<b>` is shown, not obeyed */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { [markup]: String.raw({ raw: strings }, ...parts.map(textOf)) }
}

/** The content of a `script` or `style` element, which HTML reads as it stands, up to the end tag that must not be in it. */
export function verbatim(content: string): Markup {
  return { [markup]: content.replace(/<(?=\/(?:script|style)|!--)/gi, '\\x3c') }
}

/** JSON for a `script` of data: no `<` is left in it, so that nothing in it can end the script. */
export function json(value: unknown): Markup {
  return { [markup]: JSON.stringify(value).replaceAll('<', '\\u003c') }
}

/** The text of a page. */
export function render(page: Markup): string {
  return page[markup]
}
