/**
 * A listed peer that contradicts itself: forged commands, false acknowledgements and wrong answers, on the built
 * program, with a stranger measured beside it.
 */
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope } from '../../plugins/kbd/api.ts'
import type { PeerOverview } from '../../plugins/peer/api.ts'
import { createLink } from '../../plugins/peer/tls/link.ts'
import type { Acknowledgement, AuditEntry, PushReceipt } from '../../plugins/sync/api.ts'
import { envelopeOf } from '../e2e/kbd/caller.ts'
import { idOf } from '../e2e/peer/caller.ts'
import { Refusing, wordOf } from '../e2e/peer/lying-node.ts'
import { sendTo } from '../e2e/sync/daemon.ts'
import { later } from '../e2e/transport/cases/common.ts'
import { type Signer, signed } from '../unit/sync/platforms.ts'
import { openScene } from './peer-scene.ts'
import { repeat, testAttack } from './rig.ts'

const test = suite('hostile: answers of peers')
const boardId = randomUUID()
const create: Command = { type: 'board.create', boardId, title: 'Release' }
const retitle = (title: string): Command => ({ type: 'board.update', boardId, title })
/** The number of commands in one body, so that the body stays below 256 KiB. */
const COMMANDS = 100
const FAILURE = { code: 'signer_revoked', message: 'The signing device is revoked here.', retryable: false }

const NOTHING_NEEDED = 'received, and nothing is needed'

/** An answer, or members of a correctly signed acknowledgement. */
type Lie = Refusing | readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * The answers of the liar in place of a true acknowledgement, each with the code of the failure that the node then
 * records for the peer.
 */
const lies: Readonly<Record<string, readonly [code: string, answer: Lie]>> = {
  'no acknowledgement': ['bad_answer', { ack: null, need: null }],
  'an acknowledgement that is a string': ['bad_answer', { ack: 'a word', need: null }],
  'an answer that is a list': ['bad_answer', []],
  [NOTHING_NEEDED]: ['bad_answer', { state: 'received' }],
  'rejected without a failure': ['false_acknowledgement', { state: 'rejected' }],
  'rejected with a frontier': [
    'false_acknowledgement',
    { state: 'rejected', failure: FAILURE, appliedFrontier: { heads: [] } },
  ],
  'applied with a failure': ['false_acknowledgement', { state: 'applied', failure: FAILURE }],
  'received with a frontier': ['false_acknowledgement', { state: 'received', appliedFrontier: { heads: [] } }],
  'received with a failure': ['false_acknowledgement', { state: 'received', failure: FAILURE }],
  'too many requests': [
    'rate_limited',
    new Refusing(429, { error: { code: 'rate_limited', message: 'Too many requests.' } }, { 'retry-after': '1' }),
  ],
}

/** Starts a node and a lying peer, with functions that control both. */
async function openLiar() {
  let lie: Lie | undefined
  let heads: readonly string[] = []
  const answer = (_path: string, body: Record<string, unknown>, key: Parameters<typeof wordOf>[1]): unknown => {
    if (lie !== undefined && !Object.hasOwn(lie, 'state')) return lie
    const members = (lie ?? { state: 'applied', appliedFrontier: { heads } }) as Partial<Acknowledgement>
    return { ack: wordOf(body, key, members), need: null }
  }
  const scene = await openScene(answer, { SVC_SYNC__RETRY_FIRST_MS: '20', SVC_SYNC__RETRY_MAX_MS: '20' })
  const { target, key, entry, alice, liar } = scene
  const link = createLink({ key: () => key, timeoutMs: 60_000, idleTimeoutMs: 60_000, maxConnections: 4 })
  const local = async <T>(path: string, body?: string): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? { path } : { method: 'POST', path, headers, body }
    const reply = await sendTo({ socketPath: target.socketPath }, sent)
    assert.ok(reply.status < 300, `${path}: ${reply.text}`)
    return reply.json() as T
  }
  return {
    ...scene,
    local,
    /** Sets the answer that the liar gives from now on. Undefined for true answers. */
    answerWith(answer: Lie | undefined): void {
      lie = answer
    },
    /** Sends a request to the node as a peer. */
    async ask(path: string, value: unknown): Promise<{ status: number; value: Record<string, unknown> }> {
      const headers = { 'svc-peer-version': '1', 'content-type': 'application/json' }
      const given = await link.exchange(entry, { method: 'POST', path, headers, body: JSON.stringify(value) })
      const text = String(Buffer.from(given.body))
      return { status: given.status, value: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
    },
    /** Enters a command on the node's own board. */
    async enter(command: Command): Promise<CommandEnvelope> {
      const envelope = await envelopeOf(alice, { command, parents: heads })
      await local('/api/v1/kbd/projects/demo/commands', JSON.stringify(envelope))
      heads = [idOf(envelope)]
      return envelope
    },
    /** Makes the node push to the liar. */
    async push(): Promise<{ pushId: string; push: object }> {
      const { text, push } = pushOf(alice, liar.id)
      return { pushId: (await local<PushReceipt>('/api/v2/sync/pushes', text)).pushId, push }
    },
    receiptWhen: async (pushId: string, isSo: (receipt: PushReceipt) => boolean): Promise<PushReceipt> => {
      for (const limit = performance.now() + 30_000; ; await later(5)) {
        const receipt = await local<PushReceipt>(`/api/v2/sync/pushes/${pushId}`)
        if (isSo(receipt)) return receipt
        assert.ok(performance.now() < limit, JSON.stringify(receipt))
      }
    },
    lastFailure: async (): Promise<string | undefined> =>
      (await local<{ peers: readonly PeerOverview[] }>('/api/v1/peers')).peers[0]!.lastFailure?.code,
    async stop() {
      link.close()
      await scene.stop()
    },
  }
}

/** A signed push for one target. */
function pushOf(signer: Signer, target: string): { text: string; push: { readonly requestId: string } } {
  const text = Buffer.from(signed(signer, { issuedAtMs: Date.now(), targetEndpointIds: [target] })).toString()
  return { text, push: JSON.parse(text) as { requestId: string } }
}

/** The members of an error that identify the refused command. */
const refusedOf = (value: Record<string, unknown>): readonly unknown[] => {
  const { code, index, commandId, id } = (value['error'] ?? {}) as Record<string, unknown>
  return [code, index, commandId, id]
}

testAttack(test, 'a listed peer contradicts itself', async () => {
  const peer = await openLiar()
  const { target, alice, mallory, entry, liar, key } = peer
  try {
    const root = await peer.enter(create)
    const forge = (command: CommandEnvelope): CommandEnvelope => ({ ...command, command: retitle('Forged') })
    const { push: pushed } = pushOf(alice, entry.endpointId)
    const whole = { push: pushed, frontier: { heads: [idOf(root)] }, commands: [root] }
    const first = await peer.ask('/api/v2/peer/pushes', whole)
    assert.is((first.value['ack'] as Acknowledgement).state, 'applied', JSON.stringify(first))
    const give = (pushId: string | null, commands: readonly unknown[]) =>
      peer.ask('/api/v2/peer/commands', { project: 'demo', pushId, commands })

    await repeat(target, 'commands for a push that is finished', async () => {
      for (const command of [root, forge(root), 'no command']) {
        const { status, value } = await give(
          pushed.requestId,
          Array.from({ length: COMMANDS }, () => command),
        )
        assert.equal([status, refusedOf(value)[0]], [409, 'push_finished'])
      }
    })

    const next = await envelopeOf(alice, { command: retitle('Next'), parents: [idOf(root)] })
    const stranger = await envelopeOf(mallory, { command: retitle('Stranger'), parents: [idOf(root)] })
    const lost = await envelopeOf(alice, { command: retitle('Lost'), parents: ['e'.repeat(64)] })
    const known = Array.from({ length: COMMANDS }, () => root)
    await repeat(target, 'refused commands after many known commands', async () => {
      for (const [code, refused, id] of [
        ['signature_invalid', forge(next), undefined],
        ['signer_unknown', stranger, idOf(stranger)],
        ['frontier_unknown', lost, idOf(lost)],
      ] as const) {
        const { value } = await give(null, [...known, refused])
        assert.equal(refusedOf(value), [code, COMMANDS, refused.commandId, id])
      }
    })

    peer.answerWith({ state: 'received' })
    const { pushId, push } = await peer.push()
    await peer.receiptWhen(pushId, ({ perPeer }) => perPeer[liar.id]?.state === 'received')
    const acknowledgements = Object.values(lies).flatMap(([code, over]) =>
      code === 'false_acknowledgement' ? [wordOf({ push }, key, over as Partial<Acknowledgement>)] : [],
    )
    const acks = Array.from({ length: COMMANDS }, (_, n) => acknowledgements[n % acknowledgements.length]!)
    await repeat(target, 'acknowledgements that contradict their state', async () => {
      assert.is((await peer.ask('/api/v2/peer/acks', { acks })).status, 204)
      const { perPeer } = await peer.receiptWhen(pushId, () => true)
      assert.is(perPeer[liar.id]!.state, 'received')
    })
    const { entries } = await peer.local<{ entries: readonly AuditEntry[] }>('/api/v1/audit?kind=peer&limit=1000')
    assert.ok(entries.some(({ outcome }) => outcome === 'false_acknowledgement'))

    await repeat(target, 'wrong answers to a push', async (round) => {
      for (const [name, [code, answer]] of Object.entries(lies)) {
        await peer.enter(retitle(`${name} ${round}`))
        peer.answerWith(answer)
        const pushed = await peer.push()
        const { perPeer } = await peer.receiptWhen(pushed.pushId, ({ events }) =>
          events.some(({ kind, failure }) => kind === 'peer_delivery_failed' && failure?.code === code),
        )
        assert.is(perPeer[liar.id]?.state, name === NOTHING_NEEDED ? 'received' : undefined)
        // Status 429 is not a wrong answer: it gives an event and a log line.
        if (code === 'rate_limited')
          await target.child.waitFor(new RegExp(`"rate_limited".*${pushed.pushId}|${pushed.pushId}.*"rate_limited"`))
        else assert.is(await peer.lastFailure(), code, name)
        peer.answerWith(undefined)
        await peer.receiptWhen(pushed.pushId, (receipt) => receipt.perPeer[liar.id]?.state === 'applied')
      }
    })
  } finally {
    await peer.stop()
  }
})

test.run()
