/** The rig itself: it says calm where all is calm, and does not where it is not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sendTo } from '../e2e/sync/daemon.ts'
import { memoryOf, noMemory, resetPeak } from '../support/process-memory.ts'
import { slowdown } from '../support/process-time.ts'
import { testUnless } from '../support/skip.ts'
import { beside, servers, startTarget, testAttack } from './rig.ts'
import { assertCalm, type Report, untilCalm } from './stranger.ts'

const test = suite('hostile: rig')
const STOPPED_MS = 2_200

for (const server of servers) {
  testAttack(
    test,
    `${server}: a stranger beside nothing is calm, and beside a server that stands still he is not`,
    async () => {
      const target = await startTarget(server)
      try {
        const quiet = await beside(target, () => sleep(1_000))
        assertCalm(quiet.report)
        assert.ok(quiet.grownBytes >= 0 && quiet.grownBytes < 64 * 1024 * 1024, `${quiet.grownBytes}`)

        const still = await beside(target, async () => {
          target.child.kill('SIGSTOP')
          await sleep(STOPPED_MS)
          target.child.kill('SIGCONT')
        })
        assert.not.ok(isCalm(still.report), JSON.stringify(still.report))
        assert.ok(still.report.maxMs > STOPPED_MS - 100, JSON.stringify(still.report))

        const refused = await beside(target, () => sleep(500), { headers: {} })
        assert.not.ok(isCalm(refused.report), JSON.stringify(refused.report))
        assert.ok(refused.report.failures['401']! > 0)
      } finally {
        await target.stop()
      }
    },
  )

  testAttack(test, `${server}: raw bytes, requests and callers reach the server that was asked for`, async () => {
    const target = await startTarget(server)
    try {
      assert.match(target.child.out, `"transport":"${server}"`)
      await target.dial('GET /health HTTP/1.1\r\nHost: a\r\n\r\n').until((text) => text.includes('"ok"'))
      assert.is((await target.ask('/api/svc/auth/keys')).status, 401)
      assert.is((await target.ask('/api/svc/auth/keys', { headers: target.bearer('ada') })).status, 200)
      assert.is((await sendTo({ socketPath: target.socketPath }, { path: '/health' })).status, 200)
    } finally {
      await target.stop()
    }
  })
}

test('slowness: a core that is not shared is 1, one that is shared in halves is 2', () => {
  const at = (ranMs: number, waitedMs: number): { ranMs: number; waitedMs: number } => ({ ranMs, waitedMs })
  assert.is(slowdown(at(10, 5), at(20, 5)), 1)
  assert.is(slowdown(at(10, 5), at(20, 15)), 2)
  assert.is(slowdown(at(0, 0), at(0, 0)), 1)
  const report = { asked: 100, p50Ms: 1, p99Ms: 400, maxMs: 400, lateMs: 0, failures: {} }
  assert.ok(isCalm({ ...report, slowedBy: 2 }))
  assert.not.ok(isCalm({ ...report, slowedBy: 1.5 }))
  assert.not.ok(isCalm(report))
  assert.not.ok(isCalm({ ...report, p99Ms: 2_100, slowedBy: 1_000 }), 'a server that stands still')
})

test('a stranger who waited once is asked again, one who waits each time or is refused is not', async () => {
  const calm = { asked: 100, p50Ms: 1, p99Ms: 20, maxMs: 20, lateMs: 0, failures: {} }
  const triesOf = async (reports: readonly Report[]): Promise<[tries: number, calm: boolean]> => {
    let tries = 0
    let told = 0
    const attack = async (): Promise<void> => assertCalm(reports[tries++]!)
    const isCalmAtLast = await untilCalm(attack, () => told++).then(
      () => true,
      () => false,
    )
    assert.is(told, tries - 1)
    return [tries, isCalmAtLast]
  }
  const waited = { ...calm, p99Ms: 400 }
  assert.equal(await triesOf([calm]), [1, true])
  assert.equal(await triesOf([waited, waited, calm]), [3, true])
  assert.equal(await triesOf([waited, waited, waited, calm]), [3, false])
  assert.equal(await triesOf([{ ...calm, failures: { timeout: 1 }, slowedBy: 2 }, calm]), [2, true])
  assert.equal(await triesOf([{ ...calm, failures: { timeout: 1 } }, calm]), [1, false])
  assert.equal(await triesOf([{ ...calm, failures: { '503': 1 } }, calm]), [1, false])
})

testUnless(test, noMemory, 'memory: a peak is seen after it has passed, until it is reset', () => {
  const MIB = 1024 * 1024
  resetPeak(process.pid)
  const before = memoryOf(process.pid)
  let held: Buffer | undefined = Buffer.alloc(96 * MIB, 1)
  assert.is(held[96 * MIB - 1], 1)
  held = undefined
  const after = memoryOf(process.pid)
  assert.ok(after.peakBytes - before.rssBytes > 48 * MIB, `${before.rssBytes} → ${after.peakBytes}`)
  resetPeak(process.pid)
  assert.ok(memoryOf(process.pid).peakBytes <= after.peakBytes)
})

function isCalm(report: Report): boolean {
  try {
    assertCalm(report)
    return true
  } catch {
    return false
  }
}

test.run()
