import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addressText, plainAddress } from '../../../plugins/transport/address.ts'
import { isHost, toTarget } from '../../../plugins/transport/target.ts'

test('a target is split at its query and otherwise unchanged', () => {
  assert.equal(toTarget('/a/%62/../c?d=e?f'), { path: '/a/%62/../c', query: 'd=e?f' })
  assert.equal(toTarget('/'), { path: '/', query: '' })
  assert.equal(toTarget('//health'), { path: '//health', query: '' })
  assert.equal(toTarget('*'), { path: '*', query: '' })
})

test('an absolute target loses its authority', () => {
  assert.equal(toTarget('http://b/x?y'), { path: '/x', query: 'y' })
  assert.equal(toTarget('HTTPS://b:1'), { path: '/', query: '' })
  assert.equal(toTarget('http://b?y'), { path: '/', query: 'y' })
  assert.equal(toTarget('http://b//health'), { path: '//health', query: '' })
})

test('isHost accepts valid hosts and refuses others', () => {
  for (const good of [
    'a',
    '',
    'a:80',
    'a:',
    '[::1]:80',
    '[::ffff:1.2.3.4]',
    'a_b',
    'a%20b',
    '0.0.0.0=5000',
    '[v1.a:b]',
  ]) {
    assert.ok(isHost(good), good)
  }
  for (const bad of [
    'a b',
    'a/b',
    'u@a',
    'a,b ',
    'a%zz',
    'a:-1',
    'a:123456',
    'a#b',
    '"a"',
    '[::1',
    '::1',
    'a\\b',
    'é',
    'a?b',
    'a:80:80',
  ]) {
    assert.not.ok(isHost(bad), bad)
  }
})

test('addresses are written in their canonical form', () => {
  const v6 = (...groups: number[]): ArrayBuffer => {
    const view = new DataView(new ArrayBuffer(16))
    for (const [index, group] of groups.entries()) view.setUint16(index * 2, group)
    return view.buffer
  }
  assert.is(addressText(new Uint8Array([127, 0, 0, 1]).buffer), '127.0.0.1')
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0, 0, 1)), '::1')
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0, 0, 0)), '::')
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0xffff, 0x7f00, 1)), '127.0.0.1')
  assert.is(addressText(v6(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1)), '2001:db8::1:0:0:1')
  assert.is(addressText(v6(0x2001, 0xdb8, 0, 1, 0, 0, 0, 1)), '2001:db8:0:1::1')
  assert.is(addressText(v6(0x2001, 0xdb8, 0, 1, 1, 1, 1, 1)), '2001:db8:0:1:1:1:1:1')
  assert.is(addressText(v6(0xfe80, 0, 0, 0, 1, 0, 0, 0)), 'fe80::1:0:0:0')
  assert.is(addressText(v6(1, 0, 0, 0, 0, 0, 0, 0)), '1::')
  assert.is(addressText(new ArrayBuffer(0)), '')
  assert.is(plainAddress('::ffff:1.2.3.4'), '1.2.3.4')
  assert.is(plainAddress('::ffff:0:1'), '::ffff:0:1')
})

test.run()
