/**
 * Other users of the store that lock it, flood it or send expensive bodies: a stranger on the other surface is still
 * served.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../scripts/until.ts'
import { pushOf, sendTo } from '../e2e/sync/daemon.ts'
import { createServer, createSigner, type Signer, signed } from '../unit/sync/platforms.ts'
import { attacksOf, beside, serversBefore, startTarget, type Target } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: sync store')
const it = attacksOf(test)
const MIB = 1024 * 1024
const newPush = (signer: Signer, over = {}): Uint8Array => signed(signer, { issuedAtMs: Date.now(), ...over })

/** Enrols a device in the store of the target while the service runs. */
async function enrolled(target: Target): Promise<Signer> {
  const signer = createSigner()
  const command = createServer({ path: storeOf(target) })
  await command.enrol(signer, ['kbd-control:demo'])
  await command.close()
  return signer
}

const storeOf = (target: Target): string => join(target.folder, 'state', 'sync.db')
const statusOf = async (target: Target, body: Uint8Array): Promise<number> =>
  (await sendTo({ socketPath: target.socketPath }, pushOf(body))).status

for (const server of serversBefore()) {
  it(`${server}: another process holds the write lock repeatedly while pushes wait for it`, async () => {
    const target = await startTarget(server)
    const signer = await enrolled(target)
    const other = new DatabaseSync(storeOf(target))
    // The service may still hold the lock for a checkpoint after its answers.
    other.exec('PRAGMA busy_timeout = 5000')
    const { result, report } = await beside(target, async () => {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) {
        other.exec('BEGIN IMMEDIATE')
        const pushing = Array.from({ length: 16 }, () => statusOf(target, newPush(signer)))
        await sleep(900)
        other.exec('ROLLBACK')
        statuses.push(...(await Promise.all(pushing)))
      }
      return statuses
    })
    other.close()
    assertCalm(report)
    assert.equal([...new Set(result)], [201])
  })

  it(`${server}: a device pushes as fast as it can and is revoked: none of its pushes commits after the answer`, async () => {
    const target = await startTarget(server)
    const signer = await enrolled(target)
    const { result, report, grownBytes } = await beside(target, async () => {
      const after: number[] = []
      let revoked = false
      const lane = async (): Promise<void> => {
        for (let left = 8; left > 0; ) {
          const begunAfter = revoked
          const status = await statusOf(target, newPush(signer))
          if (!begunAfter) continue
          after.push(status)
          left--
        }
      }
      const lanes = Promise.all(Array.from({ length: 16 }, lane))
      await until('pushes commit', async () => count(storeOf(target)) > 20, 60_000)
      await target.command('device', 'revoke', signer.keyId)
      const counted = count(storeOf(target))
      revoked = true
      await lanes
      return { after, committedLater: count(storeOf(target)) - counted }
    })
    assertCalm(report)
    assert.is(result.committedLater, 0)
    assert.equal([...new Set(result.after)], [403])
    assert.ok(grownBytes < 128 * MIB, `${grownBytes}`)
  })

  it(`${server}: the cost of the largest bodies, of brackets, escapes, numbers and heads, is proportional to their bytes`, async () => {
    const target = await startTarget(server)
    const size = 262_000
    const bodies = [
      '['.repeat(size),
      `${'{"a":'.repeat(size / 5)}`,
      `"${'\\u0061'.repeat(size / 6)}"`,
      `"${'\\ud83d\\ude00'.repeat(size / 12)}"`,
      `[${'9'.repeat(size)}]`,
      `[1e${'9'.repeat(size)}]`,
      `[${'1e1,'.repeat(size / 4)}1]`,
      `[0.${'0'.repeat(size)}1e${size}]`,
      `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`,
      JSON.stringify({ schemaVersion: '1.7', expectedFrontier: { heads: Array(3_800).fill('a'.repeat(64)) } }),
      JSON.stringify({ schemaVersion: '1.7', targetEndpointIds: Array(60_000).fill('') }),
    ].map((text) => Buffer.from(text))
    const { result, report, grownBytes } = await beside(target, async () => {
      const statuses = new Set<number>()
      for (let round = 0; round < 12; round++)
        for (const status of await Promise.all(bodies.map((body) => statusOf(target, body)))) statuses.add(status)
      return statuses
    })
    assertCalm(report)
    assert.equal([...result], [400])
    assert.ok(grownBytes < 128 * MIB, `${grownBytes}`)
  })
}

function count(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const found = database.prepare('SELECT count(*) AS receipts FROM receipts').get() as { receipts: number }
  database.close()
  return found.receipts
}

test.run()
