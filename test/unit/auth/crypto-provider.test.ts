import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import { installCryptoProvider } from '../../../plugins/auth/crypto/provider.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { readCompactJws } from '../../../plugins/auth/token/compact-jws.ts'
import { mintToken } from '../../../plugins/auth/token/mint.ts'
import { failure } from '../../support/throws.ts'
import { type Service, startService } from './service.ts'

const slot = Symbol.for('svc.crypto.provider')

function installed(): unknown {
  return Reflect.get(globalThis, slot)
}

test('the provider is installed once, shared and frozen, and is removed with its last holder', () => {
  const first = installCryptoProvider(createNodeCryptoProvider)
  const second = installCryptoProvider(() => assert.unreachable() as never)
  assert.is(second.value, first.value)
  assert.ok(Object.isFrozen(installed()))
  assert.throws(() => {
    Object.assign(globalThis, { [slot]: 'mine' })
  }, TypeError)
  first.release()
  first.release()
  assert.ok(installed())
  second.release()
  assert.is(installed(), undefined)
})

test('the provider of another library is not replaced, and is reported as a conflict', () => {
  for (const foreign of [{}, 'x', { brand: 'svc' }, { brand: 'svc', version: 2, hold: () => {} }]) {
    Object.defineProperty(globalThis, slot, { value: foreign, configurable: true })
    const error = failure('crypto_provider_conflict', () => installCryptoProvider(createNodeCryptoProvider))
    assert.ok(error.status === 500 && error.hint !== undefined)
    assert.is(installed(), foreign)
    Reflect.deleteProperty(globalThis, slot)
  }
})

test('with a conflict each request with a credential gets 500, and other requests are not affected', async () => {
  Object.defineProperty(globalThis, slot, { value: { brand: 'other' }, configurable: true })
  for (const required of [true, false]) {
    const service: Service = await startService({ 'security.jwt_required': required })
    const attempts = [{ as: await service.token() }, { as: 'rubbish' }, { key: 'rubbish' }]
    for (const options of attempts) {
      const answer = await service.send('/whoami', options)
      assert.is(answer.status, 500)
      assert.is(answer.code, 'crypto_provider_conflict')
      assert.is((await service.send('/nowhere', options)).status, 500)
    }
    const exchange = await service.send('/api/svc/auth/exchange', { method: 'POST', key: 'x' })
    assert.is(exchange.code, 'crypto_provider_conflict')
    assert.is((await service.send('/whoami')).status, required ? 401 : 200)
    assert.is((await service.send('/health', { as: 'rubbish' })).status, 200)
    assert.ok(
      service.records.some(({ level, fields }) => level === 'error' && fields?.['code'] === 'crypto_provider_conflict'),
    )
    await service.stop()
  }
  Reflect.deleteProperty(globalThis, slot)
})

test('two services share the provider, which is removed with the second', async () => {
  const one = await startService()
  const two = await startService()
  await one.stop()
  assert.is((await two.send('/whoami', { as: await two.token() })).status, 200)
  await two.stop()
  assert.is(installed(), undefined)
})

test('every provider computes the MAC of RFC 2104 for secrets and texts of any length', async () => {
  const providers = [createNodeCryptoProvider(), createWebCryptoProvider()]
  for (const secretLength of [1, 32, 63, 64, 65, 200]) {
    const secret = crypto.getRandomValues(new Uint8Array(secretLength))
    const keys = providers.map((provider) => provider.hmacKey(secret))
    for (const length of [0, 1, 64, 5_000, 10, 20_000]) {
      const text = 'x'.repeat(length)
      const expected = createHmac('sha256', secret).update(text).digest('base64url')
      for (const key of keys) assert.is(await key.sign(text), expected)
    }
  }
})

test('a token of one provider verifies with the other provider, but not with another secret', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const [node, web] = [createNodeCryptoProvider(), createWebCryptoProvider()]
  const jws = readCompactJws(await mintToken(node.hmacKey(secret), { typ: 'JWT' }, { sub: 'é' }))
  assert.ok(await web.hmacKey(secret).verify(jws))
  const other = readCompactJws(await mintToken(web.hmacKey(secret), {}, { sub: 'é' }))
  assert.ok(await node.hmacKey(secret).verify(other))
  for (const provider of [node, web]) {
    assert.not.ok(await provider.hmacKey(new Uint8Array(32)).verify(jws))
    assert.not.ok(
      (await provider.hmacKey(secret).verify({ ...jws, signature: jws.signature.slice(1) })) && provider === node,
    )
  }
})

test.run()
