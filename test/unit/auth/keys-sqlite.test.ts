/** API keys in the SQLite store give the same answers as in memory, also after restarts. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allKeysOf } from '../../../plugins/auth/api-keys/store/all-keys.ts'
import type { KeyBounds, KeyOwner, KeyRecord } from '../../../plugins/auth/api-keys/store/key-store.ts'
import { createMemoryKeyStore } from '../../../plugins/auth/api-keys/store/memory-store.ts'
import { createSqliteKeyStore, type SqliteKeyStore } from '../../../plugins/auth/keys-sqlite/sqlite-store.ts'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { checkStore, storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { storeParts } from '../../support/store-parts.ts'
import { rejection } from '../../support/throws.ts'

const test = suite('auth: keys in SQLite')
const BOUNDS: KeyBounds = { maxKeys: 5, maxKeysPerTenant: 5, maxKeysPerOwner: 3, maxBytesPerOwner: 2_000 }
const newPath = (): string => join(folderWith(), 'sync.db')

interface Opened {
  readonly file: FileStore
  readonly keys: SqliteKeyStore
  readonly damaged: readonly string[]
  readonly failures: unknown[]
  close(): Promise<void>
}

async function open(path: string, clock: HeldClock): Promise<Opened> {
  const file = createFileStore({ path, now: clock.monotonic, parts: storeParts })
  const failures: unknown[] = []
  const keys = createSqliteKeyStore({ store: file, clock, onUsesFailed: (error) => failures.push(error) })
  const damaged = await keys.load()
  return {
    file,
    keys,
    damaged,
    failures,
    async close() {
      await keys.close()
      await file.close()
    },
  }
}

let count = 0
function record(clock: HeldClock, given: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: String(++count).padStart(16, '0'),
    name: 'a key',
    owner: { user: 'ada', tenant: 'acme' },
    scopes: ['a', 'b'],
    hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    createdAtMs: clock.now(),
    expiresAtMs: clock.now() + 3_600_000,
    lastUsedAtMs: null,
    revokedAtMs: null,
    ...given,
  }
}

type Step =
  | { readonly kind: 'add'; readonly owner: number; readonly lifeMs: number; readonly name: string }
  | { readonly kind: 'revoke' | 'touch'; readonly key: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      owner: fc.nat(2),
      lifeMs: fc.integer({ min: 1, max: 10_000 }),
      name: fc.string({ minLength: 1, maxLength: 400, unit: anyCharacter }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('revoke' as const, 'touch' as const), key: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
)

test('the answers to any calls are those of the memory store, and a restart changes none', async () => {
  const owners: readonly KeyOwner[] = ['ada', 'bob', 'Ünï\u0000code'].map((user) => ({ user, tenant: 'acme' }))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = new HeldClock()
      const path = newPath()
      const model = createMemoryKeyStore(clock)
      let opened = await open(path, clock)
      const ids: string[] = []
      const compare = async (): Promise<void> => {
        for (const owner of owners) assert.equal(await opened.keys.list(owner), model.list(owner))
        for (const id of ids) assert.equal(await opened.keys.get(id), model.get(id))
      }
      for (const action of steps) {
        if (action.kind === 'add') {
          const made = record(clock, {
            name: action.name,
            owner: owners[action.owner] ?? { user: 'ada', tenant: 'acme' },
            expiresAtMs: clock.now() + action.lifeMs,
          })
          assert.is(await opened.keys.hasRoom(made, BOUNDS), model.hasRoom(made, BOUNDS))
          assert.is(await opened.keys.add(made, BOUNDS), model.add(made, BOUNDS))
          ids.push(made.id)
        } else if (action.kind === 'pass') await clock.advance(action.ms)
        else if (action.kind === 'restart') {
          // A new process searches a full store at once, while the model waits for its next search. So the time of a
          // search passes first.
          await clock.advance(1_000)
          await opened.close()
          opened = await open(path, clock)
        } else {
          const id = ids[action.key] ?? 'none'
          for (const store of [opened.keys, model]) await store[action.kind](id, clock.now())
        }
        await compare()
      }
      await opened.close()
      assert.equal(opened.failures, [])
      assert.is(clock.pending, 0)
      assert.equal(checkStore(path, storeParts).damaged, [])
    }),
    { numRuns: countOf({ quick: 40, deep: 1_000 }) },
  )
})

test('all tenants: lists, ends and erasures are those of the memory store, and a restart changes none', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const memory = createMemoryKeyStore(clock)
  const model = { ...memory, all: allKeysOf(memory) }
  const bounds = { ...BOUNDS, maxKeys: 100, maxKeysPerTenant: 100 }
  let opened = await open(path, clock)
  const made: KeyRecord[] = []
  for (const user of ['ada', 'bo', 'Ünï\u0000code'])
    for (const tenant of ['acme', 'other']) {
      made.push(record(clock, { owner: { user, tenant } }), record(clock, { owner: { user, tenant } }))
      await clock.advance(1)
    }
  for (const one of made) for (const store of [opened.keys, model]) await store.add(one, bounds)
  const compare = async (): Promise<void> => {
    for (const owners of [{}, { tenant: 'acme' }, { user: 'ada' }, { tenant: 'other', user: 'Ünï\u0000code' }]) {
      const all = await opened.keys.all!.page(owners, 100)
      assert.equal(all, model.all.page(owners, 100))
      assert.equal(await opened.keys.all!.page(owners, 1, all[0]), all.slice(1, 2))
    }
    assert.equal(await opened.keys.all!.tenantsOf('ada'), model.all.tenantsOf('ada'))
  }
  await compare()
  const [first, second] = made as [KeyRecord, KeyRecord]
  for (const store of [opened.keys, model]) {
    await store.all!.endBy(first.id, clock.now() + 1_000)
    await store.all!.endBy(first.id, clock.now() + 2_000)
    assert.is((await store.get(first.id))?.expiresAtMs, clock.now() + 1_000)
    assert.equal(await store.all!.erase({ user: 'ada', tenant: 'other' }, clock.now()), [made[2]!.id, made[3]!.id])
    assert.is((await store.get(second.id))?.expiresAtMs, second.expiresAtMs)
  }
  await compare()
  await opened.close()
  opened = await open(path, clock)
  await compare()
  await opened.close()
})

test('another process on the store sees that a key ends earlier, and that keys were erased', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const [one, other] = [await open(path, clock), await open(path, clock)]
  const heard: string[] = []
  other.keys.onRevoked!((id) => heard.push(id))
  const kept = record(clock)
  const erased = record(clock, { owner: { user: 'bo', tenant: 'acme' } })
  for (const key of [kept, erased]) await one.keys.add(key, BOUNDS)
  await other.keys.refresh()
  const seen = await other.keys.get(kept.id)
  await one.keys.all!.endBy(kept.id, clock.now() + 1_000)
  await other.keys.refresh()
  assert.is(seen?.expiresAtMs, clock.now() + 1_000, 'streams of the key end with the record that they have')
  // The last row is removed and its number is used again, and no count differs.
  await one.keys.all!.erase(erased.owner, clock.now())
  await one.keys.add(record(clock, { owner: { user: 'cy', tenant: 'acme' } }), BOUNDS)
  await other.keys.refresh()
  assert.is(await other.keys.get(erased.id), undefined)
  assert.equal(heard, [erased.id])
  // A use that the other process notes does not bring the key back, nor its former end.
  await other.keys.touch(kept.id, clock.now())
  await other.close()
  await one.close()
  const again = await open(path, clock)
  assert.is((await again.keys.get(kept.id))?.expiresAtMs, clock.now() + 1_000)
  assert.is(await again.keys.get(erased.id), undefined)
  await again.close()
})

test('keys whose erasure cannot be written are not erased', async () => {
  const clock = new HeldClock()
  const opened = await open(newPath(), clock)
  const key = record(clock)
  await opened.keys.add(key, BOUNDS)
  await opened.file.close()
  await rejection('overloaded', Promise.resolve(opened.keys.all!.erase(key.owner, clock.now())))
  assert.is((await opened.keys.all!.page({}, 10)).length, 1)
})

test('a page of all keys is as long as asked while the newest key is still being written', async () => {
  const clock = new HeldClock()
  const opened = await open(newPath(), clock)
  for (let n = 0; n < 3; n++) await opened.keys.add(record(clock), BOUNDS)
  const adding = opened.keys.add(record(clock, { owner: { user: 'bo', tenant: 'acme' } }), BOUNDS)
  const page = await opened.keys.all!.page({ tenant: 'acme' }, 2)
  assert.is(page.length, 2)
  assert.ok(page.every(({ owner }) => owner.user === 'ada'))
  await adding
  assert.is((await opened.keys.all!.page({ tenant: 'acme' }, 4)).length, 4)
  await opened.close()
})

test('keys that are created at the same time share the limits', async () => {
  const clock = new HeldClock()
  const opened = await open(newPath(), clock)
  const added = await Promise.all(Array.from({ length: 20 }, () => opened.keys.add(record(clock), BOUNDS)))
  assert.is(added.filter(Boolean).length, BOUNDS.maxKeysPerOwner)
  await opened.close()
})

test('a key is not shown before it is on disk, but it counts for the limits meanwhile', async () => {
  const clock = new HeldClock()
  const opened = await open(newPath(), clock)
  const made = record(clock)
  const adding = opened.keys.add(made, BOUNDS)
  assert.is(await opened.keys.get(made.id), undefined)
  assert.equal(await opened.keys.list(made.owner), [])
  assert.not(await opened.keys.hasRoom(record(clock), { ...BOUNDS, maxKeysPerOwner: 1 }))
  assert.is(await adding, true)
  assert.is((await opened.keys.get(made.id))?.id, made.id)
  await opened.close()
})

test('after a failed write no new key appears, and a revoked key stays refused and is written later', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const opened = await open(path, clock)
  const made = record(clock)
  await opened.keys.add(made, BOUNDS)
  let full = true
  const store = {
    read: opened.file.read,
    write: (work: Parameters<FileStore['write']>[0]) =>
      full ? Promise.reject(new Error('disk full')) : opened.file.write(work),
  } as FileStore
  const failures: unknown[] = []
  const keys = createSqliteKeyStore({ store, clock, onUsesFailed: (error) => failures.push(error) })
  await keys.load()
  const other = record(clock)
  assert.is((await rejection('overloaded', Promise.resolve(keys.add(other, BOUNDS)))).status, 503)
  assert.is(await keys.get(other.id), undefined)
  assert.ok(await keys.hasRoom(other, { ...BOUNDS, maxKeysPerOwner: 2 }))
  keys.touch(made.id, clock.now())
  await clock.advance(60_000)
  assert.is(failures.length, 1)
  await rejection('overloaded', Promise.resolve(keys.revoke(made.id, clock.now())))
  assert.ok((await keys.get(made.id))?.revokedAtMs)
  full = false
  await keys.revoke(made.id, clock.now() + 5)
  await keys.close()
  await opened.close()
  const later = await open(path, clock)
  const found = await later.keys.get(made.id)
  assert.is(found?.revokedAtMs, clock.now())
  assert.is(found?.lastUsedAtMs, clock.now() - 60_000)
  await later.close()
})

test('the last use is written at most once per minute, however often a key is used', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const opened = await open(path, clock)
  const made = record(clock)
  await opened.keys.add(made, BOUNDS)
  const reader = new DatabaseSync(path, { readOnly: true })
  const stored = (): unknown => reader.prepare('SELECT last_used_at_ms AS at FROM api_keys').get()?.['at']
  const firstMs = clock.now()
  for (let second = 0; second < 59; second++) {
    opened.keys.touch(made.id, clock.now())
    await clock.advance(1_000)
  }
  await opened.file.write(() => undefined)
  assert.is(stored(), null)
  await clock.advance(1_000)
  await opened.file.write(() => undefined)
  assert.is(stored(), firstMs + 58_000)
  assert.is(clock.pending, 0)
  reader.close()
  await opened.close()
})

test('two processes on one store: each learns which keys the other creates and revokes, and undoes no revocation', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const [one, two] = [await open(path, clock), await open(path, clock)]
  const revoked: string[] = []
  two.keys.onRevoked?.((id) => revoked.push(id))
  const made = record(clock)
  await one.keys.add(made, BOUNDS)
  assert.is(await two.keys.get(made.id), undefined)
  await two.keys.refresh()
  assert.equal(await two.keys.get(made.id), made)

  two.keys.touch(made.id, clock.now())
  await one.keys.revoke(made.id, clock.now() + 1)
  // The second process writes the last use before it has read the revocation.
  await clock.advance(60_000)
  await two.file.write(() => undefined)
  await two.keys.refresh()
  assert.is((await two.keys.get(made.id))?.revokedAtMs, clock.now() - 59_999)
  assert.equal(revoked, [made.id])
  await two.keys.refresh()
  assert.equal(revoked, [made.id])
  await one.close()
  await two.close()
  const later = await open(path, clock)
  const found = await later.keys.get(made.id)
  assert.equal([found?.revokedAtMs, found?.lastUsedAtMs], [clock.now() - 59_999, clock.now() - 60_000])
  await later.close()
})

test('a key with a damaged row is refused and named by svc store; other keys are valid', async () => {
  const clock = new HeldClock()
  const path = newPath()
  const opened = await open(path, clock)
  const [one, two] = [record(clock), record(clock)]
  for (const made of [one, two]) await opened.keys.add(made, BOUNDS)
  await opened.keys.revoke(one.id, clock.now())
  await opened.close()
  const raw = new DatabaseSync(path)
  raw.prepare('UPDATE api_keys SET revoked_at_ms = NULL WHERE id = ?').run(one.id)
  raw.close()
  assert.equal(checkStore(path, storeParts).damaged, [`API key ${one.id}`])
  assert.is(storeInfo(path, storeParts).counts['keys'], 2)
  const later = await open(path, clock)
  assert.equal(later.damaged, [one.id])
  assert.is(await later.keys.get(one.id), undefined)
  assert.equal(await later.keys.get(two.id), two)
  await later.close()
})

test.run()
