import { z } from 'zod'
import { usdc } from '../core/usdc.ts'
import { saysUsdc, unwrapped } from './parameterSchema.ts'

/**
 * Reads what a command line says of a parameter: a number, `true` or `false`, a word, `2` for 2 USDC, JSON for a list. What is no such
 * value comes back as it is, for the schema to refuse by its name and with what is allowed.
 */
export function readParameter(field: z.ZodType, text: string): unknown {
  const { inner } = unwrapped(field)
  if (inner instanceof z.ZodNumber) return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (inner instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text
  if (inner instanceof z.ZodBigInt) return readWhole(text, saysUsdc(field))
  if (inner instanceof z.ZodEnum || inner instanceof z.ZodString) return text
  const value = readJson(text)
  if (!(inner instanceof z.ZodArray) || !Array.isArray(value)) return value
  const element = inner.element as z.ZodType
  return value.map((each: unknown) => (element instanceof z.ZodBigInt ? readWhole(String(each), saysUsdc(field)) : each))
}

function readWhole(text: string, isUsdc: boolean): unknown {
  try {
    return isUsdc ? usdc(text) : BigInt(text)
  } catch {
    return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
