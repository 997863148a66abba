import { PublicKey } from '@solana/web3.js'
import { associatedTokenAddress, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import { type Mint, SOL_MINT, tokenOfMint } from '../../core/tokens.ts'
import { JUPITER_PROGRAM } from './programs/index.ts'

const MOST_KEPT = 10_000
const kept = new Map<string, readonly string[]>()

/**
 * Whether this is the wallet's own account of a mint. The address alone shows it: it is derived from both, whether or not
 * the instruction's mint could be read. A mint is of one token program; where it is not known of which, both are tried.
 */
export function isOwnAccount(address: string, wallet: string, mint: Mint): boolean {
  return accountsOf(wallet, mint).includes(address)
}

/**
 * Whether this is where Jupiter opens a token account of wrapped SOL for one swap, beside the wallet's own: an address of its
 * program for this user and mint. The seeds are not documented; three real transactions have these addresses.
 */
export function isTemporaryAccount(address: string, wallet: string): boolean {
  const [temporary] = derived(`temporary:${wallet}`, () => {
    const seeds = [Buffer.from('token_account'), new PublicKey(wallet).toBuffer(), new PublicKey(SOL_MINT).toBuffer()]
    return [PublicKey.findProgramAddressSync(seeds, new PublicKey(JUPITER_PROGRAM))[0].toBase58()]
  })
  return address === temporary
}

/**
 * Whether this is the wallet's own account of a mint that an instruction names, with its token program: of the address that the
 * program of associated accounts derives from the three, and takes no other for.
 */
export function isNamedOwnAccount(
  address: string,
  wallet: string,
  { mint, tokenProgram }: { mint: string; tokenProgram: string },
): boolean {
  if (!TOKEN_PROGRAMS.includes(tokenProgram)) return false
  const [own] = derived(`${wallet}:${mint}:${tokenProgram}`, () => [
    associatedTokenAddress(new PublicKey(wallet), new PublicKey(mint), new PublicKey(tokenProgram)).toBase58(),
  ])
  return address === own
}

function accountsOf(wallet: string, mint: Mint): readonly string[] {
  return derived(`${wallet}:${mint}`, () => {
    const [owner, key] = [new PublicKey(wallet), new PublicKey(mint)]
    return programsOf(mint).map((program) => associatedTokenAddress(owner, key, program).toBase58())
  })
}

function programsOf(mint: Mint): readonly PublicKey[] {
  const token = tokenOfMint(mint)
  if (token === undefined) return [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]
  return [token.tokenProgram === 'spl-token' ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID]
}

/** Deriving an address is a search for a point off the curve, so those of late are kept. */
function derived(key: string, derive: () => readonly string[]): readonly string[] {
  const known = kept.get(key)
  if (known !== undefined) return known
  const oldest = kept.size < MOST_KEPT ? undefined : kept.keys().next().value
  if (oldest !== undefined) kept.delete(oldest)
  const addresses = derive()
  kept.set(key, addresses)
  return addresses
}
