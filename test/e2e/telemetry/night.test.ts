/**
 * What an operator asks at night, of the shipped program: is it ready, is there room, who is refused, whose page is
 * refused.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { startBuilt, unbuilt } from './built-service.ts'

const DAY_SECONDS = 86_400

testUnless(test, unbuilt, 'a scrape has the present state: readiness, the store, refusals, keys that end', async () => {
  const service = await startBuilt({ SVC_SECURITY__KEY_STORE: 'sqlite', SVC_SECURITY__DELEGATION: 'true' })
  try {
    const value = async (series: string): Promise<number | undefined> => {
      const text = await (await fetch(`${service.base}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(`${series} `))
      return line === undefined ? undefined : Number(line.slice(series.length + 1))
    }
    assert.is(await value('svc_ready{check="all"}'), 1)
    assert.is(await value('svc_ready{check="persistence"}'), 1)
    assert.ok((await value('svc_store_bytes'))! > 0)
    assert.ok((await value('svc_store_free_bytes'))! > 0)
    assert.ok((await value('svc_wal_bytes'))! >= 0)

    const authorization = `Bearer ${tokenFor({ user: 'alice', scopes: [] })}`
    const create = async (days: number): Promise<void> => {
      const answer = await fetch(`${service.base}/api/svc/auth/keys`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'k', expires_in: days * DAY_SECONDS }),
      })
      assert.is(answer.status, 201, await answer.text())
    }
    await create(13)
    await create(15)
    assert.is(await value('svc_api_keys_ending'), 1)
    assert.is(await value('svc_devices_ending'), 0)
    const revoked = await fetch(`${service.base}/api/svc/auth/revocations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenFor({ user: 'operator', scopes: ['svc:users:revoke'] })}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ user_id: 'alice' }),
    })
    assert.is(revoked.status, 201, await revoked.text())
    assert.is(await value('svc_api_keys_ending'), 0, 'the keys of a revoked user have ended')

    assert.is(await value('svc_auth_refusals_total{code="token_malformed"}'), 0)
    await fetch(`${service.base}/none`, { headers: { authorization: 'Bearer rubbish' } })
    assert.is(await value('svc_auth_refusals_total{code="token_malformed"}'), 1)
    await service.child.waitFor(/"status":401,"code":"token_malformed"/)
    const line = await service.child.waitFor(/.*"status":201,.*/)
    const entry = JSON.parse(line[0]) as Record<string, unknown>
    assert.equal([entry['user'], entry['client']], ['alice', '127.0.0.1'])
  } finally {
    await service.stop()
  }
})

testUnless(
  test,
  unbuilt,
  'a page of another origin is named in the log, and its preflight says what is wrong',
  async () => {
    const service = await startBuilt({ SVC_SERVER__CORS_ORIGINS: 'https://app.example' })
    try {
      const answer = await fetch(`${service.base}/api/svc/runs`, {
        method: 'OPTIONS',
        headers: { origin: 'https://other.example', 'access-control-request-method': 'GET' },
      })
      assert.is(answer.status, 401)
      const { error } = (await answer.json()) as { error: Record<string, string> }
      assert.equal([error['code'], error['reason']], ['credential_missing', 'origin_not_allowed'])
      await service.child.waitFor(/"level":"WARN".*"origin":"https:\/\/other\.example"/)
    } finally {
      await service.stop()
    }
  },
)

test.run()
