/** Several secrets verify tokens; a removed one ends its tokens, their cached verdicts and their streams at once. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SettingsSources } from '../../../core/kernel/settings/resolve.ts'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import { FALLBACK_JWT_SECRET } from '../../../plugins/auth/jwt/secret.ts'
import { mintToken } from '../../../plugins/auth/token/mint.ts'
import { secretFiles } from '../../../plugins/cli/secret-file.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { folderWith } from '../../support/folder.ts'
import { rejection } from '../../support/throws.ts'
import { allFeatures, START_MS, startService } from './service.ts'

const [first, second, third] = ['first', 'second', 'third'].map((name) => `${name} secret of at least thirty-two bytes`)

const signed = async (secret: string): Promise<string> =>
  mintToken(
    createNodeCryptoProvider().hmacKey(new TextEncoder().encode(secret)),
    {},
    { sub: 'ada', exp: START_MS / 1_000 + 3_600 },
  )

/** A service whose secrets are in the files `current` and `previous` of a folder. */
async function start() {
  const folder = folderWith()
  const write = (name: string, text: string, mode = 0o600): void => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  write('current', `${first}\n`)
  write('previous', `${second}\n`)
  const value = { 'security.jwt_secret': { file: 'current' }, 'security.jwt_secret_previous': [{ file: 'previous' }] }
  const readSecret = secretFiles(join(folder, 'config.json'))
  const service = await startService(value, [...allFeatures, streams, live], START_MS, readSecret)
  const reload = (more: Readonly<Record<string, unknown>> = {}) => {
    const config = { ...service.config, ...more }
    return service.kernel.reload!({ config: { name: 'test', value: config }, readSecret } satisfies SettingsSources)
  }
  return { service, write, reload }
}

test('tokens of the secret and of the previous ones count, and no others', async () => {
  const { service } = await start()
  for (const [secret, code] of [
    [first, undefined],
    [second, undefined],
    [third, 'token_signature_invalid'],
    [FALLBACK_JWT_SECRET, 'token_signature_invalid'],
  ] as const)
    assert.is((await service.send('/whoami', { as: await signed(secret!) })).code, code, secret)
  await service.stop()
})

test('new contents of the files count at once, and a removed secret ends verdicts and streams', async () => {
  const { service, write, reload } = await start()
  const [one, two] = [await signed(first!), await signed(second!)]
  const open = async (as: string): Promise<{ over: boolean; ended: Promise<void> }> => {
    const response = await service.fetch(
      new Request('http://svc.test/api/live', { headers: { authorization: `Bearer ${as}` } }),
    )
    assert.is(response.status, 200)
    const reader = response.body!.getReader()
    const stream = { over: false, ended: Promise.resolve() }
    stream.ended = (async () => {
      while (!(await reader.read()).done);
      stream.over = true
    })()
    return stream
  }
  const [ofOne, ofTwo] = [await open(one), await open(two)]
  assert.is((await service.send('/whoami', { as: two })).status, 200)

  // The secrets change places: nothing is removed, and nobody is logged out.
  write('current', `${second}\n`)
  write('previous', `${first}\n`)
  assert.equal(reload().changed, ['security.jwt_secret', 'security.jwt_secret_previous'])
  for (const as of [one, two]) assert.is((await service.send('/whoami', { as })).status, 200)
  assert.not.ok(ofOne.over || ofTwo.over)

  write('previous', `${second}\n`)
  assert.equal(reload().changed, ['security.jwt_secret_previous'])
  assert.is((await service.send('/whoami', { as: one })).code, 'token_signature_invalid')
  await ofOne.ended
  assert.is((await service.send('/whoami', { as: two })).status, 200)
  assert.not.ok(ofTwo.over)

  // A secret that comes back counts again, also for streams.
  write('previous', `${first}\n`)
  reload()
  const again = await open(one)
  assert.is((await service.send('/whoami', { as: one })).status, 200)
  assert.not.ok(again.over)
  assert.equal(reload({ 'security.jwt_secret_previous': [] }).changed, ['security.jwt_secret_previous'])
  await again.ended

  write('current', `${third}\n`)
  reload({ 'security.jwt_secret_previous': [] })
  await ofTwo.ended
  assert.is((await service.send('/whoami', { as: two })).code, 'token_signature_invalid')
  await service.stop()
})

test('contents that cannot be used change nothing', async () => {
  const { service, write, reload } = await start()
  const one = await signed(first!)
  for (const name of ['current', 'previous'])
    for (const [text, mode, message] of [
      ['', 0o600, /is empty/],
      ['\n', 0o600, /is empty/],
      ['x'.repeat(31), 0o600, /shorter than the 32 bytes/],
      [FALLBACK_JWT_SECRET, 0o600, /built-in fallback/],
      [third, 0o666, /may be written by its group or by others/],
    ] as const) {
      const right = name === 'current' ? first : second
      write(name, text!, mode)
      const error = await rejection('ERR_SETTINGS_INVALID', (async () => reload())())
      assert.match(error.message, message)
      for (const secret of [first, second])
        assert.is((await service.send('/whoami', { as: await signed(secret!) })).status, 200)
      write(name, right!)
    }
  assert.is((await service.send('/whoami', { as: one })).status, 200)
  await service.stop()
})

test('another path of the secret needs a restart, and so does a secret in the configuration itself', async () => {
  const { service, write, reload } = await start()
  write('other', third!)
  assert.equal(reload({ 'security.jwt_secret': { file: 'other' } }).restart, ['security.jwt_secret'])
  assert.equal(reload({ 'security.jwt_secret': third }).restart, ['security.jwt_secret'])
  assert.is((await service.send('/whoami', { as: await signed(third!) })).code, 'token_signature_invalid')
  await service.stop()
})

test.run()
