/**
 * Pushes over the network with the shipped program: who may push, who may read, and what one caller cannot do to
 * another.
 */
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { unless } from '../../support/skip.ts'
import { type Signer, signed } from '../../unit/sync/platforms.ts'
import { sendTo } from './daemon.ts'
import { type Answer, codeOf, type RemoteNode, startRemote, type User } from './remote-node.ts'
import { unbuilt } from './shipped.ts'

const test = suite('pushes over the network')
const it = unless(test, unbuilt)
const PUSHES = '/api/v2/sync/pushes'

const bodyOf = (signer: Signer, over: Record<string, unknown> = {}): Uint8Array =>
  signed(signer, { issuedAtMs: Date.now(), ...over })
const push = (user: User, body: Uint8Array | string): Promise<Answer> => user.send('POST', PUSHES, body)
const local = ({ node }: RemoteNode, path: string) => sendTo({ socketPath: node.socketPath }, { path })

/** Runs work with a node. */
const withNode = (work: (remote: RemoteNode) => Promise<void>, more?: Record<string, string>) => async () => {
  const remote = await startRemote(more)
  try {
    await work(remote)
  } finally {
    await remote.node.stop()
  }
}

it(
  'a push is taken, and its receipt and events are for the user who handed it in alone',
  withNode(async (remote) => {
    const [ada, bob] = [remote.user('ada', 'sync:push'), remote.user('bob', 'sync:push')]
    const eve = remote.user('eve', 'sync:push', 'elsewhere')
    const signer = await remote.device()
    const body = bodyOf(signer)
    const made = await push(ada, body)
    assert.is(made.status, 201, made.text)
    const pushId = made.json['pushId'] as string
    const path = `${PUSHES}/${pushId}`
    assert.is(made.headers.get('location'), path)
    const read = await ada.send('GET', path)
    assert.is(read.text, made.text)
    assert.is((await local(remote, path)).text, made.text, 'the owner of the node sees the same bytes')
    const events = await (await ada.open(`${path}/events`)).text()
    assert.match(events, /event: receipt[\s\S]*event: end/)
    assert.is((await ada.open(`${path}/events?after=3`)).status, 204)

    for (const tail of ['', '/events']) {
      const unknown = await bob.send('GET', `${PUSHES}/${randomUUID()}${tail}`)
      assert.is(codeOf(unknown), '404 push_not_found')
      for (const other of [bob, eve]) assert.is((await other.send('GET', path + tail)).text, unknown.text)
    }
    // Who holds the signed bytes gets the receipt, and no right to read it later.
    const replay = await push(bob, body)
    assert.is(replay.status, 200)
    assert.is(replay.headers.get('idempotent-replayed'), 'true')
    assert.is(replay.text, made.text)
    assert.is(codeOf(await bob.send('GET', path)), '404 push_not_found')
    assert.is(codeOf(await push(eve, body)), '403 forbidden')
    assert.is(codeOf(await push(remote.user('ada', 'kbd:write'), body)), '403 forbidden')

    const other = await push(bob, bodyOf(signer, { requestId: pushId, domain: 'kbd-content:demo' }))
    assert.is(codeOf(other), '409 request_id_conflict')
    assert.is(other.json.error?.pushId, pushId)

    const audit = (await local(remote, '/api/v1/audit?kind=push')).json() as { entries: { user?: string }[] }
    assert.equal(
      audit.entries.map(({ user }) => user),
      ['ada'],
    )
    const refused = (await local(remote, '/api/v1/audit?kind=refusal')).json() as { entries: { user?: string }[] }
    assert.equal(
      refused.entries.map(({ user }) => user),
      ['bob'],
    )
    assert.is(((await local(remote, '/api/v1/audit/verify')).json() as { ok: unknown }).ok, true)
    const metrics = await remote.metrics()
    assert.match(metrics, /svc_sync_pushes_total\{surface="runtime",result="created"\} 1\n/)
  }),
)

it(
  'a push of the socket is not readable over the network, and is replayed there for who holds its bytes',
  withNode(async (remote) => {
    const ada = remote.user('ada', 'sync:push')
    const body = bodyOf(await remote.device())
    const socketPath = remote.node.socketPath
    const headers = { 'content-type': 'application/json' }
    const made = await sendTo({ socketPath }, { method: 'POST', path: PUSHES, headers, body })
    assert.is(made.status, 201, made.text)
    const path = `${PUSHES}/${made.json()['pushId']}`
    for (const tail of ['', '/events']) assert.is(codeOf(await ada.send('GET', path + tail)), '404 push_not_found')
    assert.is((await push(ada, body)).text, made.text)
    assert.is(codeOf(await ada.send('GET', path)), '404 push_not_found', 'a replay makes nobody its owner')
    assert.is((await local(remote, '/api/v1/audit?kind=push')).text.includes('"user"'), false)
  }),
)

it(
  'the live topic receipts shows pushes of users to them alone, and those of the socket to the tenant',
  withNode(async (remote) => {
    const [ada, bob] = [remote.user('ada', 'sync:push'), remote.user('bob', 'sync:push')]
    const signer = await remote.device()
    const seen = await Promise.all(
      [ada, bob].map(async (user) => {
        const got = { text: '', cancel: () => reader.cancel() }
        const reader = (await user.open('/api/live/receipts')).body!.getReader()
        void (async () => {
          for (let part = await reader.read(); !part.done; part = await reader.read())
            got.text += Buffer.from(part.value).toString()
        })()
        return got
      }),
    )
    const hers = (await push(ada, bodyOf(signer))).json['pushId'] as string
    const headers = { 'content-type': 'application/json' }
    const send = { method: 'POST', path: PUSHES, headers, body: bodyOf(signer) }
    const nodes = (await sendTo({ socketPath: remote.node.socketPath }, send)).json()['pushId'] as string
    await until('both read', async () => seen.every(({ text }) => text.includes(nodes)), 60_000)
    assert.equal(
      seen.map(({ text }) => text.includes(hers)),
      [true, false],
    )
    for (const { cancel } of seen) await cancel()
  }),
)

it(
  'signatures and bytes of a caller are counted against that caller alone, and replays cost no signature',
  withNode(
    async (remote) => {
      const [eve, ada] = [remote.user('eve', 'sync:push'), remote.user('ada', 'sync:push')]
      const signer = await remote.device()
      const forged = (): Uint8Array => {
        const text = Buffer.from(bodyOf(signer))
          .toString()
          .replace(/"signature":"..../, '"signature":"AAAA')
        return new TextEncoder().encode(text)
      }
      const codes: string[] = []
      for (let i = 0; i < 7; i++) codes.push(codeOf(await push(eve, forged())))
      assert.equal(codes, [
        ...Array<string>(5).fill('401 signature_invalid'),
        ...Array<string>(2).fill('429 rate_limited'),
      ])
      const limited = await push(eve, forged())
      assert.ok(Number(limited.headers.get('retry-after')) > 0)
      const body = bodyOf(signer)
      assert.is((await push(ada, body)).status, 201)
      for (let i = 0; i < 10; i++) assert.is((await push(ada, body)).status, 200)

      const large = `"${'x'.repeat(4_000)}"`
      let sent = 0
      for (let last = ''; last !== '429 rate_limited'; sent++) {
        last = codeOf(await push(eve, large))
        assert.ok(sent < 70)
      }
      assert.is((await push(ada, body)).status, 200)
    },
    { SVC_SYNC__REMOTE_SIGNATURES_PER_MINUTE: '5', SVC_SYNC__MAX_BODY_BYTES: '4096' },
  ),
)

test.run()
