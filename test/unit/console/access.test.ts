import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ApiKey,
  keysWith,
  sortedKeys,
  stateOfDevice,
  stateOfKey,
} from '../../../plugins/console/page/views/access/key-states.ts'
import { readKeyText } from '../../../plugins/console/page/views/access/key-text.ts'
import { readScopes, scopeInWords } from '../../../plugins/console/page/views/access/scopes.ts'

const test = suite('keys and devices of the console')
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
const keyId = `ed25519:${publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('hex')}`
const problemOf = (text: string): string => {
  const reading = readKeyText(text)
  assert.ok(reading !== undefined && 'problem' in reading, text)
  return reading.problem
}

test('the public key of a .pub file and its key id give the same key', () => {
  for (const text of [pem, `\n  ${pem}\n`, pem.replaceAll('\n', '\r\n'), keyId, ` ${keyId}\n`])
    assert.equal(readKeyText(text), { keyId })
  assert.is(readKeyText(' \n'), undefined)
})

test('a private key is refused with a warning that does not contain it', () => {
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  assert.match(problemOf(secret), /private key/)
  assert.not.ok(problemOf(secret).includes(secret.split('\n')[1]!))
})

test('a text that is not an enrollable key is refused', () => {
  const x25519 = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }) as string
  const small = `ed25519:01${'0'.repeat(62)}`
  for (const text of [x25519, pem.slice(0, -10), pem + pem, keyId.toUpperCase(), keyId.slice(0, -1), '<b>key</b>'])
    assert.match(problemOf(text), /neither a key id/)
  assert.match(problemOf(small), /not a public key that can be enrolled/)
})

test('scopes are explained in words', () => {
  assert.is(scopeInWords('kbd-control:demo'), 'signs any change of the boards of demo')
  assert.is(scopeInWords('kbd-content:*'), 'pushes the texts of cards and comments of all projects')
  assert.is(
    scopeInWords('kbd-control:demo#claim,card.move,push'),
    'claims, move a card and push on the boards of demo, nothing else',
  )
  for (const none of ['', 'demo', 'kbd-control:', 'kbd-control:demo#', 'kbd-control:demo#fly', 'system:demo'])
    assert.is(scopeInWords(none), undefined, none)
})

test('scopes are separated by white space, or by a comma before another scope', () => {
  assert.equal(readScopes(' kbd-control:demo#claim,card  kbd-content:demo,kbd-control:b\nkbd-content:demo '), [
    'kbd-control:demo#claim,card',
    'kbd-content:demo',
    'kbd-control:b',
  ])
  assert.equal(readScopes(''), [])
})

const key = (over: Partial<ApiKey>): ApiKey => ({
  id: 'k',
  name: 'k',
  prefix: 'svc_',
  user_id: 'ann',
  scopes: [],
  created_at_ms: 0,
  expires_at_ms: 100,
  last_used_at_ms: null,
  revoked_at_ms: null,
  ...over,
})

test('a key or device expires at exactly its expiry time, and a revocation takes precedence', () => {
  assert.is(stateOfKey(key({}), 99), 'active')
  assert.is(stateOfKey(key({}), 100), 'expired')
  assert.is(stateOfKey(key({ revoked_at_ms: 5 }), 200), 'revoked')
  assert.is(stateOfDevice({ status: 'active', expiresAtMs: null }, 1e15), 'active')
  assert.is(stateOfDevice({ status: 'active', expiresAtMs: 7 }, 7), 'expired')
  assert.is(stateOfDevice({ status: 'revoked', expiresAtMs: 7 }, 8), 'revoked')
})

test('keys are found by name, user and scope', () => {
  const keys = [
    key({ id: '1', name: 'Deploy' }),
    key({ id: '2', user_id: 'Bob' }),
    key({ id: '3', scopes: ['kbd:read'] }),
  ]
  const idsWith = (text: string) => keysWith(keys, text).map(({ id }) => id)
  assert.equal(
    [idsWith('deploy '), idsWith('bob'), idsWith('KBD'), idsWith('x'), idsWith('')],
    [['1'], ['2'], ['3'], [], ['1', '2', '3']],
  )
})

test('active keys come first, and then the newest', () => {
  const keys = [
    key({ id: 'old', created_at_ms: 1 }),
    key({ id: 'gone', created_at_ms: 3, revoked_at_ms: 4 }),
    key({ id: 'new', created_at_ms: 2 }),
  ]
  assert.equal(
    sortedKeys(keys, 50).map(({ id }) => id),
    ['new', 'old', 'gone'],
  )
})

test.run()
