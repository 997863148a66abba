import type { Axis } from 'uplot'
import { axis } from './chart.tsx'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const second = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The time of day, as fine as the ticks are apart, with the day beneath where it changes. */
export const timeAxis: Axis = axis({
  size: 44,
  space: 80,
  values: (_chart, instants) => {
    const [first = 0, next = first] = instants
    const format = next - first < 60 ? second : minute
    return instants.map((seconds, index) => {
      const today = day.format(seconds * 1000)
      const before = instants[index - 1]
      const isNewDay = before === undefined || day.format(before * 1000) !== today
      return `${format.format(seconds * 1000)}${isNewDay ? `\n${today}` : ''}`
    })
  },
})
