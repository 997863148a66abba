// Runs in the page of a report, after uPlot, as one plain script. It draws what is looked at and no more: a curve when it
// is scrolled to, a contest's chart when it is opened. All text is set as text, never as markup.

/* global document, uPlot */
;(() => {
  const charts = new Set()

  // Colours are read when a chart is drawn, so that a redraw is all it takes to follow the system from light to dark.
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const chart of charts) chart.redraw()
  })
  const resized = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      for (const chart of target.charts) chart.setSize({ width: contentRect.width, height: chart.height })
    }
  })

  const SERIES_COLOURS = 6
  const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2, signDisplay: 'exceptZero' })
  const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const instant = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

  const known = new Map()

  /** A bot's data, parsed once, when something of it is first drawn. */
  function dataOf(bot) {
    if (!known.has(bot)) known.set(bot, JSON.parse(document.getElementById(`data-${bot}`).textContent))
    return known.get(bot)
  }

  for (const place of document.querySelectorAll('.curve')) whenNear(place, () => drawCurve(place, dataOf(place.dataset.bot)))
  for (const place of document.querySelectorAll('.contests')) whenNear(place, () => listContests(place, dataOf(place.dataset.bot).contests))

  function whenNear(element, task) {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return
        observer.disconnect()
        task()
      },
      { rootMargin: '400px' },
    )
    observer.observe(element)
  }

  /** An element with these attributes, holding texts and other elements. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    element.append(...children)
    return element
  }

  // Charts

  function addChart(place, options, data) {
    const chart = new uPlot({ width: place.clientWidth, ...options }, data, place)
    charts.add(chart)
    place.charts = [...(place.charts ?? []), chart]
    resized.observe(place)
    return chart
  }

  function removeCharts(place) {
    resized.unobserve(place)
    for (const chart of place.charts) {
      charts.delete(chart)
      chart.destroy()
    }
    place.charts = []
    place.replaceChildren()
  }

  const axis = (options) => ({
    stroke: () => colour('soft'),
    grid: { stroke: () => colour('rule'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
    ...options,
  })

  const percents = (_chart, shares) => shares.map((share) => percent.format(share))
  const inUtc = (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC')
  const DAY_S = 86_400
  const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const timeOf = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' })

  /** The time of day, with the day beneath where it changes. */
  function timeLabels(_chart, instants) {
    return instants.map((seconds, index) => {
      const isNewDay = index === 0 || Math.floor(seconds / DAY_S) !== Math.floor(instants[index - 1] / DAY_S)
      return `${timeOf.format(seconds * 1000)}${isNewDay ? `\n${dayOf.format(seconds * 1000)}` : ''}`
    })
  }

  /** Equity above, what is gone of its peak below: both steps, since they change with a contest's end and not between. */
  function drawCurve(place, { start, at, equity, drawdown }) {
    if (start === null) {
      place.textContent = 'No contest came to an end.'
      return
    }
    const times = [start.at, ...at].map((ms) => ms / 1000)
    const stepped = uPlot.paths.stepped({ align: 1 })
    const shared = { tzDate: inUtc, cursor: { sync: { key: place.dataset.bot } } }
    const time = { label: 'Time, UTC', value: (_chart, seconds) => (seconds === null ? '–' : instant.format(seconds * 1000)) }
    const line = (label, name, format) => ({
      ...{ label, paths: stepped, width: 1.5, points: { show: false }, stroke: () => colour(name) },
      value: (_chart, value) => (value === null ? '–' : format(value)),
    })
    addChart(
      place,
      {
        ...{ ...shared, height: 240, series: [time, line('Equity, USDC', 'accent', amount.format)] },
        axes: [axis({ values: (_chart, instants) => instants.map(() => ''), size: 10 }), axis({ size: 60 })],
      },
      [times, [start.equity, ...equity]],
    )
    addChart(
      place,
      {
        ...{ ...shared, height: 140, series: [time, { ...line('Drawdown', 'down', percent.format), fill: () => colour('down-fill') }] },
        axes: [axis({ values: timeLabels }), axis({ size: 60, values: percents })],
        scales: { y: { range: (_chart, low) => [Math.min(low, -0.01), 0] } },
      },
      [times, [0, ...drawdown.map((share) => (share === null ? null : -share))]],
    )
  }

  /** Prices as the change since the contest began: what scores are made of, and the one scale on which tokens compare. */
  function drawPrices(place, contest) {
    if (contest.prices.length === 0) {
      place.textContent = 'No prices were kept for this contest.'
      return
    }
    const from = contest.starts ?? 0
    const lines = contest.prices.map(({ at, price }) => {
      const first =
        price[
          Math.max(
            0,
            at.findLastIndex((ms) => ms <= from),
          )
        ]
      return [at.map((ms) => (ms - from) / 1000), price.map((value) => value / first - 1)]
    })
    const series = contest.prices.map(({ symbol, price, at }, index) => ({
      ...{ label: symbol, width: 1.5, points: { show: false }, spanGaps: true, stroke: () => colour(`series-${index % SERIES_COLOURS}`) },
      value: (chart, change) => {
        const seconds = chart.data[0][chart.cursor.idx]
        const known = seconds === undefined ? undefined : price[at.findLastIndex((ms) => ms <= from + seconds * 1000)]
        return change === null || change === undefined || known === undefined ? '–' : `${known} (${percent.format(change)})`
      },
    }))
    addChart(
      place,
      {
        height: 260,
        scales: { x: { time: false } },
        series: [{ label: 'Time', value: (_chart, seconds) => (seconds === null ? '–' : clock(seconds)) }, ...series],
        axes: [axis({ values: (_chart, values) => values.map(clock), size: 32 }), axis({ size: 64, values: percents })],
        hooks: { draw: [(chart) => markMoves(chart, contest, from)] },
      },
      uPlot.join(lines),
    )
  }

  /** Upright lines: start and end thin, the bot's moves full, those of others dashed. */
  function markMoves(chart, contest, from) {
    const { ctx, bbox } = chart
    const mark = (ms, name, width, dash) => {
      const x = Math.round(chart.valToPos((ms - from) / 1000, 'x', true))
      if (x < bbox.left || x > bbox.left + bbox.width) return
      ctx.strokeStyle = colour(name)
      ctx.lineWidth = width * devicePixelRatio
      ctx.setLineDash(dash.map((length) => length * devicePixelRatio))
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
    }
    ctx.save()
    for (const ms of [contest.starts, contest.ends]) if (ms !== null) mark(ms, 'soft', 1, [])
    for (const { moves } of contest.others) for (const [ms] of moves) mark(ms, 'soft', 1.5, [4, 4])
    for (const [ms] of contest.moves) mark(ms, 'ink', 2, [])
    ctx.restore()
  }

  /** `1:05`, `-0:05`: minutes and seconds from the start of a contest. */
  function clock(seconds) {
    const whole = Math.abs(Math.round(seconds))
    return `${seconds < -0.5 ? '-' : ''}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
  }

  // Contests

  function listContests(place, contests) {
    const list = make('ol', { class: 'contest-list' })
    const shown = make('output', {})
    const filters = [filter('Mode', 'mode', contests), filter('Result', 'result', contests), filter('Opponents', 'opponents', contests)]
    const items = contests.map((contest) => ({ contest, item: listItem(contest) }))
    const update = () => {
      const matching = items.filter(({ contest }) => filters.every(({ accepts }) => accepts(contest)))
      list.replaceChildren(...matching.map(({ item }) => item))
      shown.textContent = `${matching.length} of ${contests.length} contests`
    }
    const form = make('form', { class: 'filters', 'aria-label': 'Filter the contests' }, ...filters.map(({ label }) => label), shown)
    form.addEventListener('change', update)
    update()
    place.replaceChildren(form, list)
  }

  function filter(title, field, contests) {
    const values = [...new Set(contests.map((contest) => contest[field]))].sort()
    const all = make('option', { value: '' }, 'all')
    const select = make('select', {}, all, ...values.map((value) => make('option', { value }, value)))
    const label = make('label', {}, title, select)
    return { label, accepts: (contest) => select.value === '' || contest[field] === select.value }
  }

  function listItem(contest) {
    const cell = (name, text) => make('span', { class: name }, text)
    const tone = contest.profit.startsWith('-') ? 'down' : Number(contest.profit) > 0 ? 'up' : 'even'
    const summary = make(
      'summary',
      {},
      ...[
        cell('time', instant.format(contest.enteredAt + contest.ended)),
        cell('mode', contest.mode),
        cell('opponents', contest.opponents),
      ],
      ...[cell('result', contest.result), cell('stake', `${contest.stake} USDC`)],
      cell(`profit ${tone}`, `${tone === 'up' ? '+' : ''}${contest.profit}`),
    )
    const details = make('details', {}, summary)
    details.addEventListener('toggle', () => {
      if (details.open) details.append(contestView(contest))
      else closeView(details)
    })
    return make('li', {}, details)
  }

  function closeView(details) {
    removeCharts(details.querySelector('.price-chart'))
    details.querySelector('.contest').remove()
  }

  function contestView(contest) {
    const { mode, durationSec, payout, contestId, prices, moves, others } = contest
    const words = `Prices of ${prices.map(({ symbol }) => symbol).join(', ') || 'no token'} during the contest, with ${moves.length} own moves`
    const chart = make('div', { class: 'price-chart', role: 'img', 'aria-label': words })
    chart.charts = []
    // Once it is in the page and has a width.
    requestAnimationFrame(() => drawPrices(chart, contest))
    const legend = 'Full lines are the bot’s moves, dashed lines those of others, thin lines start and end.'
    const facts = `${mode} over ${durationSec} s, payout ${payout} USDC, contest `
    return make(
      'div',
      { class: 'contest' },
      make('p', {}, facts, make('code', {}, contestId), make('small', {}, legend)),
      chart,
      table(
        'Final scores',
        ['Seat', 'Score', 'Side', 'Play'],
        [
          ['bot', contest.score ?? '–', '–', 'backtest'],
          ...others.map(({ kind, score, side, source }, index) => [`${kind} ${index + 1}`, score ?? '–', side ?? '–', source]),
        ],
      ),
      table('Moves', ['Time', 'Seat', 'Move'], movesOf(contest)),
    )
  }

  function movesOf({ starts, moves, others }) {
    const all = [
      ...moves.map(([at, text]) => ({ at, seat: 'bot', text })),
      ...others.flatMap((ghost, index) => ghost.moves.map(([at, text]) => ({ at, seat: `${ghost.kind} ${index + 1}`, text }))),
    ]
    return all.toSorted((a, b) => a.at - b.at).map(({ at, seat, text }) => [clock((at - (starts ?? 0)) / 1000), seat, text])
  }

  function table(title, heads, rows) {
    const head = make('tr', {}, ...heads.map((text) => make('th', { scope: 'col' }, text)))
    const body = rows.map(([first, ...rest]) =>
      make('tr', {}, make('th', { scope: 'row' }, first), ...rest.map((text) => make('td', {}, text))),
    )
    return make('table', {}, make('caption', {}, title), make('thead', {}, head), make('tbody', {}, ...body))
  }
})()
