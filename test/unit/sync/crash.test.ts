import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { outboxAfter } from '../../../plugins/sync/engine/delivery/statements.ts'
import { countOf } from '../../support/count.ts'
import { createFolder, createServer, createSigner, signed } from './platforms.ts'

/**
 * test/e2e/sync/crash.test.ts kills the service itself, without peers. The engine here has a peer transport, so that
 * the kill also interrupts deliveries to peers.
 */
const ROUNDS = countOf({ quick: 10, deep: 200, variable: 'SVC_CRASH_ROUNDS' })

test(`kill -9 at random points, ${ROUNDS} rounds: nothing acknowledged is lost, nothing is executed twice`, async () => {
  const folder = createFolder()
  const path = join(folder, 'sync.db')
  // Bundled once, because it starts in every round.
  const script = join(folder, 'child.mjs')
  await build({
    entryPoints: [resolve(import.meta.dirname, 'crash-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const alice = createSigner()
  const peer = createSigner()
  const setup = createServer({ path })
  await setup.enrol(alice, ['kbd-control:demo'])
  await setup.close()

  const bodies = new Map<string, string>()
  const acknowledged = new Map<string, number>()
  let unanswered: string[] = []
  let created = 0

  const makeBody = (): string => {
    const requestId = randomUUID()
    const targetEndpointIds = bodies.size % 4 === 0 ? [peer.hex] : []
    const body = signed(alice, { requestId, issuedAtMs: Date.now(), targetEndpointIds })
    bodies.set(requestId, Buffer.from(body).toString('base64'))
    return requestId
  }

  /**
   * One run of the process: unanswered pushes are sent again, new pushes follow, and after some answers the process is
   * killed.
   */
  const round = async (killAfter: number, lastRound: boolean): Promise<void> => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = new Promise((done) => child.once('exit', done))
    child.stdin.on('error', () => {})
    const open = new Set(unanswered)
    const send = (requestId: string): void => {
      open.add(requestId)
      child.stdin.write(`${bodies.get(requestId)}\n`)
    }
    let answers = 0
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'ready') {
        for (const requestId of unanswered) send(requestId)
        // An acknowledged push is sent again too; it must be answered as a replay.
        const old = [...acknowledged.keys()][Math.floor(Math.random() * acknowledged.size)]
        if (old !== undefined) send(old)
        for (let i = 0; i < (lastRound ? 0 : 24); i++) send(makeBody())
        continue
      }
      const [pushId, status] = line.split(' ') as [string, string]
      answers++
      if (status === '201') created++
      if (status === '201' && acknowledged.has(pushId)) assert.unreachable(`${pushId} was executed again`)
      acknowledged.set(pushId, Number(status))
      open.delete(pushId)
      if (lastRound && open.size === 0) break
      if (!lastRound && answers === killAfter) kill(child)
    }
    if (lastRound) await untilSent(path)
    kill(child)
    await exited
    unanswered = [...open]
  }

  for (let i = 0; i < ROUNDS; i++) await round(1 + Math.floor(Math.random() * 24), false)
  await round(0, true)

  const after = createServer({ path })
  const pushes = await after.store.read((ledger) => [...bodies.keys()].map((id) => ledger.push(id)))
  const stored = pushes.filter((push) => push !== undefined)
  assert.is(stored.length, bodies.size, 'every push is stored, the last ones after they were sent again')
  for (const push of stored) {
    const receipt = await after.receipt(push.pushId)
    for (const [i, event] of receipt.events.entries()) assert.is(event.sequence, i + 1)
    assert.is(receipt.localState, push.targets.length > 0 ? 'broadcast' : 'applied_locally', 'resumed to its end')
  }
  const executed = await after.store.write((ledger) => Number(ledger.heads('demo')![0]))
  assert.is(executed, stored.length, 'as many executions as receipts')
  console.log(`${bodies.size} pushes, ${created} answered 201, ${acknowledged.size} acknowledged, ${executed} executed`)
  await after.close()
})

/** Waits until the outbox is empty, so that every interrupted push has been resumed. */
async function untilSent(path: string): Promise<void> {
  const reader = createServer({ path })
  for (let i = 0; i < 400; i++) {
    if ((await reader.store.read((ledger) => outboxAfter(ledger, [0, ''], 1))).length === 0) break
    await new Promise((done) => setTimeout(done, 50))
  }
  await reader.close()
}

function kill(child: ChildProcess): void {
  child.kill('SIGKILL')
}

test.run()
