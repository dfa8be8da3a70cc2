/** What is called how on NATS. Names of callers are in subjects as hashes: none can break out of its token. */
import { createHash } from 'node:crypto'
import type { RunName } from '../../realtime/api.ts'

/** The stream of the logs of runs, and that of where they begin. */
export const RUNS = 'SVC_RUNS'
export const BASES = 'SVC_RUN_BASES'

/** The subjects of all logs, and of where they begin. */
export const ALL_RUNS = 'svc.run.*'
export const ALL_BASES = 'svc.base.*'

/** Where the node is named that cares for what nobody uses. */
export const LEASE = 'svc.lease'

/** The subject of a run's log. */
export function logOf(run: RunName): string {
  return `svc.run.${hashOf(run)}`
}

/** The subject of where a run's log begins. */
export function baseOf(run: RunName): string {
  return `svc.base.${hashOf(run)}`
}

/** A token of a subject: SHA-256 of a JSON value, in base32. */
export function hash(value: unknown): string {
  return base32(createHash('sha256').update(JSON.stringify(value)).digest())
}

// What JSON.stringify makes of a list of texts is its canonical form (RFC 8785).
function hashOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return hash([tenant_id, user_id, run_id])
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}
