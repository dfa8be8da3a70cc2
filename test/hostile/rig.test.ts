/** The rig itself: `assertCalm` passes if the server is calm, and fails if it is not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryOf, noMemory, resetPeak } from '../support/process-memory.ts'
import { startSpending, timeOf } from '../support/process-time.ts'
import { testUnless } from '../support/skip.ts'
import { attacksOf, beside, servers, startTarget } from './rig.ts'
import { assertCalm, type Report, untilCalm } from './stranger.ts'

const test = suite('hostile: rig')
const it = attacksOf(test)
const STOPPED_MS = 2_200

for (const server of servers) {
  it(`${server}: a report is calm without an attack, and not calm if the server is stopped`, async () => {
    const target = await startTarget(server)
    const quiet = await beside(target, () => sleep(1_000))
    assertCalm(quiet.report)
    assert.ok(quiet.grownBytes >= 0 && quiet.grownBytes < 64 * 1024 * 1024, `${quiet.grownBytes}`)

    const still = await beside(target, async () => {
      target.child.kill('SIGSTOP')
      await sleep(STOPPED_MS)
      target.child.kill('SIGCONT')
    })
    assert.not.ok(isCalm(still.report), JSON.stringify(still.report))
    assert.ok(still.report.stillMs > STOPPED_MS / 2, JSON.stringify(still.report))

    const refused = await beside(target, () => sleep(500), { headers: {} })
    assert.not.ok(isCalm(refused.report), JSON.stringify(refused.report))
    assert.ok(refused.report.failures['401']! > 0)
  })
}

test('a report is calm if every request is answered, the server is not busy with others and it does not block', () => {
  const calm: Report = { asked: 100, p50Ms: 1, p99Ms: 20, worstMs: 90, countedMs: 500, stillMs: 3, failures: {} }
  assert.ok(isCalm(calm))
  assert.not.ok(isCalm({ ...calm, worstMs: 110 }), 'busy')
  assert.ok(isCalm({ ...calm, worstMs: 0 }), 'the stranger waited for a core for longer than the server ran')
  assert.not.ok(isCalm({ ...calm, countedMs: 0 }), 'nothing is measured')
  assert.not.ok(isCalm({ ...calm, stillMs: 300 }), 'the server waited for a lock')
  assert.not.ok(isCalm({ ...calm, failures: { timeout: 1 } }))
  assert.not.ok(isCalm({ ...calm, failures: { '503': 1 } }))
  assert.not.ok(isCalm({ ...calm, asked: 3 }), 'too short')
  assert.not.ok(isCalm(calm, 50))
})

test('an attack that held the server is repeated; an attack that holds it each time, or makes requests fail, fails the test', async () => {
  const calm: Report = { asked: 100, p50Ms: 1, p99Ms: 20, worstMs: 20, countedMs: 500, stillMs: 3, failures: {} }
  const triesOf = async (reports: readonly Report[]): Promise<[tries: number, calm: boolean]> => {
    let tries = 0
    let retries = 0
    const attack = async (): Promise<void> => assertCalm(reports[tries++]!)
    const isCalmAtLast = await untilCalm(attack, () => retries++).then(
      () => true,
      () => false,
    )
    assert.is(retries, tries - 1)
    return [tries, isCalmAtLast]
  }
  const held = { ...calm, worstMs: 400 }
  assert.equal(await triesOf([calm]), [1, true])
  assert.equal(await triesOf([held, { ...calm, stillMs: 400 }, calm]), [3, true])
  assert.equal(await triesOf([held, held, held, calm]), [3, false])
  assert.equal(await triesOf([{ ...calm, failures: { timeout: 1 } }, calm]), [1, false])
  assert.equal(await triesOf([{ ...calm, failures: { '503': 1 } }, calm]), [1, false])
})

testUnless(
  test,
  noMemory,
  'the measured times of a process are its processor time and the time in which no process ran',
  () => {
    const busy = startSpending(process.pid)
    const until = timeOf(process.pid).ranMs + 100
    while (timeOf(process.pid).ranMs < until);
    assert.ok(busy().ranMs >= 100)
    const idle = startSpending(process.pid)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    const spent = idle()
    assert.ok(spent.stillMs > 100 && spent.ranMs < 100, JSON.stringify(spent))
  },
)

testUnless(test, noMemory, 'a memory peak is reported after it has passed, until it is reset', () => {
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

function isCalm(report: Report, boundMs?: number): boolean {
  try {
    assertCalm(report, boundMs)
    return true
  } catch {
    return false
  }
}

test.run()
