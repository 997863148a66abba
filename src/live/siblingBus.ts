import { defer, filter, from, map, merge, type Observable, Subject } from 'rxjs'
import type { InputBody, SiblingEntry, Siblings } from '../pipeline/index.ts'

type Heard = Extract<InputBody, { type: 'siblingEntered' | 'siblingLeft' }>

/** Lets the bots of one process hear of one another's entries: a bot that comes later, of those that stand. */
export class SiblingBus {
  readonly #heard$ = new Subject<Heard>()
  readonly #standing = new Map<string, SiblingEntry>()

  portOf(bot: string): Siblings {
    const standing$ = defer(() => from([...this.#standing.values()])).pipe(map((entry): Heard => ({ type: 'siblingEntered', entry })))
    const heard$: Observable<Heard> = merge(this.#heard$, standing$).pipe(
      filter((heard) => (heard.type === 'siblingEntered' ? heard.entry.bot : heard.bot) !== bot),
    )
    return {
      heard$,
      entered: (entry: SiblingEntry) => {
        this.#standing.set(nameOf(entry.bot, entry.key), entry)
        this.#heard$.next({ type: 'siblingEntered', entry })
      },
      left: (who: string, key: string) => {
        this.#standing.delete(nameOf(who, key))
        this.#heard$.next({ type: 'siblingLeft', bot: who, key })
      },
    }
  }
}

const nameOf = (bot: string, key: string) => `${bot}:${key}`
