/** Read data is checked against its sums: data with a flipped bit is never an answer. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { rowSum } from '../../../plugins/sync/engine/store/row-sum.ts'
import { backupStore, checkStore, restoreStore } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { failure, rejection } from '../../support/throws.ts'
import { createFolder, createServer, createSigner, settleLoop, signed } from './platforms.ts'

const alice = createSigner()
const peers = Array.from({ length: 3 }, createSigner)

/** A closed store with pushes with and without targets. */
async function filled(count = 20): Promise<{ path: string; bodies: Uint8Array[]; receipts: Map<string, string> }> {
  const server = createServer({ transport: { deliver: () => new Promise(() => {}) } })
  await server.enrol(alice, ['kbd-control:demo'])
  const bodies: Uint8Array[] = []
  const receipts = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const body = signed(alice, i % 2 === 0 ? {} : { targetEndpointIds: peers.map(({ hex }) => hex) })
    bodies.push(body)
    const { receipt } = await server.submit(body)
    if (i % 2 === 1) await server.recordPeer(receipt!.pushId, peers[0]!.hex, 'received')
    receipts.set(receipt!.pushId, JSON.stringify(await server.receipt(receipt!.pushId)))
  }
  await server.close()
  return { path: server.path, bodies, receipts }
}

test('the sum differs if one character or the type of one value differs', () => {
  const value = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.constant(null))
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.nat(),
      fc.nat(15),
      (row, which, at, bit) => {
        const sum = rowSum(row)
        assert.ok(Number.isSafeInteger(sum) && sum >= 0)
        assert.is(rowSum([...row]), sum)
        const place = which % row.length
        const original = row[place]!
        const other = row.with(
          place,
          original === null ? '' : typeof original === 'number' ? String(original) : flip(original, at, bit),
        )
        assert.is.not(rowSum(other), sum)
      },
    ),
    { numRuns: 2_000 },
  )
  assert.is.not(rowSum(['ab', 'c']), rowSum(['a', 'bc']))
})

function flip(text: string, at: number, bit: number): string | null {
  if (text === '') return null
  const place = at % text.length
  const code = text.charCodeAt(place) ^ (1 << bit)
  return text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1)
}

test('a receipt that was read before is checked again after its row has changed', async () => {
  const server = createServer()
  await server.enrol(alice, ['kbd-control:demo'])
  const { receipt } = await server.submit(signed(alice))
  const read = () => server.store.read((ledger) => ledger.push(receipt!.pushId)!)
  const before = await read()
  const raw = new DatabaseSync(server.path)
  for (const change of [
    "domain = domain || 'x'",
    'targets = \'["a"]\'',
    'updated_at_ms = 1',
    'envelope = NULL, sum = sum + 1',
  ]) {
    const kept = raw.prepare('SELECT domain, targets, updated_at_ms, envelope, sum FROM receipts').get()!
    raw.exec(`UPDATE receipts SET ${change}`)
    await settleLoop()
    await rejection('receipt_store_unavailable', read(), change)
    raw
      .prepare('UPDATE receipts SET domain = ?, targets = ?, updated_at_ms = ?, envelope = ?, sum = ?')
      .run(...Object.values(kept))
    await settleLoop()
    assert.equal(await read(), before)
  }
  raw.close()
  await server.close()
})

test('with each of 200 flipped bits every answer is the original answer or a refusal', async () => {
  const { path, receipts } = await filled()
  const bytes = readFileSync(path)
  const damaged = join(createFolder(), 'sync.db')
  let seed = 7
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  let refusals = 0
  let answers = 0
  for (let i = 0; i < 200; i++) {
    const copy = Buffer.from(bytes)
    // Behind the header, which is checked at the opening.
    const place = 100 + next(copy.length - 100)
    copy[place]! ^= 1 << next(8)
    writeFileSync(damaged, copy)
    for (const tail of ['-wal', '-shm', '.mark']) rmSync(damaged + tail, { force: true })
    const server = createServer({ path: damaged })
    for (const [pushId, text] of receipts) {
      try {
        assert.is(JSON.stringify(await server.receipt(pushId)), text, `bit ${i} at ${place}`)
        answers++
      } catch (error) {
        if (!isSvcError(error)) throw error
        // A damaged index may find nothing, but never finds another push.
        assert.ok(['receipt_store_unavailable', 'push_not_found', 'store_damaged'].includes(error.code), error.code)
        refusals++
      }
    }
    await server.close()
  }
  assert.ok(answers > 1_000 && refusals > 20, `${answers} answers, ${refusals} refusals`)
})

const rows: Readonly<Record<string, string>> = {
  'a receipt': `UPDATE receipts SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE no = 3`,
  'a state': `UPDATE receipts SET local_state = 'failed' WHERE no = 3`,
  'an event': `UPDATE events SET event = replace(event, 'prepared', 'prepareD') WHERE receipt_no = 3 AND sequence = 2`,
  'a lost event': `DELETE FROM events WHERE receipt_no = 3 AND sequence = 3`,
  'a lost event in the middle': `DELETE FROM events WHERE receipt_no = 3 AND sequence = 2`,
}
for (const [name, sql] of Object.entries(rows))
  test(`${name} that was changed: its push is refused, other pushes are not, and the check names the receipt`, async () => {
    const { path, bodies } = await filled(6)
    execOn(path, sql)
    const server = createServer({ path })
    const outcomes = []
    for (const body of bodies) outcomes.push((await server.submit(body)).code ?? 'replayed')
    assert.equal(outcomes, ['replayed', 'replayed', 'receipt_store_unavailable', 'replayed', 'replayed', 'replayed'])
    assert.is((await server.submit(signed(alice))).status, 201)
    await server.close()
    assert.equal(checkStore(path, storeParts), { receipts: 7, damaged: ['receipt 3'] })
  })

test('a push of a damaged device or to a damaged project is refused', async () => {
  for (const [sql, name] of [
    [`UPDATE devices SET scopes = '["kbd-control:*"]'`, 'devices'],
    [`UPDATE projects SET heads = '[]'`, 'projects'],
  ] as const) {
    const { path } = await filled(2)
    execOn(path, sql)
    const server = createServer({ path })
    assert.is((await server.submit(signed(alice))).status, 503)
    await server.close()
    assert.equal(checkStore(path, storeParts).damaged, [name])
  }
})

test('a restore replaces a damaged or missing store, and refuses a damaged backup', async () => {
  const { path, bodies } = await filled(4)
  const file = join(createFolder(), 'backup.db')
  backupStore(path, file, storeParts)
  const bad = join(createFolder(), 'bad.db')
  copyFileSync(file, bad)
  execOn(bad, `UPDATE receipts SET domain = 'kbd-control:other' WHERE no = 1`)
  failure('store_damaged', () => restoreStore(path, bad, 1, storeParts))
  assert.not(existsSync(`${path}.restore`))

  const faults = [
    () => writeFileSync(path, Buffer.alloc(8192, 0xa5)),
    () => rmSync(path),
    () => writeFileSync(path, ''),
  ]
  for (const [i, fault] of faults.entries()) {
    fault()
    const store = createServer({ path })
    assert.throws(
      () => store.store.open(),
      (error: unknown) => isSvcError(error),
    )
    await store.close()
    restoreStore(path, file, i + 2, storeParts)
    const server = createServer({ path })
    for (const body of bodies) assert.is((await server.submit(body)).status, 200)
    await server.close()
  }
})

test('the check finds a receipt that is missing in its index, because a resend would be executed again', async () => {
  const { path, receipts } = await filled(3)
  const pushId = [...receipts.keys()][1]!
  const bytes = readFileSync(path)
  const places: number[] = []
  for (let at = bytes.indexOf(pushId); at >= 0; at = bytes.indexOf(pushId, at + 1)) places.push(at)
  assert.ok(places.length >= 2, 'in the table and in the index')
  for (const place of places) {
    const damaged = join(createFolder(), 'sync.db')
    const copy = Buffer.from(bytes)
    copy[place + pushId.length - 1]! ^= 1
    writeFileSync(damaged, copy)
    assert.ok(checkStore(damaged, storeParts).damaged.includes('receipt 2'), `at ${place}`)
  }
})

test('a backup of a damaged store is refused', async () => {
  const { path } = await filled(2)
  execOn(path, `UPDATE events SET sequence = 9 WHERE sequence = 3 AND receipt_no = 1`)
  const file = join(createFolder(), 'backup.db')
  assert.equal(backupStore(path, file, storeParts).damaged, ['receipt 1'])
  assert.not(existsSync(file))
})

test.run()
