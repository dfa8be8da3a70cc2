/**
 * The pairing code, which one owner gives to the other: the addresses and the key of a node, and a secret that admits
 * one node.
 */
import { isObject } from '../../../../core/kernel/values.ts'
import type { Sha256 } from '../../../sync/api.ts'
import { fail } from '../../errors.ts'
import { findWrong } from '../../registry/entry.ts'

/** The content of a pairing code. */
export interface PairingCode {
  /** The node that made the code, in 64 hex digits. */
  readonly endpointId: string
  readonly addresses: readonly string[]
  readonly projects: readonly string[]
  /** Whether that node exchanges devices. */
  readonly devices: boolean
  /** 128 random bits in base64url. */
  readonly secret: string
}

const PREFIX = 'svc-pair-1.'
const MEMBERS: readonly string[] = ['endpointId', 'addresses', 'projects', 'devices', 'secret']
/** Random bytes of a secret. */
export const SECRET_BYTES = 16
const SECRET = /^[A-Za-z0-9_-]{22}$/
/** Most characters of a code. A code with 16 addresses and 64 projects has fewer. */
const MAX_LENGTH = 16_384

/** Writes a code. */
export function toPairingCode(code: PairingCode): string {
  return `${PREFIX}${Buffer.from(JSON.stringify(code)).toString('base64url')}`
}

/** Reads a code. Returns undefined for anything else. */
export function readPairingCode(text: string): PairingCode | undefined {
  if (!text.startsWith(PREFIX) || text.length > MAX_LENGTH) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString())
    if (!isObject(value) || Object.keys(value).sort().join() !== [...MEMBERS].sort().join()) return undefined
    const { endpointId, addresses, projects, devices, secret } = value
    if (typeof endpointId !== 'string' || typeof devices !== 'boolean' || !isSecret(secret)) return undefined
    if (!isTexts(addresses) || addresses.length === 0 || !isTexts(projects)) return undefined
    const isGood = findWrong({ endpointId, addresses, label: null, projects }) === undefined
    return isGood ? { endpointId, addresses, projects, devices, secret } : undefined
  } catch {
    return undefined
  }
}

/** Reads the code that an owner has given. Throws `malformed_request` for anything else. */
export function requirePairingCode(value: unknown): PairingCode {
  const code = typeof value === 'string' ? readPairingCode(value) : undefined
  if (code === undefined)
    throw fail('malformed_request', {
      message:
        'This is no pairing code, or a part of it is missing. On the other node: svc peer pair --project <project>',
    })
  return code
}

/** Whether a value has the form of the secret in a code. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && SECRET.test(value)
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/**
 * The form in which the store has a secret: its SHA-256 in hex, and that text in hex again. Open pairings depend on
 * this form.
 */
export function hashSecret(secret: string, sha256: Sha256): string {
  return Buffer.from(sha256(Buffer.from(secret, 'base64url'))).toString('hex')
}
