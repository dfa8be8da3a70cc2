import { createHash } from 'node:crypto'
import type { KeyDraft, KeyOwner, KeyRecord } from '../../auth/api.ts'

/** A key as the table has it. */
export interface KeyRow {
  readonly id: string
  /** JSON: a text of PostgreSQL holds neither NUL nor half a surrogate pair, and names of users may. */
  readonly body: string
  readonly created_at_ms: number
  readonly expires_at_ms: number
  readonly last_used_at_ms: number | null
  readonly revoked_at_ms: number | null
}

type Body = Pick<KeyRecord, 'name' | 'owner' | 'scopes' | 'hash'>

/** A record whose uses and whose end are noted in place. */
export type KeptRecord = { -readonly [Name in keyof KeyRecord]: KeyRecord[Name] }

/** The record of a row. */
export function toRecord(row: KeyRow): KeptRecord {
  const body = JSON.parse(row.body) as Body
  return {
    id: row.id,
    ...body,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    revokedAtMs: row.revoked_at_ms,
  }
}

/** What the table has of a record that is no number. */
export function toBody({ name, owner, scopes, hash }: KeyRecord): string {
  return JSON.stringify({ name, owner: { user: owner.user, tenant: owner.tenant }, scopes, hash } satisfies Body)
}

/** Finds an owner's keys: of fixed length, whatever the names are, and no two owners share one. */
export function ownerHash({ tenant, user }: KeyOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('hex')
}

/** What a list shows of a key beside its texts, in bytes. */
const FRAME_BYTES = 300

/** About how many bytes a list shows of a key. */
export function sizeOf({ name, owner, scopes }: KeyDraft): number {
  return FRAME_BYTES + Buffer.byteLength(JSON.stringify([name, owner, scopes]))
}
