import type { Sql } from './database.ts'

/** The advisory lock of the migration. */
const LOCK = 7_303_011

const migrations: readonly string[] = [
  `create table svc.api_keys (
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
]

/**
 * Brings the schema to the version of this program. Of several nodes that try at once, one does the work.
 * @throws Error if the schema has a later version
 */
export async function migrate(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx`create schema if not exists svc`
    await tx`create table if not exists svc.migrations (version integer primary key, applied_at timestamptz not null default now())`
    const [row] = await tx<{ version: number }[]>`select coalesce(max(version), 0)::int as version from svc.migrations`
    const { version } = row!
    if (version > migrations.length)
      throw new Error(`the schema svc has version ${version}, and this program supports ${migrations.length}`)
    for (const [index, text] of migrations.entries()) {
      if (index < version) continue
      await tx.unsafe(text)
      await tx`insert into svc.migrations (version) values (${index + 1})`
    }
  })
}
