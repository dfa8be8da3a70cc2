/** The key of the node: what a start looks at, and what it refuses. */
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkEndpointKey, openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('endpoint key')

/** A folder with this text as its key. */
function withKey(text: string): string {
  const dir = folderWith()
  writeFileSync(join(dir, 'endpoint.key'), text, { mode: 0o600 })
  return dir
}

test('a start makes one where there is none, and no other later', () => {
  const dir = folderWith()
  checkEndpointKey(dir)
  const text = readFileSync(join(dir, 'endpoint.key'), 'utf8')
  assert.is(statSync(join(dir, 'endpoint.key')).mode & 0o777, 0o600)
  checkEndpointKey(dir)
  assert.is(readFileSync(join(dir, 'endpoint.key'), 'utf8'), text)
  assert.match(openEndpointKey(dir).endpointId, /^[0-9a-f]{64}$/)
})

test('every Ed25519 key is taken, in whatever form Node reads it', () => {
  for (let round = 0; round < 20; round++) {
    const { privateKey } = generateKeyPairSync('ed25519')
    const text = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    for (const form of [text, text.replaceAll('\n', '\r\n'), `# a note\n${text}`]) checkEndpointKey(withKey(form))
  }
})

test('what is no such key ends the start, as it ends the reading', () => {
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

test('a key that others may read ends the start', () => {
  const dir = folderWith()
  checkEndpointKey(dir)
  chmodSync(join(dir, 'endpoint.key'), 0o640)
  assert.throws(() => checkEndpointKey(dir), /mode 0600/)
})

test.run()
