import { createHash } from 'node:crypto'
import type { Revocation, RevocationBounds, RevocationDraft, Subject } from '../../auth/api.ts'
import type { Sql, Transaction } from './database.ts'
import { CHANNEL, LOCK } from './statements.ts'

/** A row of `svc.revocations`. */
interface RevocationRow {
  readonly seq: number
  readonly number: number
  /** JSON, because names of users may have NUL, which a text of PostgreSQL cannot hold. */
  readonly body: string
  readonly not_before_ms: number
  readonly lifted_at_ms: number | null
}

type Body = Pick<Revocation, 'tenant' | 'user' | 'jti' | 'reason'>

/** Most rows of one read. */
const AT_ONCE = 1_000

/** Makes or renews a revocation and notifies every node; null if there is no room. */
export async function revokeUser(
  tx: Transaction,
  draft: RevocationDraft,
  nowMs: number,
  bounds: RevocationBounds,
): Promise<Revocation | null> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const hash = subjectHash(draft)
  const rows = await tx`select 1 from svc.revocations where subject_hash = ${hash}`
  if (rows.length === 0 && !(await hasRoom(tx, draft.tenant, bounds))) {
    await tx`delete from svc.revocations where end_ms <= ${nowMs}::bigint`
    if (!(await hasRoom(tx, draft.tenant, bounds))) return null
  }
  // The number is larger than all before it, also in a database that was restored from a backup, and whatever the clock
  // of a node says.
  const [row] = await tx<RevocationRow[]>`
    insert into svc.revocations as old (subject_hash, seq, number, tenant, body, not_before_ms, lifted_at_ms, end_ms)
    values (${hash}, nextval('svc.api_key_changes'),
      greatest(${nowMs}::bigint, (select coalesce(max(number), 0) + 1 from svc.revocations)),
      ${JSON.stringify(draft.tenant)}, ${toBody(draft)}, ${nowMs}, null, ${Number.isFinite(draft.endMs) ? draft.endMs : null})
    on conflict (subject_hash) do update set
      seq = excluded.seq, number = excluded.number, body = excluded.body, lifted_at_ms = null,
      not_before_ms = greatest(old.not_before_ms, excluded.not_before_ms)
    returning ${columns(tx)}`
  await tx`select pg_notify(${CHANNEL}, '')`
  return row === undefined ? null : toRevocation(row)
}

/** Lifts the revocation of a user and notifies every node; null if there is none. */
export async function liftRevocation(tx: Transaction, subject: Subject, atMs: number): Promise<Revocation | null> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const hash = subjectHash({ tenant: subject.tenant, user: subject.user, jti: null })
  const changed = await tx`
    update svc.revocations set lifted_at_ms = ${atMs}, seq = nextval('svc.api_key_changes')
    where subject_hash = ${hash} and lifted_at_ms is null returning 1`
  if (changed.length > 0) await tx`select pg_notify(${CHANNEL}, '')`
  const [row] = await tx<RevocationRow[]>`select ${columns(tx)} from svc.revocations where subject_hash = ${hash}`
  return row === undefined ? null : toRevocation(row)
}

/** Removes the reasons of a user's revocations and notifies every node; returns the revocations that had one. */
export async function eraseReasons(tx: Transaction, { tenant, user }: Subject): Promise<readonly Revocation[]> {
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const rows = await tx<RevocationRow[]>`
    select ${columns(tx)} from svc.revocations
    where tenant = ${JSON.stringify(tenant)} and strpos(body, ${`"user":${JSON.stringify(user)},`}) > 0`
  const changed: Revocation[] = []
  for (const { reason, ...row } of rows.map(toRevocation)) {
    if (reason === null || row.user !== user) continue
    const [written] = await tx<RevocationRow[]>`
      update svc.revocations set body = ${toBody({ ...row, reason: null })}, seq = nextval('svc.api_key_changes')
      where subject_hash = ${subjectHash(row)} returning ${columns(tx)}`
    if (written !== undefined) changed.push(toRevocation(written))
  }
  if (changed.length > 0) await tx`select pg_notify(${CHANNEL}, '')`
  return changed
}

/** Revocations that were changed after a number, in the order of their changes, at most 1 000. */
export async function revocationsAfter(sql: Sql, seq: number): Promise<readonly Revocation[]> {
  const rows = await sql<RevocationRow[]>`
    select ${columns(sql)} from svc.revocations where seq > ${seq} order by seq limit ${AT_ONCE}`
  return rows.map(toRevocation)
}

/** The number of the last change of a revocation that is visible; 0 if there is none. */
export async function lastRevocation(sql: Sql): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`select coalesce(max(seq), 0)::float8 as seq from svc.revocations`
  return row?.seq ?? 0
}

async function hasRoom(tx: Transaction, tenant: string, bounds: RevocationBounds): Promise<boolean> {
  const [row] = await tx<{ tenant: number; everybody: number }[]>`
    select
      (select count(*)::int from (
        select 1 from svc.revocations where tenant = ${JSON.stringify(tenant)} limit ${bounds.maxRevocationsPerTenant}::bigint
      ) as kept) as tenant,
      (select count(*)::int from (select 1 from svc.revocations limit ${bounds.maxRevocations}::bigint) as kept) as everybody`
  return row !== undefined && row.tenant < bounds.maxRevocationsPerTenant && row.everybody < bounds.maxRevocations
}

function columns(sql: Sql | Transaction): ReturnType<Sql['unsafe']> {
  return (sql as Sql).unsafe(`seq::float8 as seq, number::float8 as number, body,
    not_before_ms::float8 as not_before_ms, lifted_at_ms::float8 as lifted_at_ms`)
}

function subjectHash({ tenant, user, jti }: Pick<Revocation, 'tenant' | 'user' | 'jti'>): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, user, jti]))
    .digest('hex')
}

function toBody({ tenant, user, jti, reason }: Body): string {
  return JSON.stringify({ tenant, user, jti, reason } satisfies Body)
}

function toRevocation({ seq, number, body, not_before_ms, lifted_at_ms }: RevocationRow): Revocation {
  return { ...(JSON.parse(body) as Body), number, change: seq, notBeforeMs: not_before_ms, liftedAtMs: lifted_at_ms }
}
