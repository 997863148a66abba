import { fileURLToPath } from 'node:url'

/**
 * The system suite starts hundreds of processes, and to strip and compile the framework takes each of them a third of its start. They keep
 * what is compiled where `npm start` keeps it. (Whoever kills itself leaves nothing there: the first one that ends in order does.)
 */
export default function setup(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../node_modules/.cache/cornerman', import.meta.url))
}
