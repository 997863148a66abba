import { DEXES, type DexName, dexNames } from '../../../strategy/dexes.ts'

const VERSIONS: Readonly<Record<DexName, string>> = { jupiterV1: 'Swap API v1', jupiterV2: 'Swap API v2' }
/** Fields that answers of one version have, and those of the other do not. */
const MARKS: Readonly<Record<DexName, readonly string[]>> = {
  jupiterV1: ['contextSlot', 'swapTransaction'],
  jupiterV2: ['swapInstruction', 'blockhashWithMetadata', 'router'],
}
/** As an endpoint says it of a path, or of a way to ask for it, that is not there. */
const NO_SUCH_PATH = /answered HTTP 40[45]\b/

export interface Asking {
  readonly dex: DexName
  /** Such as `GET /swap/v1/quote`. */
  readonly request: string
}

/**
 * What is wrong where a Swap API of the other version seems to be at `market.swapUrl`, and what to write instead; undefined
 * where nothing speaks for that.
 *
 * @param came the body that was answered, or why there is none
 */
export function wrongVersion({ dex, request }: Asking, came: unknown): string | undefined {
  if (typeof came === 'string' ? !NO_SUCH_PATH.test(came) : hasAny(came, MARKS[dex])) return undefined
  const others = dexNames.filter((name) => name !== dex)
  const other = typeof came === 'string' ? others[0] : others.find((name) => hasAny(came, MARKS[name]))
  if (other === undefined) return undefined
  const got = typeof came === 'string' ? came : `what came was an answer of ${VERSIONS[other]}`
  return (
    `market.dex is '${dex}', which asks market.swapUrl for ${request} of Jupiter's ${VERSIONS[dex]}, and ${got}: ` +
    `write market.dex: '${other}' if it is a ${VERSIONS[other]}, or market.swapUrl: '${DEXES[dex].swapUrl}'`
  )
}

const hasAny = (body: unknown, fields: readonly string[]): boolean =>
  typeof body === 'object' && body !== null && fields.some((field) => Object.hasOwn(body, field))
