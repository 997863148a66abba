import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const textOf = (url: string) => readFileSync(fileURLToPath(url), 'utf8')
const own = (file: string) => textOf(new URL(`browser/${file}`, import.meta.url).href)
const ofCharts = (file: string) => textOf(new URL(`../../charts/${file}`, import.meta.url).href)

/** Everything the page runs and is dressed in. uPlot comes as built for browsers, under the notice its licence asks for. */
export function readAssets(): { readonly style: string; readonly script: string } {
  const notice = `/*\n${textOf(import.meta.resolve('uplot/LICENSE'))}*/`
  return {
    style: [textOf(import.meta.resolve('uplot/dist/uPlot.min.css')), own('report.css'), ofCharts('charts.css')].join('\n'),
    script: [notice, textOf(import.meta.resolve('uplot/dist/uPlot.iife.min.js')), asScript(ofCharts('charts.js')), own('report.js')].join(
      '\n',
    ),
  }
}

/** A module as part of a script: what it imports is a global there, and so is what it declares. */
const asScript = (module: string) => module.replace(/^import .*$/gm, '').replace(/^export /gm, '')
