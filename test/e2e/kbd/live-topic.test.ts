/** The live topic of boards, as readers of the runtime surface get it, with both transports. */
import { randomUUID, sign } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Standing } from '../../../plugins/kbd/api.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { feature as bridge } from '../../../plugins/realtime/bridge/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { make } from '../../support/kernels.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { type Daemon, startDaemon } from '../sync/daemon.ts'

const alice = createSigner()
const key = {
  keyId: alice.keyId,
  publicKey: alice.publicKey,
  sign: (message: Uint8Array) => sign(null, message, alice.privateKey),
}

/** A guard that trusts the header `x-as: tenant/user scope …`. */
const guard = make('guard', {
  setup: (ctx) =>
    ctx.guard('runtime', (request) => {
      const [who = '', ...scopes] = (request.header('x-as') ?? '').split(' ')
      const [tenant = '', user = ''] = who.split('/')
      return { kind: 'user', user, tenant, scopes, credential: null }
    }),
})

interface Heard {
  readonly topic: string
  readonly identifier: string
  readonly operation: string
  readonly data: unknown
}

interface Ear {
  readonly events: () => readonly Heard[]
  until(done: (events: readonly Heard[]) => boolean): Promise<void>
  close(): void
}

/** Opens a stream of the runtime surface. */
async function listen(origin: string, path: string, as: string): Promise<Ear> {
  const gone = new AbortController()
  const answer = await fetch(`${origin}${path}`, { headers: { 'x-as': as }, signal: gone.signal })
  assert.is(answer.status, 200, path)
  let text = ''
  let onText = (): void => undefined
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      onText()
    }
  })().catch(() => undefined)
  const events = (): readonly Heard[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Heard)
  return {
    events,
    until: (done) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not heard within ${WAIT_MS} ms: ${text}`)), WAIT_MS)
        onText = () => {
          if (!done(events())) return
          clearTimeout(timer)
          resolve()
        }
        onText()
      }),
    close: () => {
      gone.abort()
      void reading
    },
  }
}

async function enter(daemon: Daemon, command: Command, project = 'demo'): Promise<Standing> {
  const path = `/api/v1/kbd/projects/${project}`
  const { frontier } = (await daemon.send({ path })).json() as unknown as Standing
  const envelope = await signCommand(key, { project, command, parents: frontier.heads })
  const reply = await daemon.send({
    method: 'POST',
    path: `${path}/commands`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(envelope),
  })
  assert.is(reply.status, 201, reply.text)
  const { revision, frontier: now, headCount } = reply.json() as unknown as Standing
  return { revision, frontier: now, headCount }
}

for (const transport of ['node', 'uws']) {
  test(`${transport}: each command is one event for readers with the scope in the tenant of boards, and for no other readers`, async () => {
    const daemon = await startDaemon({
      plugins: [bridge, uws, guard],
      given: {
        'server.mode': 'all',
        'server.transport': transport,
        'sync.live_tenant': 'acme',
        'realtime.topics': ['mark'],
      },
    })
    const port = /"address":"[^"]*:(\d+)"/.exec(daemon.logs())![1]!
    const origin = `http://127.0.0.1:${port}`
    await daemon.enrol(alice, ['kbd-control:demo', 'kbd-control:other'])
    const boardId = randomUUID()
    const before = await enter(daemon, { type: 'board.create', boardId, title: 'One' })

    const open = (path: string, as: string): Promise<Ear> => listen(origin, path, as)
    const [all, one, embedded] = [
      await open('/api/live', 'acme/ann kbd:read'),
      await open('/api/live/kbd', 'acme/ann kbd:read'),
      await open('/api/svc/sync/stream', 'acme/ann kbd:read'),
    ]
    const strangers = [
      await open('/api/live', 'acme/bob live:publish'),
      await open('/api/svc/sync/stream', 'acme/bob'),
      await open('/api/live', 'evil/eve kbd:read'),
      await open('/api/live/kbd', 'evil/eve kbd:read'),
      await open('/api/svc/sync/stream', 'evil/eve kbd:read'),
    ]
    await embedded.until((events) => events.some(({ operation }) => operation === 'ready'))
    for (const index of [1, 4])
      await strangers[index]!.until((events) => events.some(({ operation }) => operation === 'ready'))

    const standings = [
      await enter(daemon, { type: 'board.update', boardId, title: 'Two' }),
      await enter(daemon, { type: 'board.update', boardId, title: 'Three' }),
    ]
    const other = await enter(daemon, { type: 'board.create', boardId: randomUUID(), title: 'Other' }, 'other')
    const expected = [...standings.map((standing) => ['demo', standing] as const), ['other', other] as const].map(
      ([project, { revision, frontier }]) => ({
        topic: 'kbd',
        identifier: project,
        operation: 'update',
        data: { project, revision, frontier },
      }),
    )
    const isKbd = ({ topic }: Heard): boolean => topic === 'kbd'
    for (const ear of [all, one, embedded])
      await ear.until((events) =>
        events.filter(isKbd).some(({ identifier, operation }) => `${identifier} ${operation}` === 'other update'),
      )
    assert.equal(all.events().filter(isKbd), expected)
    assert.equal(one.events(), expected)
    assert.equal(embedded.events().filter(isKbd), [
      {
        topic: 'kbd',
        identifier: 'demo',
        operation: 'insert',
        data: { project: 'demo', revision: before.revision, frontier: before.frontier },
      },
      {
        topic: 'kbd',
        identifier: 'other',
        operation: 'insert',
        data: { project: 'other', revision: 0, frontier: { heads: [] } },
      },
      ...expected,
    ])

    const post = async (topic: string, as: string): Promise<string> => {
      const answer = await fetch(`${origin}/api/live/${topic}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-as': as },
        body: JSON.stringify({ identifier: 'demo', operation: 'update', data: { project: 'demo', revision: 99 } }),
      })
      return `${answer.status} ${((await answer.json()) as { error?: { code: string } }).error?.code ?? ''}`
    }
    for (const topic of ['kbd', 'receipts'])
      assert.is(await post(topic, 'acme/bob kbd:read live:publish'), '403 forbidden', topic)
    const refused = await fetch(`${origin}/api/live/kbd`, { headers: { 'x-as': 'acme/bob live:publish' } })
    assert.is(refused.status, 403)
    // When this last event arrives, every earlier event would have arrived too.
    for (const tenant of ['acme', 'evil']) assert.is(await post('mark', `${tenant}/bob live:publish`), '202 ')
    for (const index of [0, 1, 2, 4]) {
      await strangers[index]!.until((events) => events.some(({ topic }) => topic === 'mark'))
      assert.equal(strangers[index]!.events().filter(isKbd), [])
    }
    await all.until((events) => events.some(({ topic }) => topic === 'mark'))
    assert.is(all.events().filter(isKbd).length, expected.length, 'no forged event')
    assert.equal(strangers[3]!.events(), [])
    assert.ok(!strangers[1]!.events().some(({ identifier }) => identifier === 'kbd'), 'not named on the bridge either')
    for (const ear of [all, one, embedded, ...strangers]) ear.close()
    await daemon.stop()
  })
}

for (const transport of ['node', 'uws']) {
  test(`${transport}: the mirror of a project has the ETag of the local route, and gives 304 until the project changes`, async () => {
    const given = { 'server.mode': 'all', 'server.transport': transport, 'sync.live_tenant': 'acme' }
    const daemon = await startDaemon({ plugins: [bridge, uws, guard], given })
    const origin = `http://127.0.0.1:${/"address":"[^"]*:(\d+)"/.exec(daemon.logs())![1]!}`
    await daemon.enrol(alice, ['kbd-control:demo'])
    const boardId = randomUUID()
    await enter(daemon, { type: 'board.create', boardId, title: 'One' })
    const ask = async (tag?: string): Promise<readonly [status: number, etag: string | null, text: string]> => {
      const headers = { 'x-as': 'acme/ann kbd:read', ...(tag !== undefined && { 'if-none-match': tag }) }
      const answer = await fetch(`${origin}/api/svc/kbd/demo`, { headers })
      return [answer.status, answer.headers.get('etag'), await answer.text()]
    }
    const local = await daemon.send({ path: '/api/v1/kbd/projects/demo' })
    const [status, etag, text] = await ask()
    assert.equal([status, etag, text], [200, local.headers['etag'], local.text])
    assert.equal(await ask(etag!), [304, etag, ''])
    await enter(daemon, { type: 'board.update', boardId, title: 'Two' })
    const [changed, other] = await ask(etag!)
    assert.is(changed, 200)
    assert.is.not(other, etag)
    await daemon.stop()
  })
}

test.run()
