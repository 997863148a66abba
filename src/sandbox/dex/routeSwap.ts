import type { Token } from '../../core/tokens.ts'
import { routeInstruction } from '../chain/routeInstruction.ts'
import { knownToken, tokenAddress, tokenProgramOf } from '../chain/tokenAccounts.ts'
import { buildSwap, type SwapInstructions } from './buildSwap.ts'
import type { SwapRequest } from './swapRequest.ts'

/** The swap as Jupiter's program makes it: one instruction for both sides, which the user alone signs. */
export function routeSwap(request: SwapRequest, dexAddress: string): SwapInstructions {
  const { userPublicKey, quoteResponse, destinationTokenAccount } = request
  const { inAmount, outAmount, slippageBps } = quoteResponse
  const [input, output] = [knownToken(quoteResponse.inputMint), knownToken(quoteResponse.outputMint)]
  const programOf = (token: Token) => tokenProgramOf(token).toBase58()
  const swap = routeInstruction({
    user: userPublicKey,
    ...{ source: tokenAddress(userPublicKey, input), destination: destinationTokenAccount ?? tokenAddress(userPublicKey, output) },
    ...{ sourceMint: input.mint, destinationMint: output.mint, sourceProgram: programOf(input), destinationProgram: programOf(output) },
    ...{ inAmount, outAmount, slippageBps },
    ...{ dex: dexAddress, dexSource: tokenAddress(dexAddress, input), dexDestination: tokenAddress(dexAddress, output) },
  })
  const { setup, cleanup } = buildSwap(request, { dexAddress, hop: undefined })
  // The last of the setup pays the DEX, which the program does here.
  return { setup: setup.slice(0, -1), swap, cleanup }
}
