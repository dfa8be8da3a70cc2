import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toFetch } from '../../../core/http/fetch.ts'
import { feature as keys } from '../../../plugins/auth/api-keys/feature.ts'
import { variant as inPlace } from '../../../plugins/auth/api-keys/in-place.ts'
import { feature as exchange } from '../../../plugins/auth/exchange/feature.ts'
import { feature as guard } from '../../../plugins/auth/guard/feature.ts'
import { variant as web } from '../../../plugins/auth/guard/web.ts'
import { feature as jwt } from '../../../plugins/auth/jwt/feature.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { compose } from '../../support/kernels.ts'

const secret = 'a-secret-of-a-test-of-at-least-32-bytes!'

function tokenFor(sub: string, seconds: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub, exp: Math.floor(Date.now() / 1_000) + seconds })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

test('a stream ends at once when its key, or the key of its exchanged token, is revoked, and when its token expires', async () => {
  const kernel = compose([guard.with(web), jwt, keys.with(inPlace), exchange, live, streams], {
    given: { security: { jwt_secret: secret } },
  })
  await kernel.start()
  // The service's own timers do not keep a process alive.
  const awake = setInterval(() => undefined, 1_000)
  const handle = toFetch(kernel.surface('runtime'), () => performance.now())
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    handle(new Request(`http://svc.test${path}`, init))
  const authorization = `Bearer ${tokenFor('ann', 3_600)}`
  const json = { 'content-type': 'application/json' }
  const made = await ask('/api/svc/auth/keys', {
    method: 'POST',
    headers: { authorization, ...json },
    body: '{"name":"k"}',
  })
  const { key, record } = (await made.json()) as { key: string; record: { id: string } }
  const exchanged = await ask('/api/svc/auth/exchange', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ api_key: key }),
  })
  const { access_token } = (await exchanged.json()) as { access_token: string }

  const open = async (headers: Record<string, string>): Promise<{ ended: Promise<void>; over: () => boolean }> => {
    const answer = await ask('/api/live', { headers })
    assert.is(answer.status, 200)
    let over = false
    const read = async (): Promise<void> => {
      for await (const _chunk of answer.body!);
      over = true
    }
    return { ended: read(), over: () => over }
  }
  const byKey = await open({ 'x-api-key': key })
  const byExchange = await open({ authorization: `Bearer ${access_token}` })
  const byToken = await open({ authorization })
  const byShortToken = await open({ authorization: `Bearer ${tokenFor('ann', 2)}` })
  assert.is(
    (await ask(`/api/svc/auth/keys/${record.id}`, { method: 'DELETE', headers: { authorization } })).status,
    204,
  )
  await Promise.all([byKey.ended, byExchange.ended])
  assert.not(byToken.over())
  await byShortToken.ended
  assert.not(byToken.over())
  await kernel.stop()
  await byToken.ended
  clearInterval(awake)
})

test.run()
