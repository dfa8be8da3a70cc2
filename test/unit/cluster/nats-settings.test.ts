/** Settings of NATS that are refused before any connection is opened. */
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Secret } from '../../../core/declare/secret.ts'
import { addressProblem, readAddress } from '../../../plugins/cluster/nats/address.ts'
import { refuseNatsSettings } from '../../../plugins/cluster/nats/settings.ts'
import { folderWith } from '../../support/folder.ts'

const seed = new TextDecoder().decode(nkeys.createUser().getSeed())
const folder = folderWith({ 'seed.nk': `${seed}\n`, 'other.txt': 'a secret that is in no message', 'empty.pem': '' })
const at = (name: string): string => join(folder, name)

/** The refused keys, with their messages. */
function refused(given: Readonly<Record<string, string>>): Record<string, string> {
  const { url = 'tls://host', ...files } = given
  const settings = {
    'cluster.replicas': 1,
    'cluster.nats_url': new Secret(url),
    ...Object.fromEntries(['ca', 'cert', 'key', 'creds', 'nkey'].map((file) => [`cluster.nats_${file}_file`, null])),
    ...Object.fromEntries(Object.entries(files).map(([file, path]) => [`cluster.nats_${file}_file`, path])),
  } as Parameters<typeof refuseNatsSettings>[0]
  return Object.fromEntries(refuseNatsSettings(settings, 1).map(({ key, message }) => [key, message]))
}

test('a list of addresses must have one scheme and one set of credentials', () => {
  for (const [url, problem] of [
    ['nats://a:4222,nats://b', undefined],
    ['nats://u:p@a,nats://u:p@b', undefined],
    ['nats://a, nats://u:p@b', undefined],
    ['nats://a,tls://b', 'a list of both nats:// and tls:// addresses'],
    ['nats://u:p@a,nats://u:q@b', 'a list of addresses with different credentials'],
    ['nats://token@a,nats://other@b', 'a list of addresses with different credentials'],
    ['tls://a,tls://10.0.0.1', 'a tls:// address without a host name that a certificate can be verified against'],
    ['tls://[::1]:4222', 'a tls:// address without a host name that a certificate can be verified against'],
    ['nats://10.0.0.1,nats://[::1]', undefined],
    ['nats://u:%zz@a', 'credentials that are not percent-encoded'],
    ['nats://u:1#p@a', 'credentials that are not percent-encoded'],
    ['nats://u:1?p@a', 'credentials that are not percent-encoded'],
    ['nats://a,http://b', 'not a nats:// or tls:// URL with a host'],
    ['nats://', 'not a nats:// or tls:// URL with a host'],
    ['a:4222', 'not a nats:// or tls:// URL with a host'],
  ] as const) {
    assert.is(addressProblem(url), problem, url)
    assert.is(readAddress(url) === undefined, problem !== undefined, url)
    assert.equal(Object.keys(refused({ url })), problem === undefined ? [] : ['cluster.nats_url'], url)
  }
  assert.equal(readAddress('tls://a,tls://u:p%40@b:1'), {
    servers: ['a:4222', 'b:1'],
    isTls: true,
    user: 'u',
    pass: 'p@',
  })
  assert.equal(readAddress('nats://token@a'), { servers: ['a:4222'], isTls: false, token: 'token' })
})

test('unusable files are refused with the name of their setting and without their contents', () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, Readonly<Record<string, RegExp>>])[] = [
    [{ ca: at('missing.pem') }, { 'cluster.nats_ca_file': /cannot be read \(ENOENT\)/ }],
    [{ ca: folder }, { 'cluster.nats_ca_file': /cannot be read \(EISDIR\)/ }],
    [{ ca: at('other.txt') }, { 'cluster.nats_ca_file': /not a PEM file of certificates/ }],
    [{ ca: at('empty.pem') }, { 'cluster.nats_ca_file': /not a PEM file of certificates/ }],
    [{ cert: at('other.txt') }, { 'cluster.nats_key_file': /not set/ }],
    [{ key: at('other.txt') }, { 'cluster.nats_cert_file': /not set/ }],
    [
      { cert: at('other.txt'), key: at('other.txt') },
      { 'cluster.nats_cert_file': /not a PEM/, 'cluster.nats_key_file': /not the PEM/ },
    ],
    [{ creds: at('other.txt') }, { 'cluster.nats_creds_file': /not a \.creds file/ }],
    [{ nkey: at('other.txt') }, { 'cluster.nats_nkey_file': /not a file with the seed/ }],
    [{ nkey: at('seed.nk') }, {}],
    [{ nkey: at('seed.nk'), url: 'nats://u:p@host' }, { 'cluster.nats_nkey_file': /not the only credentials/ }],
    [{ nkey: at('seed.nk'), url: 'nats://host', ca: at('other.txt') }, { 'cluster.nats_ca_file': /PEM|TLS/ }],
  ]
  for (const [given, wanted] of cases) {
    const messages = refused(given)
    assert.equal(Object.keys(messages).sort(), Object.keys(wanted).sort(), JSON.stringify(given))
    for (const [key, message] of Object.entries(messages)) {
      assert.match(message, wanted[key]!)
      assert.not.match(message, /secret that/)
    }
  }
})

test.run()
