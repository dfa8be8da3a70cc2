/** Addresses and origins in settings: in the one spelling that is met, or refused. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serverSettings } from '../../../../core/settings/server.ts'
import { listenSettings } from '../../../../plugins/transport/settings.ts'

const test = suite('settings: addresses')

test('origins as browsers send them', () => {
  const { read } = serverSettings['server.cors_origins']
  for (const origin of [
    'https://app.example',
    'http://localhost:3000',
    'https://[::1]:8443',
    'http://a.example:443',
    'https://a.example:80',
    'https://xn--bcher-kva.example',
  ]) {
    assert.equal(read([origin]), [origin])
  }
  for (const origin of [
    'https://app.example/',
    'https://App.example',
    'HTTPS://app.example',
    'https://app.example:443',
    'http://app.example:80',
    'https://u@app.example',
    'https://app.example?a',
    'https://bücher.example',
    'app.example',
    'null',
    '*',
    'https://',
  ]) {
    assert.is(read([origin]), undefined, origin)
  }
})

test('proxies as connections name them', () => {
  const { read } = serverSettings['server.trusted_proxies']
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fe80::1', '2001:db8::a', '::']) {
    assert.equal(read([address]), [address])
  }
  for (const address of [
    'FE80::1',
    '::ffff:10.0.0.1',
    '0:0:0:0:0:0:0:1',
    '2001:db8::000a',
    '10.0.0.1:80',
    '10.0.0',
    'proxy.example',
    '1',
    'abc',
    '...',
  ]) {
    assert.is(read([address]), undefined, address)
  }
})

test('hosts without brackets and without a port', () => {
  const { read } = listenSettings['server.host']
  for (const host of [
    '0.0.0.0',
    '127.0.0.1',
    '::',
    '::1',
    'fe80::1%eth0',
    '::ffff:127.0.0.1',
    'localhost',
    'a-b.example',
  ]) {
    assert.is(read(host), host)
  }
  for (const host of ['[::1]', '127.0.0.1:8080', 'localhost:80', 'http://a', 'a/b', 'a b', '']) {
    assert.is(read(host), undefined, host)
  }
})

test.run()
