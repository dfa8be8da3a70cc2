/**
 * Names of streams and subjects on NATS. Names of callers are hashed, so that no name can leave its token of a subject.
 */
import { createHash } from 'node:crypto'
import type { RunName } from '../../realtime/runs/shared/api.ts'

/** The stream of the logs of runs, and the stream of their bases. */
export const RUNS = 'SVC_RUNS'
export const BASES = 'SVC_RUN_BASES'

/** The subjects of all logs, and of all bases. */
export const ALL_RUNS = 'svc.run.*'
export const ALL_BASES = 'svc.base.*'

/** A subject of the stream of the logs that no log has, for messages that are never written. */
export const PROBE = 'svc.run.probe'

/** The subject of the lease. */
export const LEASE = 'svc.lease'

/**
 * The subjects of the question who has readers of a run, and of its answers. No tenant has them, because a hash is
 * longer.
 */
export const READERS = 'svc.live.runs.readers'
export const READING = 'svc.live.runs.reading'

/** The subject of a run's log. */
export function logOf(run: RunName): string {
  return `svc.run.${hashOf(run)}`
}

/** The subject of the base of a run. */
export function baseOf(run: RunName): string {
  return `svc.base.${hashOf(run)}`
}

/** The subject of a node that calls agents. No base has it, because a hash has no hyphen. */
export function callerOf(node: string): string {
  return `svc.base.node-${node}`
}

/** A token of a subject: SHA-256 of a JSON value, in base32. */
export function hash(value: unknown): string {
  return base32(createHash('sha256').update(JSON.stringify(value)).digest())
}

// For a list of strings JSON.stringify gives the canonical form (RFC 8785).
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
