/**
 * What a strategy may not do, the whole list: by rule, what to do about it. A rule that is added here is one that
 * `docs/conformance.md` has to explain.
 *
 * @example (await conformance(momentum())).problems.map(({ rule, message }) => `${message}: ${RULES[rule]}`)
 */
export const RULES = {
  throws:
    'prices.now(), change() and available() are undefined where nothing is known yet: say what to do then, and return null, [] or no swap',
  'token-not-available': 'pick one of draft.available: what is in draft.mine and draft.theirs is gone',
  'not-a-number': 'a division by 0, or arithmetic on undefined: look for what is not known yet before you calculate with it',
  'amount-not-positive': 'stakes, amounts and prices are above 0: ask for nothing where nothing is to be had',
  'invalid-answer': 'return what the kind is asked for; actions are made by enqueue(), joinContest(), swap() and the like',
  unbounded: 'end with oneAtATime(context), which waits for what became of a swap and rests after a refusal',
  'wall-clock': 'take clock.now(), and every() for a timer: a replay would come out otherwise',
  'own-randomness': 'take the random of the context: it draws the same numbers live, in a replay and in a backtest',
  slow: 'the bot waits while a strategy thinks: keep what was calculated, look back over less, or isolate it',
  'mutates-input': 'copy before you change: toSorted() and toSpliced() instead of sort() and splice()',
  'acts-after-end': 'look at contests$ or state() before you act: a contest that is over is in neither',
  'holds-on': 'free what a contest needed when it is over: return one observable, and use share() or refCount where others are shared',
  'never-asked': 'the kit proves nothing of a strategy that is never called: look at its modes',
} as const

/** The name of a rule that a strategy may break, such as `wall-clock`. */
export type RuleName = keyof typeof RULES
