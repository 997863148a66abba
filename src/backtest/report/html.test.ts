import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html, json, render, verbatim } from './html.ts'

describe('html', () => {
  test('escapes text, and not the markup made by itself', () => {
    const name = '<img src=x onerror="alert(1)">&\''
    const cells = [html`<td>${name}</td>`, html`<td>${2}</td>`]
    expect(render(html`<tr>${cells}</tr>`)).toBe('<tr><td>&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;</td><td>2</td></tr>')
  })

  test('lets no text out of its element or attribute', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(render(html`${text}`)).not.toMatch(/[<>"']/)
      }),
    )
  })
})

describe('json', () => {
  test('is read back as it was, and ends no script', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = render(json(value))
        expect(text).not.toContain('<')
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value))
      }),
    )
    expect(render(json('</script><!--'))).toBe('"\\u003c/script>\\u003c!--"')
  })
})

test('verbatim leaves no end of a script in its texts', () => {
  expect(render(verbatim('if (1 < 2) say("</SCRIPT><!--")'))).toBe('if (1 < 2) say("\\x3c/SCRIPT>\\x3c!--")')
})
