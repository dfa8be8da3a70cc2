import type { Sql, Transaction } from './database.ts'
import { SchemaError } from './errors.ts'

/** The advisory lock of the migration. */
export const LOCK = 7_303_011

/** How long the migration may take, in milliseconds: an index of many keys takes a while. */
export const MIGRATE_MS = 600_000

/** A step from one version of the schema to the next. */
interface Migration {
  readonly text: string
  /** The lowest version that a program has to know to use a schema with this step. */
  readonly oldest: number
}

const migrations: readonly Migration[] = [
  {
    text: `create table svc.api_keys (
     place bigint generated always as identity,
     id text primary key,
     seq bigint not null,
     owner_hash text not null,
     body text not null,
     bytes integer not null,
     created_at_ms bigint not null,
     expires_at_ms bigint not null,
     last_used_at_ms bigint,
     revoked_at_ms bigint
   );
   create unique index api_keys_seq on svc.api_keys (seq);
   create index api_keys_owner on svc.api_keys (owner_hash, place);
   create index api_keys_end on svc.api_keys (least(expires_at_ms, revoked_at_ms));
   create sequence svc.api_key_changes;`,
    oldest: 1,
  },
  {
    // The JSON text of the tenant, from `body`, so that rows of a program of version 1 have it too. PostgreSQL cannot
    // parse each body as JSON, because a name may have NUL. Within a JSON string the pattern cannot match: its
    // quotation marks are escaped.
    text: String.raw`alter table svc.api_keys
     add column tenant text generated always as (substring(body from '"tenant":("(?:[^"\\]|\\.)*")')) stored;
   create index api_keys_tenant on svc.api_keys using hash (tenant);`,
    oldest: 1,
  },
  {
    // `tenant` and `body` are JSON. `seq` is from the sequence of the keys, so that one number says what a node has
    // seen.
    text: `create table svc.revocations (
     subject_hash text primary key,
     seq bigint not null,
     number bigint not null,
     tenant text not null,
     body text not null,
     not_before_ms bigint not null,
     lifted_at_ms bigint,
     end_ms bigint
   );
   create unique index revocations_seq on svc.revocations (seq);
   create index revocations_number on svc.revocations (number);
   create index revocations_tenant on svc.revocations using hash (tenant);
   create index revocations_end on svc.revocations (end_ms) where end_ms is not null;`,
    oldest: 1,
  },
]

/** The version of the schema that this program makes. */
export const SCHEMA_VERSION: number = migrations.length

/** The schema of a database. */
export interface SchemaState {
  /** 0 if there is none. */
  readonly version: number
  /** The lowest version that a program has to know to use the schema. */
  readonly oldest: number
}

const NO_SCHEMA: SchemaState = { version: 0, oldest: 0 }

/** Reads the version of the schema, with the rights of a node. */
export async function readSchema(sql: Sql | Transaction): Promise<SchemaState> {
  const [table] = await sql<{ there: boolean }[]>`
    select exists (select from pg_catalog.pg_tables where schemaname = 'svc' and tablename = 'migrations') as there`
  if (!table?.there) return NO_SCHEMA
  // The column `oldest` is absent in a schema whose program did not know of it. Such a step was of version 1.
  const [row] = await sql<SchemaState[]>`
    select coalesce(max(version), 0)::int as version, coalesce(max((to_jsonb(step) ->> 'oldest')::int), 1)::int as oldest
    from svc.migrations as step`
  return row ?? NO_SCHEMA
}

/** Whether a schema has to be migrated before this program can use it. */
export const isEarlier = ({ version }: SchemaState): boolean => version < SCHEMA_VERSION

/**
 * Checks that this program can use a schema.
 * @throws SchemaError if the schema is of an earlier version, or of a later one that needs a later program
 */
export function checkSchema(schema: SchemaState): void {
  if (isEarlier(schema))
    throw new SchemaError(
      `the schema svc has version ${schema.version}, and this program needs ${SCHEMA_VERSION}: run svc migrate`,
    )
  if (schema.oldest > SCHEMA_VERSION)
    throw new SchemaError(
      `the schema svc has version ${schema.version}, which needs a program that knows version ${schema.oldest}, and this one knows ${SCHEMA_VERSION}`,
    )
}

/**
 * Brings the schema to the version of this program. Of several nodes that try at once, one does the work. A schema of a
 * later version stays as it is.
 * @throws SchemaError if the schema is of a later version that needs a later program
 */
export function migrate(sql: Sql): Promise<SchemaState> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    const before = await readSchema(tx)
    if (!isEarlier(before)) {
      checkSchema(before)
      return before
    }
    // `create schema if not exists` needs the right to create one, even if it exists.
    const [namespace] = await tx<{ there: boolean }[]>`
      select exists (select from pg_catalog.pg_namespace where nspname = 'svc') as there`
    if (!namespace?.there) await tx`create schema svc`
    await tx`
      create table if not exists svc.migrations (
        version integer primary key, applied_at timestamptz not null default now(), oldest integer not null default 1)`
    await tx`alter table svc.migrations add column if not exists oldest integer not null default 1`
    for (const [index, { text, oldest }] of migrations.entries()) {
      if (index < before.version) continue
      await tx.unsafe(text)
      await tx`insert into svc.migrations (version, oldest) values (${index + 1}, ${oldest})`
    }
    return readSchema(tx)
  }) as Promise<SchemaState>
}

/** Gives a role what a node needs, and nothing else. The role of the connection has to own the schema. */
export async function grantToNodes(sql: Sql, role: string): Promise<void> {
  // The client would take a dot in the name for the end of a schema's name.
  const name = `"${role.replaceAll('"', '""')}"`
  await sql.begin(async (tx) => {
    await tx.unsafe(`grant usage on schema svc to ${name}`)
    await tx.unsafe(`grant select on svc.migrations to ${name}`)
    await tx.unsafe(`grant select, insert, update, delete on svc.api_keys to ${name}`)
    await tx.unsafe(`grant select, insert, update, delete on svc.revocations to ${name}`)
    await tx.unsafe(`grant usage on sequence svc.api_key_changes to ${name}`)
  })
}
