import type { KeyBounds, KeyDraft, KeyEnding, KeyOwner, KeyOwners, KeyPlace, KeyRecord } from '../../auth/api.ts'
import type { Sql, Transaction } from './database.ts'
import { type KeptRecord, type KeyRow, ownerHash, partOfUser, sizeOf, toBody, toRecord } from './rows.ts'

/** The channel on which revocations are announced. */
export const CHANNEL = 'svc_api_keys'

/**
 * The advisory lock of changes. A transaction holds it until its commit, so that changes become visible in the order of
 * their numbers and a node that has seen a number has seen all smaller ones.
 */
export const LOCK = 7_303_012

/** The `owner_hash` of keys that were erased. */
const ERASED = ''

/** How long a dead key stays at least, in milliseconds, so that every node sees its end before it is deleted. */
export const DEAD_MS = 3_600_000

/** A change of a key. */
export interface KeyChange {
  readonly id: string
  readonly seq: number
  readonly erased: boolean
  readonly expires_at_ms: number
  readonly revoked_at_ms: number | null
}

/** The record of a key; undefined if there is none. */
export async function readKey(sql: Sql, id: string): Promise<KeptRecord | undefined> {
  const [row] = await sql<
    KeyRow[]
  >`select ${columns(sql)} from svc.api_keys where id = ${id} and owner_hash <> ${ERASED}`
  return row === undefined ? undefined : toRecord(row)
}

/** The keys of an owner, oldest first. */
export async function listKeys(sql: Sql, owner: KeyOwner): Promise<KeyRecord[]> {
  const rows = await sql<KeyRow[]>`
    select ${columns(sql)} from svc.api_keys where owner_hash = ${ownerHash(owner)} order by place`
  return rows.map(toRecord)
}

/**
 * Whether there is room for a key. Dead keys take no room from living ones, but a user has at most twice as many of
 * both.
 */
export async function hasRoom(
  sql: Sql | Transaction,
  draft: KeyDraft,
  nowMs: number,
  bounds: KeyBounds,
): Promise<boolean> {
  const hash = ownerHash(draft.owner)
  const rows = await sql<{ live: number; bytes: number; mine: number; tenant: number; everybody: number }[]>`
    select
      count(*) filter (where revoked_at_ms is null and expires_at_ms > ${nowMs}::bigint)::int as live,
      coalesce(sum(bytes) filter (where revoked_at_ms is null and expires_at_ms > ${nowMs}::bigint), 0)::int as bytes,
      count(*)::int as mine,
      (select count(*)::int from (
        select 1 from svc.api_keys where tenant = ${JSON.stringify(draft.owner.tenant)} limit ${bounds.maxKeysPerTenant}::bigint
      ) as kept) as tenant,
      (select count(*)::int from (select 1 from svc.api_keys limit ${bounds.maxKeys}::bigint) as kept) as everybody
    from svc.api_keys where owner_hash = ${hash}`
  const { live, bytes, mine, tenant, everybody } = onlyRow(rows)
  return (
    live < bounds.maxKeysPerOwner &&
    mine < 2 * bounds.maxKeysPerOwner &&
    bytes + sizeOf(draft) <= bounds.maxBytesPerOwner &&
    tenant < bounds.maxKeysPerTenant &&
    everybody < bounds.maxKeys
  )
}

/** Adds a key; false if there is no room for it. */
export async function addKey(tx: Transaction, record: KeyRecord, nowMs: number, bounds: KeyBounds): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  await tx`
    delete from svc.api_keys where id in (
      select id from svc.api_keys
      where least(expires_at_ms, revoked_at_ms) < ${nowMs - DEAD_MS}::bigint
      order by least(expires_at_ms, revoked_at_ms) limit 100)`
  if (!(await hasRoom(tx, record, nowMs, bounds))) return false
  await tx`
    insert into svc.api_keys (id, seq, owner_hash, body, bytes, created_at_ms, expires_at_ms, last_used_at_ms, revoked_at_ms)
    values (${record.id}, nextval('svc.api_key_changes'), ${ownerHash(record.owner)}, ${toBody(record)}, ${sizeOf(record)},
      ${record.createdAtMs}, ${record.expiresAtMs}, ${record.lastUsedAtMs}, ${record.revokedAtMs})`
  return true
}

/** Revokes a key and notifies every node. */
export async function revokeKey(tx: Transaction, id: string, atMs: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const changed = await tx`
    update svc.api_keys set revoked_at_ms = ${atMs}, seq = nextval('svc.api_key_changes')
    where id = ${id} and revoked_at_ms is null returning id`
  if (changed.length > 0) await tx`select pg_notify(${CHANNEL}, '')`
}

/** At most `limit` keys of some owners behind a place, newest first. */
export async function pageOfKeys(
  sql: Sql,
  { tenant, user }: KeyOwners,
  limit: number,
  before: KeyPlace | undefined,
): Promise<readonly KeyRecord[]> {
  const rows = await sql<KeyRow[]>`
    select ${columns(sql)} from svc.api_keys
    where owner_hash <> ${ERASED}
      ${tenant === undefined ? sql`` : sql`and tenant = ${JSON.stringify(tenant)}`}
      ${user === undefined ? sql`` : sql`and strpos(body, ${partOfUser(user)}) > 0`}
      ${before === undefined ? sql`` : sql`and (created_at_ms, id collate "C") < (${before.createdAtMs}::bigint, ${before.id})`}
    order by created_at_ms desc, id collate "C" desc limit ${limit}`
  return rows.map(toRecord)
}

/** The tenants in which a user has keys. */
export async function tenantsWithKeys(sql: Sql, user: string): Promise<readonly string[]> {
  const rows = await sql<{ tenant: string }[]>`
    select distinct tenant from svc.api_keys where owner_hash <> ${ERASED} and strpos(body, ${partOfUser(user)}) > 0`
  return rows.map(({ tenant }) => JSON.parse(tenant) as string)
}

/** Lets a key end at a time, unless it ends earlier, and notifies every node. */
export async function endKeyBy(tx: Transaction, id: string, atMs: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const changed = await tx`
    update svc.api_keys set expires_at_ms = ${atMs}, seq = nextval('svc.api_key_changes')
    where id = ${id} and expires_at_ms > ${atMs}::bigint returning id`
  if (changed.length > 0) await tx`select pg_notify(${CHANNEL}, '')`
}

/**
 * Erases the keys of an owner and notifies every node; returns their ids. Their rows stay as revoked keys of nobody for
 * {@link DEAD_MS}, because a node that does not see a change does not see that a row is gone.
 */
export async function eraseKeys(tx: Transaction, owner: KeyOwner, nowMs: number): Promise<readonly string[]> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const nobody = toBody({ name: '', owner: { user: '', tenant: '' }, scopes: [], hash: '' })
  const erased = await tx<{ id: string }[]>`
    update svc.api_keys set owner_hash = ${ERASED}, body = ${nobody}, seq = nextval('svc.api_key_changes'),
      revoked_at_ms = coalesce(revoked_at_ms, ${nowMs}::bigint)
    where owner_hash = ${ownerHash(owner)} returning id`
  if (erased.length > 0) await tx`select pg_notify(${CHANNEL}, '')`
  return erased.map(({ id }) => id)
}

/** Keys that are live at `nowMs` and end before `untilMs`, at most 10 000. */
export async function endingKeys(sql: Sql, nowMs: number, untilMs: number): Promise<readonly KeyEnding[]> {
  const rows = await sql<KeyRow[]>`
    select ${columns(sql)} from svc.api_keys
    where revoked_at_ms is null and expires_at_ms > ${nowMs}::bigint and expires_at_ms < ${untilMs}::bigint
    order by expires_at_ms limit 10000`
  return rows.map(toRecord)
}

/**
 * Writes when keys were used last. Rows are locked in one order, so that two nodes that write the same keys do not wait
 * for each other.
 */
export async function touchKeys(tx: Transaction, uses: ReadonlyMap<string, number>): Promise<void> {
  const list = JSON.stringify([...uses].map(([id, at]) => ({ id, at })))
  await tx`
    with used as (
      select key.id, use.at
      from svc.api_keys as key join jsonb_to_recordset(${list}::text::jsonb) as use (id text, at bigint) using (id)
      order by key.id for no key update of key
    )
    update svc.api_keys set last_used_at_ms = greatest(last_used_at_ms, used.at) from used where api_keys.id = used.id`
}

/** The number of the last change that is visible. */
export async function lastChange(sql: Sql): Promise<number> {
  const rows = await sql<{ seq: number }[]>`select coalesce(max(seq), 0)::float8 as seq from svc.api_keys`
  return onlyRow(rows).seq
}

/** The row of a statement that always returns one. */
function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('PostgreSQL returned no row')
  return row
}

/** The changes after a number in their order, 1 000 at most. */
export async function changesAfter(sql: Sql, seq: number): Promise<readonly KeyChange[]> {
  return sql<KeyChange[]>`
    select id, seq::float8 as seq, expires_at_ms::float8 as expires_at_ms, revoked_at_ms::float8 as revoked_at_ms,
      owner_hash = ${ERASED} as erased
    from svc.api_keys where seq > ${seq} order by seq limit 1000`
}

function columns(sql: Sql): ReturnType<Sql['unsafe']> {
  return sql.unsafe(`id, body, created_at_ms::float8 as created_at_ms, expires_at_ms::float8 as expires_at_ms,
    last_used_at_ms::float8 as last_used_at_ms, revoked_at_ms::float8 as revoked_at_ms`)
}
