import { defer, filter, from, map, merge, Subject } from 'rxjs'
import { encodeExact } from '../core/exactJson.ts'
import type { InputBody, SiblingEntry, Siblings } from '../pipeline/index.ts'

type Heard = Extract<InputBody, { type: 'siblingEntered' | 'siblingLeft' }>

/** What names an entry. */
export type NamedEntry = Pick<SiblingEntry, 'bot' | 'key'>

/** Lets the bots of one process hear of one another's entries, of each change once: a bot that comes later, of those that stand. */
export class SiblingBus {
  readonly #heard$ = new Subject<Heard>()
  readonly #standing = new Map<string, SiblingEntry>()

  portOf(bot: string): Siblings {
    const standing$ = defer(() => from([...this.standing])).pipe(map((entry): Heard => ({ type: 'siblingEntered', entry })))
    return {
      heard$: merge(this.#heard$, standing$).pipe(
        filter((heard) => (heard.type === 'siblingEntered' ? heard.entry.bot : heard.bot) !== bot),
      ),
      entered: (entry) => this.enter(entry),
      left: (who, key) => this.leave({ bot: who, key }),
    }
  }

  /** As the bots have heard of it. */
  get standing(): Iterable<SiblingEntry> {
    return this.#standing.values()
  }

  has(named: NamedEntry): boolean {
    return this.#standing.has(nameOf(named))
  }

  enter(entry: SiblingEntry): void {
    const before = this.#standing.get(nameOf(entry))
    this.#standing.set(nameOf(entry), entry)
    if (before === undefined || encodeExact(before) !== encodeExact(entry)) this.#heard$.next({ type: 'siblingEntered', entry })
  }

  leave({ bot, key }: NamedEntry): void {
    if (this.#standing.delete(nameOf({ bot, key }))) this.#heard$.next({ type: 'siblingLeft', bot, key })
  }
}

/** The same for each naming of an entry. */
export const nameOf = ({ bot, key }: NamedEntry): string => `${bot}:${key}`
