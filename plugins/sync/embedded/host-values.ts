/** Checks the values that callbacks of a host return. Each function returns a copy. */
import type { Frontier, SigningDevice } from '../api.ts'

/** The result for a wrong value. */
export const BAD: unique symbol = Symbol()
/** The type of that result. */
export type Bad = typeof BAD

const HASH = /^[0-9a-f]{64}$/
const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === 'string')
/** Whether a value is a time in whole milliseconds. */
export function isTime(one: unknown): one is number {
  return Number.isSafeInteger(one) && (one as number) >= 0
}

/** Whether a value is a Uint8Array, of whatever realm. */
export function isBytes(one: unknown): one is Uint8Array {
  return Object.prototype.toString.call(one) === '[object Uint8Array]'
}

/** A device. `asked` is its key id. */
export function readDevice(device: SigningDevice | undefined | null, asked: string): SigningDevice | undefined | Bad {
  if (device === undefined || device === null) return undefined
  const { keyId, scopes, status, expiresAtMs } = device
  // A string has `includes` as well: scopes in one string would match every part of it.
  const fits =
    keyId === asked &&
    isTexts(scopes) &&
    (status === 'active' || status === 'revoked') &&
    (expiresAtMs === null || Number.isFinite(expiresAtMs))
  return fits ? { keyId, scopes: [...scopes], status, expiresAtMs } : BAD
}

/** A frontier, or null. */
export function readFrontier(frontier: Frontier | null): Frontier | null | Bad {
  if (frontier === null) return null
  const { heads } = frontier
  return isTexts(heads) && heads.every((head) => HASH.test(head)) && new Set(heads).size === heads.length
    ? { heads: [...heads] }
    : BAD
}
