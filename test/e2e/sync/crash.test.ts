import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { outboxAfter } from '../../../plugins/sync/engine/delivery/statements.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { countOf } from '../../support/count.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createServer, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, sendTo } from './daemon.ts'
import { isLostConnection, startShipped, unbuilt, untilHealthy } from './shipped.ts'

/** A fault that occurs in one of fifty kills is missed in 200 rounds with a probability of 2 %. */
const ROUNDS = countOf({ quick: 5, deep: 200, variable: 'SVC_SYNC_KILLS' })
/** The number of concurrent pushes. Each lane has one push at a time, to a separate project. */
const LANES = 8
/**
 * The maximum time between the first acknowledgement of a run and the kill, in milliseconds: some tens of group
 * commits.
 */
const LONGEST_LIFE_MS = 60
/** In every eighth round the service is also killed during its start, within this time in milliseconds. */
const EARLY_KILL_EVERY = 8
const LONGEST_START_MS = 250

const name = `after kill -9 at random points in ${ROUNDS} rounds no acknowledged push is lost and no push is executed twice`

interface Push {
  readonly id: string
  readonly body: Uint8Array
}

/** An acknowledged push, with its receipt and its round. */
interface Acknowledged {
  readonly body: Uint8Array
  readonly text: string
  readonly round: number
}

/**
 * Pushes to one project, each of which expects the head of the previous push. So a push with an effect but no receipt,
 * with a receipt but no effect, or with a second effect causes an answer with 409.
 */
interface Lane {
  readonly project: string
  head: string | undefined
  unanswered: Push | undefined
}

const crash = async (): Promise<void> => {
  const folder = createFolder()
  const at = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
  const socket = { socketPath: at.socketPath }
  const lanes = Array.from(
    { length: LANES },
    (_, i): Lane => ({ project: `lane-${i}`, head: undefined, unanswered: undefined }),
  )
  const alice = createSigner()
  const before = createServer({ path: storagePath(at.state) })
  await before.enrol(
    alice,
    lanes.map(({ project }) => `kbd-control:${project}`),
  )
  await before.close()

  const acknowledged = new Map<string, Acknowledged>()
  const count = { pushes: 0, created: 0, resent: 0, resentCreated: 0 }

  /** Checks that acknowledged pushes still have the receipts of their answers. */
  const recheck = async (chosen: readonly (readonly [string, Acknowledged])[]): Promise<void> => {
    const queue = chosen.values()
    const work = async (): Promise<void> => {
      for (const [id, { text }] of queue) {
        const read = await sendTo(socket, { path: `/api/v2/sync/pushes/${id}` })
        assert.is(read.status, 200, `${id} was acknowledged and is gone: ${read.text}`)
        assert.is(read.text, text)
      }
    }
    await Promise.all(Array.from({ length: LANES }, work))
  }

  /** Sends an acknowledged push again, and reads its events. */
  const replay = async (id: string, { body, text }: Acknowledged): Promise<void> => {
    const again = await sendTo(socket, pushOf(body))
    assert.is(again.status, 200, `${id} was not taken as a replay: ${again.text}`)
    assert.is(again.text, text)
    const stream = await sendTo(socket, { path: `/api/v2/sync/pushes/${id}/events` })
    const ids = [...stream.text.matchAll(/^id: ?(\d+)$/gm)].map(([, sequence]) => Number(sequence))
    assert.equal(ids, [1, 2, 3])
  }

  const accept = (lane: Lane, { id, body }: Push, replies: readonly Reply[], round: number): void => {
    for (const { status, text } of replies) assert.ok(status === 201 || status === 200, `${id}: ${status} ${text}`)
    const [first, ...others] = replies
    for (const other of others) assert.is(other.text, first!.text, 'both answers have the same receipt')
    const receipt = first!.json() as unknown as PushReceipt
    assert.is(receipt.pushId, id)
    assert.is(receipt.localState, 'applied_locally', 'no push has an intermediate state')
    assert.equal(
      receipt.events.map(({ sequence }) => sequence),
      receipt.events.map((_, i) => i + 1),
    )
    acknowledged.set(id, { body, text: first!.text, round })
    lane.head = receipt.canonicalPayloadHash
    lane.unanswered = undefined
  }

  /** One run of the service under load. Without a kill the run ends when every push is answered. */
  const runService = async (round: number, withKill: boolean): Promise<void> => {
    const child = startShipped(at)
    await untilHealthy(child, at)
    const known = [...acknowledged]
    await recheck(known.filter(([, push]) => push.round >= round - 2))
    const old = known[Math.floor(Math.random() * known.length)]
    if (old !== undefined) await replay(...old)

    let killed = false
    let isKillScheduled = false
    const kill = (): void => {
      killed = true
      child.kill('SIGKILL')
    }
    /** Sends a push. Returns undefined if the kill came before the answer. */
    const push = async (body: Uint8Array): Promise<Reply | undefined> => {
      try {
        return await sendTo(socket, pushOf(body))
      } catch (error) {
        if (killed && isLostConnection(error)) return undefined
        throw error
      }
    }
    const drive = async (lane: Lane): Promise<void> => {
      while (!killed && (withKill || lane.unanswered !== undefined)) {
        const resent = lane.unanswered !== undefined
        lane.unanswered ??= makePush(lane)
        const { unanswered } = lane
        // An unanswered push is sent twice at once with the same bytes. At most one request may execute it.
        const answers = await Promise.all((resent ? [1, 2] : [1]).map(() => push(unanswered.body)))
        const replies = answers.filter((reply) => reply !== undefined)
        if (replies.length === 0) continue
        accept(lane, unanswered, replies, round)
        const created = replies.filter(({ status }) => status === 201).length
        assert.ok(resent ? created <= 1 : created === 1, `${unanswered.id}: ${created} times 201`)
        count.created += created
        if (resent) count.resent++
        if (resent) count.resentCreated += created
        if (withKill && !isKillScheduled) setTimeout(kill, Math.random() * LONGEST_LIFE_MS)
        isKillScheduled = true
      }
    }
    const makePush = (lane: Lane): Push => {
      const id = randomUUID()
      const expectedFrontier = { heads: lane.head === undefined ? [] : [lane.head] }
      const domain = `kbd-control:${lane.project}`
      count.pushes++
      return { id, body: signed(alice, { requestId: id, domain, expectedFrontier, issuedAtMs: Date.now() }) }
    }

    await Promise.all(lanes.map(drive))
    if (!withKill) {
      await recheck([...acknowledged])
      assert.is((await child.stop()).code, 0, child.err)
    }
    assert.is((await child.exited).signal, withKill ? 'SIGKILL' : null, child.err)
  }

  for (let round = 0; round < ROUNDS; round++) {
    if (round % EARLY_KILL_EVERY === EARLY_KILL_EVERY - 1) {
      const child = startShipped(at)
      await new Promise((done) => setTimeout(done, Math.random() * LONGEST_START_MS))
      child.kill('SIGKILL')
      assert.is((await child.exited).signal, 'SIGKILL', child.err)
    }
    await runService(round, true)
  }
  await runService(ROUNDS, false)

  assert.is(acknowledged.size, count.pushes, 'in the end every push has a receipt')
  const after = createServer({ path: storagePath(at.state) })
  const contents = await after.store.write((ledger) => ({
    heads: lanes.map(({ project }) => ledger.heads(project)),
    outbox: outboxAfter(ledger, [0, ''], 1),
    // Receipts are numbered from 1 without a gap, so there are exactly as many as pushes.
    last: ledger.pushByNo(count.pushes)?.no,
    beyond: ledger.pushByNo(count.pushes + 1),
  }))
  await after.close()
  assert.equal(contents, {
    heads: lanes.map(({ head }) => [head]),
    outbox: [],
    last: count.pushes,
    beyond: undefined,
  })
  console.log(
    `${ROUNDS} kills, ${count.pushes} pushes, ${count.created} answered 201; ${count.resent} had no answer before the ` +
      `kill, ${count.resentCreated} of them were executed after it`,
  )
}

testUnless(test, unbuilt, name, crash)
test.run()
