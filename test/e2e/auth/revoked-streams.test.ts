/** A stream ends when its key, or the key of its exchanged token, is revoked, and when its token expires. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { feature as guard } from '../../../plugins/auth/guard/feature.ts'
import { variant as node } from '../../../plugins/auth/guard/node.ts'
import { variant as web } from '../../../plugins/auth/guard/web.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { allFeatures, createKey, exchange, KEYS, type Service, startService } from '../../unit/auth/service.ts'

/** Far above what a slow machine needs to end a stream at once. */
const LIMIT_MS = 10_000

interface Opened {
  /** Resolves when the server has ended the stream, with the milliseconds since `from`. */
  ended(from: number): Promise<number>
  readonly over: boolean
  close(): void
}

async function open(service: Service, headers: Readonly<Record<string, string>>): Promise<Opened> {
  const abort = new AbortController()
  const request = new Request('http://svc.test/api/live', { headers, signal: abort.signal })
  const response = await service.fetch(request)
  assert.is(response.status, 200)
  let over = false
  const end = (async () => {
    const reader = response.body!.getReader()
    while (!(await reader.read()).done);
    over = true
    return performance.now()
  })()
  end.catch(() => {})
  return {
    ended: async (from) => {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`still open after ${LIMIT_MS} ms`)), LIMIT_MS).unref()
      })
      return (await Promise.race([end, late])) - from
    },
    get over() {
      return over
    },
    close: () => abort.abort(),
  }
}

/** Revokes a key, lets a token expire, and stops, with streams of each kind. */
async function endStreams(guarding: Plugin): Promise<void> {
  const service = await startService({}, [guarding, ...allFeatures.slice(1), streams, live], Date.now())
  const as = await service.token()
  const [one, two] = [await createKey(service), await createKey(service)]
  const token = await exchange(service, one.key)
  const byKey = await open(service, { 'x-api-key': one.key })
  const byToken = await open(service, { authorization: `Bearer ${token}` })
  const byOther = await open(service, { 'x-api-key': two.key })
  const byJwt = await open(service, { authorization: `Bearer ${as}` })
  const short = await service.token({ exp: service.nowMs() / 1_000 + 60 })
  const byShort = await open(service, { authorization: `Bearer ${short}` })

  const from = performance.now()
  assert.is((await service.send(`${KEYS}/${one.record.id}`, { method: 'DELETE', as })).status, 204)
  assert.ok((await byKey.ended(from)) < LIMIT_MS)
  assert.ok((await byToken.ended(from)) < LIMIT_MS)
  assert.not.ok(byOther.over || byJwt.over || byShort.over)
  service.advance(60_000)
  assert.ok((await byShort.ended(from)) < LIMIT_MS)
  assert.not.ok(byOther.over || byJwt.over)
  byOther.close()
  const stopped = performance.now()
  await service.stop()
  assert.ok((await byJwt.ended(stopped)) < LIMIT_MS)
}

for (const [name, variant] of Object.entries({ node, web }))
  test(`with the guard ${name}, revoking a key ends the streams of the key and of its tokens at once, and a token its own at its end, and no others`, () =>
    endStreams(guard.with(variant)))

test('revoking a user ends the streams of all its credentials and of who acts for it at once, and no others', async () => {
  const plugins = [...allFeatures, streams, live]
  const service = await startService({ 'security.delegation': true }, plugins, Date.now())
  const scope = 'svc:act svc:users:revoke'
  const backend = await service.token({ sub: 'backend', scope })
  const { key: acting } = await createKey(service, { sub: 'backend', scope })
  const actFor = (subject: string): Promise<string> => exchange(service, acting, { subject })
  const token = await service.token()
  const ended = [
    await open(service, { authorization: `Bearer ${token}` }),
    await open(service, { 'x-api-key': (await createKey(service)).key }),
    await open(service, { authorization: `Bearer ${await actFor('ada')}` }),
    await open(service, { authorization: `Bearer ${await service.token({ sub: 'bo', act: { sub: 'ada' } })}` }),
  ]
  const others = [
    await open(service, { 'x-api-key': acting }),
    await open(service, { authorization: `Bearer ${await actFor('bo')}` }),
    await open(service, { authorization: `Bearer ${await service.token({ tenant_id: 'other' })}` }),
  ]
  const from = performance.now()
  const answer = service.send('/api/svc/auth/revocations', { method: 'POST', as: backend, body: { user_id: 'ada' } })
  const times = await Promise.all(ended.map((stream) => stream.ended(from)))
  assert.is((await answer).status, 201)
  assert.ok(times.every((ms) => ms < LIMIT_MS))
  assert.not.ok(others.some(({ over }) => over))

  const again = await open(service, { authorization: `Bearer ${await actFor('ada')}` })
  assert.not.ok(again.over, 'a backend acts again at once')
  for (const stream of [...others, again]) stream.close()
  await service.stop()
})

test.run()
