import { z } from 'zod'
import type { TokenPower } from '../../core/tokens.ts'

// Names and fields as the decoder of the validator gives them:
// https://github.com/anza-xyz/agave/blob/master/account-decoder-client-types/src/token.rs

/** Extensions that neither move nor hold back a balance, nor change what an amount is worth. A mint can be closed only at a supply of 0. */
const HARMLESS: ReadonlySet<string> = new Set([
  'metadataPointer',
  'tokenMetadata',
  'groupPointer',
  'groupMemberPointer',
  'tokenGroup',
  'tokenGroupMember',
  'mintCloseAuthority',
  'confidentialTransferMint',
])

export type MintTrap = 'frozenByDefault' | 'nonTransferable' | 'paused'

export interface Extension {
  readonly extension: string
  readonly state?: unknown
}

/** Dangers of a mint: those that hold now, and the powers of its issuer over holders. */
export interface MintTraps {
  readonly traps: readonly MintTrap[]
  /** Address that holds each power. */
  readonly powers: Readonly<Partial<Record<TokenPower, string>>>
  /** Extensions that are neither judged nor known to be harmless. */
  readonly unlisted: readonly string[]
}

interface Found {
  readonly trap?: MintTrap | undefined
  readonly powers?: Readonly<Partial<Record<TokenPower, string | null | undefined>>>
}

const authority = z.string().nullish()
const judged = <T extends z.ZodType>(state: T, judge: (read: z.output<T>) => Found) => {
  return (shown: unknown): Found | undefined => {
    const read = state.safeParse(shown)
    return read.success ? judge(read.data) : undefined
  }
}

/** Undefined where the state has another form. */
const JUDGES: Readonly<Record<string, (state: unknown) => Found | undefined>> = {
  defaultAccountState: judged(z.looseObject({ accountState: z.enum(['initialized', 'uninitialized', 'frozen']) }), ({ accountState }) =>
    accountState === 'initialized' ? {} : { trap: 'frozenByDefault' },
  ),
  nonTransferable: () => ({ trap: 'nonTransferable' }),
  pausableConfig: judged(z.looseObject({ authority, paused: z.boolean() }), ({ authority: pause, paused }) => ({
    trap: paused ? 'paused' : undefined,
    powers: { pause },
  })),
  permanentDelegate: judged(z.looseObject({ delegate: authority }), ({ delegate: seize }) => ({ powers: { seize } })),
  transferFeeConfig: judged(z.looseObject({ transferFeeConfigAuthority: authority }), ({ transferFeeConfigAuthority: changeFee }) => ({
    powers: { changeFee },
  })),
  transferHook: judged(z.looseObject({ authority }), ({ authority: changeHook }) => ({ powers: { changeHook } })),
}

/** Undefined where an extension is not in the form that the RPC should give. */
export function trapsIn(freezeAuthority: string | null | undefined, extensions: readonly Extension[]): MintTraps | undefined {
  const found: Found[] = [{ powers: { freeze: freezeAuthority } }]
  const unlisted: string[] = []
  for (const { extension, state } of extensions) {
    const judge = Object.hasOwn(JUDGES, extension) ? JUDGES[extension] : undefined
    if (judge === undefined) {
      if (!HARMLESS.has(extension)) unlisted.push(extension)
      continue
    }
    const judgement = judge(state)
    if (judgement === undefined) return undefined
    found.push(judgement)
  }
  const powers = found.flatMap((each) => Object.entries(each.powers ?? {})).filter(([, holder]) => typeof holder === 'string')
  return { traps: found.flatMap(({ trap }) => trap ?? []), powers: Object.fromEntries(powers), unlisted }
}
