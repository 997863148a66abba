import type { Dex, DexOptions } from './dex.ts'
import { JupiterSwapper } from './jupiter/jupiterSwapper.ts'

/** The DEX that bots swap on: another one is a folder beside `jupiter/`, and this line. */
export const openDex = (options: DexOptions): Dex => new JupiterSwapper(options)
