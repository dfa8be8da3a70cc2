import { createHash } from 'node:crypto'
import type { KeyDraft, KeyOwner, KeyRecord } from '../../auth/api.ts'

/** A row of `svc.api_keys`. */
export interface KeyRow {
  readonly id: string
  /** JSON, because names of users may have NUL and lone surrogates, which a text of PostgreSQL cannot hold. */
  readonly body: string
  readonly created_at_ms: number
  readonly expires_at_ms: number
  readonly last_used_at_ms: number | null
  readonly revoked_at_ms: number | null
}

type Body = Pick<KeyRecord, 'name' | 'owner' | 'scopes' | 'hash' | 'madeBy' | 'marks'>

/** A record that is updated in place when its key is used or revoked. */
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

/**
 * What `body` of each key of a user contains, and of no other: within a JSON string its quotation marks would be
 * escaped.
 */
export function partOfUser(user: string): string {
  return `"owner":{"user":${JSON.stringify(user)},`
}

/** The column `body` of a record. */
export function toBody({ name, owner, scopes, hash, madeBy, marks }: Body): string {
  const { user, tenant } = owner
  return JSON.stringify({
    ...{ name, owner: { user, tenant }, scopes, hash },
    ...(madeBy !== undefined && { madeBy }),
    ...(marks !== undefined && { marks }),
  } satisfies Body)
}

/** The column `owner_hash`: different for every owner, and of one length whatever the names are. */
export function ownerHash({ tenant, user }: KeyOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('hex')
}

/** Bytes of a key in a list beside its texts. */
const FRAME_BYTES = 300

/** About how many bytes a key takes in a list. */
export function sizeOf({ name, owner, scopes }: KeyDraft): number {
  return FRAME_BYTES + Buffer.byteLength(JSON.stringify([name, owner, scopes]))
}
