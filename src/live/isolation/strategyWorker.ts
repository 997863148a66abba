import { pathToFileURL } from 'node:url'
import { type MessagePort, workerData } from 'node:worker_threads'
import { config as rxjs } from 'rxjs'
import { messageOf } from '../../core/error.ts'
import { readConfig } from '../../strategy/config.ts'
import type { Envelope, Reply, WorkerStart } from './messages.ts'
import { printOf } from './printOf.ts'
import { StrategyRunner } from './strategyRunner.ts'

// Runs in a worker, for one strategy of one bot: it imports the config with an empty environment, and answers what it is asked.

const { file, bot: name, place, fingerprint, port } = workerData as WorkerStart

const say = (reply: Reply) => port.postMessage(reply)
const runner = await openRunner(port)
if (runner !== undefined) {
  // A subscription by hand that throws in its callback fails alone, as it does in the bot's own thread.
  rxjs.onUnhandledError = (thrown: unknown) => runner.log('warn', `failed outside its calls: ${messageOf(thrown)}`)
  port.on('message', (envelope: Envelope) => runner.take(envelope))
  say({ type: 'ready' })
}

async function openRunner(to: MessagePort): Promise<StrategyRunner | undefined> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    const bot = readConfig(module.default, file).bots.find((other) => other.name === name)
    const strategy = bot?.strategies[place]
    if (bot === undefined || strategy === undefined || printOf(bot, place) !== fingerprint) {
      say({
        type: 'unfit',
        message: `${file} gives another strategy in a worker: it was changed since the start, or reads the environment`,
      })
      return undefined
    }
    return new StrategyRunner({ strategy, seed: bot.seed, say: (reply) => to.postMessage(reply) })
  } catch (thrown) {
    say({ type: 'unfit', message: `${file} does not load in a worker, where the environment is empty: ${messageOf(thrown)}` })
    return undefined
  }
}
