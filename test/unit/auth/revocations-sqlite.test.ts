/**
 * Revocations in the SQLite store give the same answers as in memory, also after restarts, and hold while delegation is
 * off.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Revocation } from '../../../plugins/auth/api.ts'
import { endOfJti } from '../../../plugins/auth/credential-ids.ts'
import {
  createSqliteRevocations,
  type SqliteRevocations,
} from '../../../plugins/auth/keys-sqlite/revocations/sqlite-revocations.ts'
import { createMemoryRevocationStore } from '../../../plugins/auth/revoked/memory-store.ts'
import { createRevokedList, type RevokedList } from '../../../plugins/auth/revoked/revoked-list.ts'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { checkStore } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { rejection } from '../../support/throws.ts'

const test = suite('auth: revocations in SQLite')
const BOUNDS = { maxRevocations: 6, maxRevocationsPerTenant: 3 }
const START_MS = 1_700_000_000_000
const newPath = (): string => join(folderWith(), 'sync.db')

interface Opened {
  readonly file: FileStore
  readonly store: SqliteRevocations
  readonly list: RevokedList
  readonly damaged: readonly string[]
}

async function open(path: string, now: () => number): Promise<Opened> {
  const file = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  const store = createSqliteRevocations(file)
  const list = createRevokedList(now)
  store.follow((changed) => changed.forEach(list.apply))
  return { file, store, list, damaged: await store.load() }
}

const draft = (tenant: string, user: string, jti: string | null = null, reason: string | null = null) => ({
  ...{ tenant, user, jti, reason },
  endMs: endOfJti(jti),
})

const tenants = ['one', 'two', 'x\u0000"]'] as const
const users = ['a', 'b', 'ü\u0000', '"'] as const
const subject = fc.record({ tenant: fc.constantFrom(...tenants), user: fc.constantFrom(...users) })
const ownJti = `svc-${START_MS / 1000 + 60}-${'A'.repeat(22)}`

type Step =
  | { readonly kind: 'revoke'; readonly tenant: string; readonly user: string; readonly jti: string | null }
  | { readonly kind: 'lift'; readonly tenant: string; readonly user: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'clock'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(subject, fc.constantFrom(null, null, 'j', ownJti))
      .map(([one, jti]) => ({ kind: 'revoke' as const, ...one, jti })),
  },
  { weight: 2, arbitrary: subject.map((one) => ({ kind: 'lift' as const, ...one })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: -5_000_000, max: 5_000_000 }).map((ms) => ({ kind: 'clock' as const, ms })),
  },
)

const shown = (row: Revocation | null): unknown => row && { ...row, number: 0, change: 0 }

test('every sequence of changes and restarts is answered as in memory, and nothing is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      let now = START_MS
      const path = newPath()
      const memory = createMemoryRevocationStore()
      const model = createRevokedList(() => now)
      memory.follow((changed) => changed.forEach(model.apply))
      let opened = await open(path, () => now)
      for (const one of steps) {
        if (one.kind === 'clock') now += one.ms
        if (one.kind === 'restart') {
          await opened.file.close()
          opened = await open(path, () => now)
        }
        if (one.kind === 'revoke') {
          const wanted = draft(one.tenant, one.user, one.jti, 'why\u0000')
          const [mine, its] = [await opened.store.revoke(wanted, now, BOUNDS), memory.revoke(wanted, now, BOUNDS)]
          // After a restart the store may search for expired rows again at once.
          if (mine !== null && its === null) return
          assert.equal(shown(mine), shown(its))
        }
        if (one.kind === 'lift') assert.equal(shown(await opened.store.lift(one, now)), shown(memory.lift(one, now)))
        for (const tenant of tenants) {
          const [mine, its] = [opened.list, model].map((list) => list.page(tenant, 100, Infinity))
          assert.equal(
            mine!.filter(({ jti }) => jti !== ownJti).map(shown),
            its!.filter(({ jti }) => jti !== ownJti).map(shown),
          )
          for (const user of users) {
            const who = { tenant, user }
            const marks = opened.list.marks(who)
            assert.not.ok(opened.list.isRevoked(who, { marks }), 'what is issued now counts')
            if (marks[0] > 0) assert.ok(opened.list.isRevoked(who, { marks: [marks[0] - 1, 0] }))
            assert.is(marks[0] > 0, model.marks(who)[0] > 0)
          }
        }
      }
      await opened.file.close()
    }),
    { numRuns: countOf({ quick: 30, deep: 1_000 }) },
  )
})

test('changes at once get numbers in the order in which they are written', async () => {
  const path = newPath()
  const { file, store } = await open(path, () => START_MS)
  const bounds = { maxRevocations: 100, maxRevocationsPerTenant: 100 }
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => store.revoke(draft('t', `u${n % 4}`), START_MS, bounds)),
  )
  const numbers = made.map((row) => row!.number)
  assert.equal(
    numbers,
    [...numbers].sort((one, other) => one - other),
  )
  assert.is(new Set(numbers).size, 20)
  await file.close()
})

test('what cannot be written is refused and not in force; another service on the store sees what is', async () => {
  const path = newPath()
  const [one, two] = [await open(path, () => START_MS), await open(path, () => START_MS)]
  await one.store.revoke(draft('t', 'ada'), START_MS, BOUNDS)
  assert.is(two.list.marks({ tenant: 't', user: 'ada' })[0], 0)
  await two.store.refresh()
  assert.ok(two.list.marks({ tenant: 't', user: 'ada' })[0] > 0)
  await one.file.close()
  await rejection('overloaded', Promise.resolve(one.store.revoke(draft('t', 'bo'), START_MS, BOUNDS)))
  assert.is(one.list.marks({ tenant: 't', user: 'bo' })[0], 0)
  await two.file.close()
})

test('a damaged row is named by the check and at load', async () => {
  const path = newPath()
  const { file, store } = await open(path, () => START_MS)
  await store.revoke(draft('t', 'ada'), START_MS, BOUNDS)
  await file.close()
  execOn(path, 'UPDATE revocations SET not_before_ms = not_before_ms + 1')
  const again = await open(path, () => START_MS)
  assert.equal(again.damaged, ['["t","ada",null]'])
  await again.file.close()
  assert.equal(checkStore(path, storeParts).damaged, ['revocation of ["t","ada",null]'])
})

test.run()
