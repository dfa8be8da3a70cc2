/** Addresses and origins in settings are accepted in their canonical spelling, normalised to it, or refused. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serverSettings } from '../../../../core/kernel/settings/server.ts'
import { listenSettings } from '../../../../plugins/transport/settings.ts'

const test = suite('settings: addresses')

test('origins are accepted only as browsers send them', () => {
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

test('proxies and networks are normalised to one spelling', () => {
  const { read } = serverSettings['server.trusted_proxies']
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fe80::1', '2001:db8::a', '::', '10.0.0.0/8', '::/0']) {
    assert.equal(read([address]), [address])
  }
  for (const [written, meant] of [
    ['FE80::1', 'fe80::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:db8::000a', '2001:db8::a'],
    ['2001:0DB8:0::/032', '2001:db8::/32'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ] as const) {
    assert.equal(read(['192.0.2.1', written]), ['192.0.2.1', meant])
  }
  for (const address of [
    '10.0.0.1:80',
    '[::1]',
    '[::1]:80',
    'fe80::1%eth0',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '::ffff:010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '::/129',
    '::ffff:10.0.0.0/95',
    'proxy.example',
    '1',
    'abc',
    '...',
    ' 10.0.0.1',
    '',
  ]) {
    assert.is(read(['10.0.0.1', address]), undefined, address)
  }
})

test('hosts are accepted without brackets and without a port', () => {
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
