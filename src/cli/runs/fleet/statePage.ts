import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, Gauge, Registry } from 'prom-client'
import type { FleetWorker, WorkerState } from '../../../fleet/fleetWorker.ts'

/** A database that has not answered for so long is an outage. */
const HEALTHY_MS = 30_000

const METRICS: Readonly<Record<string, readonly [help: string, of: (state: WorkerState) => number]>> = {
  cornerman_worker_playing: ['Blocks that are being played.', ({ playing }) => playing],
  cornerman_worker_played_total: ['Blocks played since the start.', ({ played }) => played],
  cornerman_worker_failed_total: ['Blocks that ended their thread, hung, or ran out of memory.', ({ failed }) => failed],
  cornerman_worker_searches: ['Searches whose log is in memory.', ({ sweeps }) => sweeps],
  cornerman_worker_answered_seconds: ['Seconds since the database last answered.', ({ answeredMs }) => answeredMs / 1000],
}

/** Serves `/healthz` and `/metrics` of a worker, on this machine alone. @param port 0: any that is free */
export async function openStatePage(
  worker: Pick<FleetWorker, 'state'>,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const registry = new Registry()
  for (const [name, [help, of]] of Object.entries(METRICS)) {
    const told = { name, help, registers: [registry] }
    if (name.endsWith('_total'))
      new Counter({
        ...told,
        collect() {
          this.reset()
          this.inc(of(worker.state()))
        },
      })
    else
      new Gauge({
        ...told,
        collect() {
          this.set(of(worker.state()))
        },
      })
  }
  const server = createServer((request, response) => {
    if (request.url === '/healthz') {
      const state = worker.state()
      const isHealthy = state.answeredMs < HEALTHY_MS
      response.writeHead(isHealthy ? 200 : 503, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ isHealthy, ...state }))
    } else if (request.url === '/metrics')
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    else response.writeHead(404).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
