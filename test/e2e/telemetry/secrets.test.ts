import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { secret, tokenFor } from '../../conformance/caller.ts'
import { skip } from '../../support/skip.ts'
import { startBuilt, unbuilt } from './built-service.ts'

for (const format of ['json', 'compact', 'pretty']) {
  const name = `no secret is written to the log with RUST_LOG=trace, ${format}`
  if (unbuilt === undefined) test(name, () => searchOutput(format))
  else skip(test, name, unbuilt)
}

async function searchOutput(format: string): Promise<void> {
  const secrets = new Map<string, string>([['the JWT secret', secret]])
  const service = await startBuilt({ RUST_LOG: 'trace', SVC_SERVER__LOG_FORMAT: format })
  const send = async (path: string, headers: Record<string, string>, body?: string): Promise<unknown> => {
    const init =
      body === undefined
        ? { headers }
        : { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    const response = await fetch(`${service.base}${path}`, init)
    const text = await response.text()
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  try {
    const token = tokenFor({ user: 'alice', scopes: ['live:publish'] })
    secrets.set('a bearer token', token)
    const authorization = `Bearer ${token}`
    const made = (await send('/api/svc/auth/keys', { authorization }, '{"name":"k"}')) as { key?: string }
    assert.type(made.key, 'string', JSON.stringify(made))
    secrets.set('an API key', made.key!)
    await send('/api/svc/auth/keys', { 'x-api-key': made.key! })
    const exchanged = (await send('/api/svc/auth/exchange', { 'x-api-key': made.key! }, '{}')) as {
      access_token?: string
    }
    assert.type(exchanged.access_token, 'string', JSON.stringify(exchanged))
    secrets.set('an exchanged token', exchanged.access_token!)
    await send('/api/svc/auth/keys', { authorization: `Bearer ${exchanged.access_token!}` })

    // A refused credential is also secret, because it may be a valid one with a typo.
    const wrong = [
      ['a token with a wrong signature', 'authorization', `${token.slice(0, -4)}AAAA`],
      ['a malformed token', 'authorization', 'hunter2-hunter2-hunter2'],
      ['a key with a wrong checksum', 'x-api-key', `${made.key!.slice(0, -3)}zzz`],
      ['a key of another service', 'x-api-key', 'sk-live-51H8zqKJ2eZvKYlo2C'],
    ] as const
    for (const [what, header, value] of wrong) {
      secrets.set(what, value)
      await send('/api/svc/auth/keys', { [header]: header === 'authorization' ? `Bearer ${value}` : value })
      await send('/api/svc/auth/exchange', {}, JSON.stringify({ api_key: value }))
      await send(`/nowhere/${value}?access_token=${value}`, { cookie: `session=${value}`, authorization })
    }
  } finally {
    await service.stop()
  }
  const written = service.child.out + service.child.err
  assert.match(written, 'svc::http')
  assert.ok(written.split('\n').length > 15)
  for (const [what, value] of secrets) {
    assert.not(written.includes(value), `${what} was written`)
    // The secret part must not be written alone either.
    assert.not(written.includes(value.slice(-24)), `the end of ${what} was written`)
  }
}

test.run()
