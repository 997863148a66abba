import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import v8 from 'node:v8'
import { config as rxjs } from 'rxjs'
import { messageOf } from '../../core/error.ts'
import { PriceBook } from '../../pipeline/prices/priceBook.ts'
import { type BotConfig, readConfig } from '../../strategy/config.ts'
import { FrameReader, framed } from './frames.ts'
import type { Hosting, Order, ProcessStart, Reply } from './messages.ts'
import { printOf } from './printOf.ts'
import { StrategyRunner } from './strategyRunner.ts'
import { withholdPipes } from './withholdPipes.ts'

// Runs in a process of its own, for strategies of one bot: it imports the config with an empty environment and Node's permission model,
// and does what it is told. The bot trusts none of what it says.

const WEIGH_MS = 250
/** The pipe to the bot, as it was opened. */
const CHANNEL = 3

holdBack()
const channel = new Socket({ fd: CHANNEL, readable: true, writable: true })
withholdPipes(channel)
const say = (reply: Reply) => void channel.write(framed(reply))
const runners = new Map<number, StrategyRunner>()
const book = new PriceBook()
let bot: Promise<BotConfig> | undefined
let file = ''
/** Orders are obeyed one after the other: a strategy is there before it is asked. */
let last = Promise.resolve()

// Where the bot is gone there is nobody to play for.
channel.on('close', () => process.exit(0))
const frames = new FrameReader()
channel.on('data', (piece: Buffer) => {
  for (const order of frames.read(piece)) take(order as Order)
})
// A subscription by hand that throws in its callback fails alone, as it does in the bot's own thread.
rxjs.onUnhandledError = (thrown: unknown) => console.error(`failed outside its calls: ${messageOf(thrown)}`)
process.on('uncaughtException', (thrown) => {
  channel.end(framed({ type: 'fatal', message: messageOf(thrown) } satisfies Reply), () => process.exit(1))
})
if (process.platform !== 'linux') setInterval(() => say({ type: 'weight', bytes: process.memoryUsage.rss() }), WEIGH_MS).unref()

/** What the permission model leaves: signals to other processes, the bot's among them, and their priority. */
function holdBack(): void {
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd']) Reflect.deleteProperty(process, name)
  Reflect.set(os, 'setPriority', undefined)
  Reflect.set(v8, 'setFlagsFromString', undefined)
  process.execArgv.splice(0)
  syncBuiltinESMExports()
}

function take(order: Order): void {
  switch (order.type) {
    case 'start':
      bot = load(order)
      // It is said for each strategy that is to run.
      bot.catch(() => {})
      return
    case 'host':
      last = last.then(() => host(order))
      return
    case 'leave':
      runners.get(order.place)?.stop()
      runners.delete(order.place)
      return
    case 'task': {
      const { seq, place, moment, updates, task } = order
      learn(updates, moment)
      if (place !== undefined) runners.get(place)?.take(task, moment)
      say({ type: 'done', seq })
    }
  }
}

async function load({ file: from, bot: name }: ProcessStart): Promise<BotConfig> {
  file = from
  const module = (await import(pathToFileURL(from).href)) as { default?: unknown }
  const found = readConfig(module.default, from).bots.find((other) => other.name === name)
  if (found === undefined) throw new Error(`there is no bot ${name} in it`)
  return found
}

async function host({ place, fingerprint }: Hosting): Promise<void> {
  try {
    const loaded = await bot
    const strategy = loaded?.strategies[place]
    if (loaded === undefined || strategy === undefined || printOf(loaded, place) !== fingerprint) {
      const message = `${file} gives another strategy in its own process: it was changed since the start, or reads the environment`
      say({ type: 'unfit', place, message })
      return
    }
    runners.set(place, new StrategyRunner({ strategy, book, seed: loaded.seed, say: (said) => say({ ...said, place }) }))
    say({ type: 'ready', place })
  } catch (thrown) {
    say({ type: 'unfit', place, message: `${file} does not load in its own process, where the environment is empty: ${messageOf(thrown)}` })
  }
}

/** Ticks are numbered as the bot's are, so that prices can be read as of any of its inputs. */
function learn(updates: Extract<Order, { type: 'task' }>['updates'], { tick, at }: { readonly tick: number; readonly at: number }): void {
  const skipTo = (next: number, time: number) => {
    while (book.tick < next) book.append({ at: time, prices: new Map() })
  }
  for (const update of updates) {
    skipTo(update.tick - 1, update.at)
    book.append(update)
  }
  skipTo(tick, at)
}
