/** Key files of devices: what is said about files that are none, and a disk that is full. */
import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDeviceKey, readPublicKey, writeKeyPair } from '../../../plugins/sync/api/commands/key-files.ts'
import { mountTmpfs, noTmpfs, unmount } from '../../support/faults.ts'
import { skip, testUnless } from '../../support/skip.ts'
import { hasProgram } from '../telemetry/programs.ts'
import { createFolder } from './platforms.ts'

const folder = createFolder()
const at = (name: string): string => join(folder, name)
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(at(name), content, { mode: 0o600 })
  return at(name)
}

const keyId = writeKeyPair(at('good.key'))
const pem = readFileSync(at('good.key'), 'utf8')
const publicPem = readFileSync(at('good.key.pub'), 'utf8')
const key = createPrivateKey(pem)

test('a key pair is read, with a byte order mark and other line ends too', () => {
  assert.is(openDeviceKey(at('good.key')).keyId, keyId)
  assert.is(openDeviceKey(write('crlf', `\ufeff${pem.replaceAll('\n', '\r\n')}`)).keyId, keyId)
  assert.is(Buffer.from(readPublicKey(at('good.key.pub'))).toString('hex'), keyId.slice('ed25519:'.length))
})

test('a key file that others can read is refused', () => {
  const file = write('open', pem)
  chmodSync(file, 0o640)
  assert.throws(() => openDeviceKey(file), /mode 640\): chmod 600 /)
})

test('each file that is no key has its own sentence', () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const encrypted = key.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }) as string
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' })
  const wrong: readonly [file: string, what: RegExp][] = [
    [write('utf16', utf16(`\ufeff${pem}`)), /is text in UTF-16/],
    [write('utf16-bare', utf16(pem)), /is text in UTF-16/],
    [write('encrypted', encrypted), /is encrypted with a passphrase/],
    [write('der', key.export({ format: 'der', type: 'pkcs8' })), /is a key in DER form/],
    [write('rsa', rsa as string), /is no Ed25519 key/],
    [write('empty', ''), /is empty/],
    [write('other', 'hello'), /is no key in PEM form/],
    [at('good.key.pub'), /is a public key/],
    [at('none'), /cannot be read \(ENOENT\)/],
  ]
  for (const [file, what] of wrong) assert.throws(() => openDeviceKey(file), what, file)
  const wrongPublic: readonly [file: string, what: RegExp][] = [
    [write('utf16.pub', utf16(publicPem)), /is text in UTF-16/],
    [write('empty.pub', '\n'), /is empty/],
    [at('good.key'), /is a private key: name its \.pub file/],
    [at('encrypted'), /is a private key/],
    [at('none'), /cannot be read \(ENOENT\)/],
  ]
  for (const [file, what] of wrongPublic) assert.throws(() => readPublicKey(file), what, file)
})

if (hasProgram('ssh-keygen'))
  test('keys of OpenSSH are named', () => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('ssh')])
    assert.throws(() => openDeviceKey(at('ssh')), /is a key of OpenSSH/)
    assert.throws(() => readPublicKey(at('ssh.pub')), /is a key of OpenSSH/)
  })
else skip(test, 'keys of OpenSSH', 'ssh-keygen is not installed')

testUnless(test, noTmpfs, 'a full disk leaves neither file of a key pair', () => {
  const disk = createFolder()
  mountTmpfs(disk, 1)
  try {
    const filler = join(disk, 'filler')
    assert.throws(() => writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024)), /ENOSPC/)
    for (const room of [0, 1, 2]) {
      // One page is the room for one of the two files.
      truncateSync(filler, 1024 * 1024 - room * 4096)
      if (room < 2)
        assert.throws(() => writeKeyPair(join(disk, 'a.key')), /cannot be written \(ENOSPC\)\. No key was made/)
      else writeKeyPair(join(disk, 'a.key'))
      assert.equal(readdirSync(disk).sort(), room < 2 ? ['filler'] : ['a.key', 'a.key.pub', 'filler'])
    }
    assert.throws(() => writeKeyPair(join(disk, 'a.key')), /a\.key exists already/)
  } finally {
    unmount(disk)
  }
})

test.run()
