/** Other programs can read the certificate of a node: node:crypto and openssl show its content. */

import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toCertificate, toEndpointId, toPem } from '../../../plugins/peer/tls/certificate.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'

const test = suite('certificate')
const key = openEndpointKey(createFolder())
const pem = toPem(toCertificate(key.endpointId, key.sign))
const openssl = (...args: readonly string[]) => spawnSync('openssl', args, { encoding: 'utf8' })
const lacking = openssl('version').status === 0 ? undefined : 'there is no openssl here'

test('node:crypto reads the key, the name, the dates and the self-signature of the certificate, which is always the same', () => {
  const certificate = new X509Certificate(pem)
  assert.is(toEndpointId(certificate.publicKey.export({ format: 'der', type: 'spki' })), key.endpointId)
  assert.equal([certificate.subject, certificate.issuer], [`CN=${key.endpointId}`, `CN=${key.endpointId}`])
  assert.equal([certificate.validTo, certificate.subjectAltName], ['Dec 31 23:59:59 9999 GMT', undefined])
  assert.is(certificate.verify(certificate.publicKey), true)
  assert.is(toPem(toCertificate(key.endpointId, key.sign)), pem)
})

test('a key that is not an Ed25519 key has no endpoint id', () => {
  const spki = new X509Certificate(pem).publicKey.export({ format: 'der', type: 'spki' })
  assert.is(toEndpointId(spki.subarray(1)), undefined)
  assert.is(toEndpointId(Buffer.concat([spki, Buffer.alloc(1)])), undefined)
  const other = Buffer.from(spki)
  other[8]! ^= 1
  assert.is(toEndpointId(other), undefined)
})

testUnless(test, lacking, 'openssl parses the certificate and verifies it as self-signed', () => {
  const file = join(createFolder(), 'endpoint.pem')
  writeFileSync(file, pem)
  const shown = openssl('x509', '-in', file, '-noout', '-text')
  assert.is(shown.status, 0, shown.stderr)
  for (const part of [
    /Version: 3/,
    /ED25519/i,
    /Not After : Dec 31 23:59:59 9999 GMT/,
    new RegExp(`CN ?= ?${key.endpointId}`),
  ])
    assert.match(shown.stdout, part)
  const verified = openssl('verify', '-check_ss_sig', '-CAfile', file, file)
  assert.is(verified.status, 0, verified.stdout + verified.stderr)
})

test.run()
