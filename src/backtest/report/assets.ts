import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const textOf = (url: string) => readFileSync(fileURLToPath(url), 'utf8')
const own = (file: string) => textOf(new URL(`browser/${file}`, import.meta.url).href)

/** Everything the page runs and is dressed in. uPlot comes as built for browsers, under the notice its licence asks for. */
export function readAssets(): { readonly style: string; readonly script: string } {
  return {
    style: `${textOf(import.meta.resolve('uplot/dist/uPlot.min.css'))}\n${own('report.css')}`,
    script: `/*\n${textOf(import.meta.resolve('uplot/LICENSE'))}*/\n${textOf(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}\n${own('report.js')}`,
  }
}
