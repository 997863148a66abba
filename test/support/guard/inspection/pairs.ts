import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import { closeTokenAccount, openTokenAccount, syncNative, transferTokensChecked } from '../../../../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, tokenOfMint, USDC_MINT } from '../../../../src/core/tokens.ts'
import { type Edit, madeUp } from './editing.ts'
import { accountOf, POLICY } from './fixtures.ts'

// An exchange without a swap program, as the sandbox's DEX builds it: the agent pays, and the DEX, which has signed, pays out.

export const AGENT = Keypair.fromSeed(new Uint8Array(32).fill(1))
export const DEX = Keypair.fromSeed(new Uint8Array(32).fill(2))
export const AMOUNT = 5_000_000n
export const OUT = 24_000_000n
/** What comes in of the token between, and goes on. */
export const HOP = 25_000_000n

export function pairOf(from: Mint, to: Mint): Edit {
  const wallet = AGENT.publicKey.toBase58()
  const dex = DEX.publicKey.toBase58()
  const [own, out] = [accountOf(wallet, from), accountOf(wallet, to)]
  const open = (mint: Mint) =>
    openTokenAccount(AGENT.publicKey, accountOf(wallet, mint), { owner: AGENT.publicKey, mint: new PublicKey(mint) })
  const checked = (mint: Mint) => ({ mint: new PublicKey(mint), decimals: tokenOfMint(mint)?.decimals ?? 0 })
  const wrap = [open(from), SystemProgram.transfer({ fromPubkey: AGENT.publicKey, toPubkey: own, lamports: AMOUNT }), syncNative(own)]
  const pay = transferTokensChecked({ from: own, to: accountOf(dex, from), authority: AGENT.publicKey, amount: AMOUNT }, checked(from))
  const payOut = transferTokensChecked({ from: accountOf(dex, to), to: out, authority: DEX.publicKey, amount: OUT }, checked(to))
  const unwrap = closeTokenAccount(accountOf(wallet, SOL_MINT), AGENT.publicKey, AGENT.publicKey)
  return {
    isLegacy: false,
    terms: { wallet, from, to, amount: AMOUNT, quotedOut: OUT, minOut: 23_880_000n, slippageBps: 50 },
    policy: POLICY,
    payer: AGENT.publicKey,
    blockhash: madeUp('blockhash').toBase58(),
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 }),
      ...(from === SOL_MINT ? wrap : []),
      open(to),
      pay,
      payOut,
      ...(from === SOL_MINT || to === SOL_MINT ? [unwrap] : []),
    ],
    tables: [],
    signers: [DEX],
  }
}

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'

/**
 * An exchange by way of a third token: what comes in of it is in an account that is opened for it, goes on, and the account is
 * closed.
 */
export function hopOf(from: Mint, to: Mint, hop: Mint): Edit {
  const edit = pairOf(from, to)
  const wallet = AGENT.publicKey.toBase58()
  const own = accountOf(wallet, hop)
  const [mint, dex] = [new PublicKey(hop), accountOf(DEX.publicKey.toBase58(), hop)]
  const token = { mint, decimals: tokenOfMint(hop)?.decimals ?? 0 }
  const [budget, payOut] = [edit.instructions.slice(0, 2), edit.instructions.slice(-1)]
  return {
    ...edit,
    instructions: [
      ...budget,
      openTokenAccount(AGENT.publicKey, own, { owner: AGENT.publicKey, mint }),
      ...edit.instructions.slice(2, -1),
      transferTokensChecked({ from: dex, to: own, authority: DEX.publicKey, amount: HOP }, token),
      transferTokensChecked({ from: own, to: dex, authority: AGENT.publicKey, amount: HOP }, token),
      ...payOut,
      closeTokenAccount(own, AGENT.publicKey, AGENT.publicKey),
    ],
  }
}

export const PAIRS: readonly (readonly [string, Edit])[] = [
  ['USDC to BONK', pairOf(USDC_MINT, BONK)],
  ['SOL to USDC', pairOf(SOL_MINT, USDC_MINT)],
  ['USDC to SOL', pairOf(USDC_MINT, SOL_MINT)],
]
