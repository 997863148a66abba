// What the dashboard's page and the backtest's report draw their charts with. It runs in browsers as it stands here: the page loads it as
// a module, the report has its text in its one script, where uPlot is a global.

import uPlot from 'uplot'

/** @typedef {import('uplot').AlignedData} AlignedData */
/** @typedef {import('uplot').Axis} Axis */
/** @typedef {import('uplot').Options} Options */
/** @typedef {import('uplot').Series} Series */

const SERIES_COLOURS = 6

// Colours

/** Tells when colours are others: a canvas, which no style sheet dresses, has to be drawn again. */
const themeChanges = new EventTarget()

export const sayThemeChanged = () => themeChanges.dispatchEvent(new Event('change'))
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', sayThemeChanged)

const probe = document.createElement('span')
probe.hidden = true

/**
 * A colour of the style sheet as a canvas takes it, in the theme of now.
 *
 * @param {string} name
 * @returns {string}
 */
export function colour(name) {
  probe.style.color = `var(--${name})`
  if (!probe.isConnected) document.body.append(probe)
  return getComputedStyle(probe).color
}

// Figures

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', minimumFractionDigits: 2, signDisplay: 'exceptZero' })

/**
 * `+1.25%`, of a share of 0.0125.
 *
 * @param {number} share
 */
const percentText = (share) => percent.format(share)

// Axes

/**
 * An axis in the colours of the page.
 *
 * @param {Axis} own
 * @returns {Axis}
 */
export const axis = (own) => ({
  stroke: () => colour('soft'),
  grid: { stroke: () => colour('rule'), width: 1 },
  ticks: { show: false },
  font: '12px system-ui, sans-serif',
  ...own,
})

/** An axis of shares, as percentages. */
export const percentAxis = axis({ size: 62, values: (_chart, shares) => shares.map(percentText) })

/**
 * The time of day, as fine as the ticks are apart, with the day beneath where it changes.
 *
 * @param {string} [timeZone] by default the browser's
 * @returns {Axis}
 */
export function timeAxis(timeZone) {
  /** @param {Intl.DateTimeFormatOptions} shown */
  const format = (shown) => new Intl.DateTimeFormat('en-GB', timeZone === undefined ? shown : { ...shown, timeZone })
  const day = format({ day: 'numeric', month: 'short' })
  const minute = format({ hour: '2-digit', minute: '2-digit' })
  const second = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
  return axis({
    size: 44,
    space: 80,
    values: (_chart, instants) => {
      const [first = 0, next = first] = instants
      const time = next - first < 60 ? second : minute
      return instants.map((seconds, index) => {
        const today = day.format(seconds * 1000)
        const before = instants[index - 1]
        const isNewDay = before === undefined || day.format(before * 1000) !== today
        return `${time.format(seconds * 1000)}${isNewDay ? `\n${today}` : ''}`
      })
    },
  })
}

// Lines

/**
 * What the legend says of the pointer's time.
 *
 * @param {string} label
 * @param {(seconds: number) => string} format
 * @returns {Series}
 */
export const times = (label, format) => ({ label, value: (_chart, seconds) => (seconds === null ? '–' : format(seconds)) })

/**
 * A line in a colour of the style sheet.
 *
 * @param {string} label
 * @param {string} name the colour's
 * @param {(value: number) => string} format
 * @returns {Series}
 */
const line = (label, name, format) => ({
  ...{ label, width: 1.5, points: { show: false }, stroke: () => colour(name) },
  value: (_chart, value) => (value === null ? '–' : format(value)),
})

/**
 * Money that changes with a contest's end and not between, and so is drawn in steps.
 *
 * @type {typeof line}
 */
export const steps = (label, name, format) => {
  const paths = uPlot.paths.stepped?.({ align: 1 })
  return { ...line(label, name, format), ...(paths === undefined ? {} : { paths }) }
}

/**
 * One of several tokens, each in a colour of its own, as the change of its price since the contest began: what scores are made of, and the
 * one scale on which tokens compare.
 *
 * @param {string} symbol
 * @param {number} index
 * @returns {Series}
 */
export const tokenLine = (symbol, index) => ({ ...line(symbol, `series-${index % SERIES_COLOURS}`, percentText), spanGaps: true })

/**
 * An upright line at a point of the horizontal scale.
 *
 * @param {uPlot} chart
 * @param {number} at
 * @param {{ name?: string, width?: number, dash?: number[] }} [looks] the colour, and lengths in CSS pixels
 */
export function drawUpright(chart, at, { name = 'soft', width = 1, dash = [] } = {}) {
  const { ctx, bbox } = chart
  const x = Math.round(chart.valToPos(at, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.save()
  ctx.strokeStyle = colour(name)
  ctx.lineWidth = width * devicePixelRatio
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio))
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.restore()
}

// Charts

/**
 * A chart that follows its place's width and the theme.
 *
 * @param {HTMLElement} place
 * @param {Omit<Options, 'width'>} options
 * @param {AlignedData} data
 * @returns {{ chart: uPlot, remove: () => void }}
 */
export function drawChart(place, options, data) {
  const chart = new uPlot({ ...options, width: place.clientWidth }, data, place)
  const resized = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: options.height }))
  resized.observe(place)
  const dress = () => chart.redraw(false, true)
  themeChanges.addEventListener('change', dress)
  const remove = () => {
    themeChanges.removeEventListener('change', dress)
    resized.disconnect()
    chart.destroy()
  }
  return { chart, remove }
}
