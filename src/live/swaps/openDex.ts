import type { DexName } from '../../strategy/dexes.ts'
import type { Dex, DexOptions } from './dex.ts'
import { JupiterV1 } from './jupiter/jupiterV1.ts'
import { JupiterV2 } from './jupiterV2/jupiterV2.ts'
import { onCluster } from './onCluster.ts'

/** What makes each DEX: another one is a folder beside `jupiter/`, a line here, and its name in `src/strategy/dexes.ts`. */
const MAKERS: Readonly<Record<DexName, new (options: DexOptions) => Dex>> = {
  jupiterV1: JupiterV1,
  jupiterV2: JupiterV2,
}

/** The DEX that bots swap on; `jupiterV1` where none is named. */
export const openDex = ({ dex = 'jupiterV1', ...options }: DexOptions & { readonly dex?: DexName }): Dex =>
  onCluster(new MAKERS[dex](options), options)
