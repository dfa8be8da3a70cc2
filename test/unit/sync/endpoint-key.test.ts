/** The key of the node: which keys a start accepts, and which it refuses. */
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkEndpointKey, openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('endpoint key')

/** A folder whose key file has this text. */
function withKey(text: string): string {
  const dir = folderWith()
  writeFileSync(join(dir, 'endpoint.key'), text, { mode: 0o600 })
  return dir
}

test('a start creates a key if there is none, and never replaces it', () => {
  const dir = folderWith()
  checkEndpointKey(dir)
  const text = readFileSync(join(dir, 'endpoint.key'), 'utf8')
  assert.is(statSync(join(dir, 'endpoint.key')).mode & 0o777, 0o600)
  checkEndpointKey(dir)
  assert.is(readFileSync(join(dir, 'endpoint.key'), 'utf8'), text)
  assert.match(openEndpointKey(dir).endpointId, /^[0-9a-f]{64}$/)
})

test('every Ed25519 key is accepted in each form that Node reads', () => {
  for (let round = 0; round < 20; round++) {
    const { privateKey } = generateKeyPairSync('ed25519')
    const text = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    for (const form of [text, text.replaceAll('\n', '\r\n'), `# a note\n${text}`]) checkEndpointKey(withKey(form))
  }
})

test('a file that is not an Ed25519 key makes the start fail', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const other = generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const cut = text.replace(/.\n-----END/, '\n-----END')
  for (const wrong of ['', 'not a key', text.slice(0, 80), cut, text.replace('MC4CAQ', 'MC4CAR'), String(other)]) {
    const dir = withKey(wrong)
    assert.throws(() => openEndpointKey(dir), undefined, wrong)
    assert.throws(() => checkEndpointKey(dir), undefined, wrong)
  }
})

test('a key file that others may read makes the start fail', () => {
  const dir = folderWith()
  checkEndpointKey(dir)
  chmodSync(join(dir, 'endpoint.key'), 0o640)
  assert.throws(() => checkEndpointKey(dir), /mode 0600/)
})

test.run()
