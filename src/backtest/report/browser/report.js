// Runs in the page of a report, after uPlot and what it shares with the dashboard (src/charts), as one plain script. It draws what is
// looked at and no more: a curve when it is scrolled to, a contest's chart when it is opened. All text is set as text, never as markup.

/* global axis, colour, document, drawChart, drawUpright, percentAxis, percentText, steps, timeAxis, times, tokenLine, uPlot */
;(() => {
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

  /** By place: takes away the chart that is drawn there. */
  const removers = new WeakMap()
  const UTC = 'Etc/UTC'
  const inUtc = (seconds) => uPlot.tzDate(new Date(seconds * 1000), UTC)

  /** Equity above, what is gone of its peak below: both steps, since they change with a contest's end and not between. */
  function drawCurve(place, { start, at, equity, drawdown }) {
    if (start === null) {
      place.textContent = 'No contest came to an end.'
      return
    }
    const instants = [start.at, ...at].map((ms) => ms / 1000)
    const shared = { tzDate: inUtc, cursor: { sync: { key: place.dataset.bot } } }
    const time = times('Time, UTC', (seconds) => instant.format(seconds * 1000))
    drawChart(
      place,
      {
        ...{ ...shared, height: 240, series: [time, steps('Equity, USDC', 'accent', amount.format)] },
        axes: [{ ...timeAxis(UTC), values: (_chart, instants) => instants.map(() => ''), size: 10 }, axis({ size: 62 })],
      },
      [instants, [start.equity, ...equity]],
    )
    drawChart(
      place,
      {
        ...{ ...shared, height: 140, series: [time, { ...steps('Drawdown', 'down', percentText), fill: () => colour('down-fill') }] },
        axes: [timeAxis(UTC), percentAxis],
        scales: { y: { range: (_chart, low) => [Math.min(low, -0.01), 0] } },
      },
      [instants, [0, ...drawdown.map((share) => (share === null ? null : -share))]],
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
      ...tokenLine(symbol, index),
      value: (chart, change) => {
        const seconds = chart.data[0][chart.cursor.idx]
        const known = seconds === undefined ? undefined : price[at.findLastIndex((ms) => ms <= from + seconds * 1000)]
        return change === null || change === undefined || known === undefined ? '–' : `${known} (${percentText(change)})`
      },
    }))
    const { remove } = drawChart(
      place,
      {
        height: 260,
        scales: { x: { time: false } },
        series: [times('Time', clock), ...series],
        axes: [axis({ values: (_chart, values) => values.map(clock), size: 32 }), percentAxis],
        hooks: { draw: [(chart) => markMoves(chart, contest, from)] },
      },
      uPlot.join(lines),
    )
    removers.set(place, remove)
  }

  /** Upright lines: start and end thin, the bot's moves full, those of others dashed. */
  function markMoves(chart, contest, from) {
    const mark = (ms, looks) => drawUpright(chart, (ms - from) / 1000, looks)
    for (const ms of [contest.starts, contest.ends]) if (ms !== null) mark(ms)
    for (const { moves } of contest.others) for (const [ms] of moves) mark(ms, { width: 1.5, dash: [4, 4] })
    for (const [ms] of contest.moves) mark(ms, { name: 'ink', width: 2 })
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
    removers.get(details.querySelector('.price-chart'))?.()
    details.querySelector('.contest').remove()
  }

  function contestView(contest) {
    const { mode, durationSec, payout, contestId, prices, moves, others } = contest
    const words = `Prices of ${prices.map(({ symbol }) => symbol).join(', ') || 'no token'} during the contest, with ${moves.length} own moves`
    const chart = make('div', { class: 'price-chart', role: 'img', 'aria-label': words })
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
