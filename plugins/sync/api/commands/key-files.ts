/** Key files of devices: PKCS#8 PEM for the private half, SPKI PEM beside it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { toKeyId } from '../../../protocol/keys.ts'
import type { DeviceKey } from '../../../protocol/sign/index.ts'

/** Length of an Ed25519 key at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW_BYTES = 32

/**
 * Makes a key pair in `file` (mode 0600) and `file.pub`, and returns the key id. Never overwrites a file. If a file
 * cannot be written, neither of them stays.
 */
export function writeKeyPair(file: string): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const files = [
    { name: file, pem: privateKey.export({ format: 'pem', type: 'pkcs8' }), mode: 0o600 },
    { name: `${file}.pub`, pem: publicKey.export({ format: 'pem', type: 'spki' }), mode: 0o644 },
  ]
  for (const { name } of files) if (existsSync(name)) throw new Error(`${name} exists already.`)
  const made: string[] = []
  for (const { name, pem, mode } of files) {
    try {
      const opened = openSync(name, 'wx', mode)
      made.push(name)
      try {
        writeFileSync(opened, pem, { flush: true })
      } finally {
        closeSync(opened)
      }
    } catch (error) {
      for (const one of made) rmSync(one, { force: true })
      throw new Error(`${name} cannot be written (${codeOf(error)}). No key was made.`)
    }
  }
  return toKeyId(rawKey(publicKey))
}

/** The public key of a PEM file, 32 bytes. */
export function readPublicKey(file: string): Uint8Array {
  const bytes = readKeyFile(file)
  if (bytes.includes('PRIVATE KEY')) throw new Error(`${file} is a private key: name its .pub file.`)
  return rawKey(parseKey(createPublicKey, bytes, file))
}

/** Opens the private key of a PEM file. Throws if others can read or write the file. */
export function openDeviceKey(file: string): DeviceKey {
  const bytes = readKeyFile(file)
  if (bytes.includes('BEGIN PUBLIC KEY'))
    throw new Error(`${file} is a public key. --key takes the private key that was made with it.`)
  const key = parseKey(createPrivateKey, bytes, file)
  requirePrivate(file)
  const publicKey = rawKey(createPublicKey(key))
  return { keyId: toKeyId(publicKey), publicKey, sign: (message) => sign(null, message, key) }
}

function readKeyFile(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Error(`The key file ${file} cannot be read (${codeOf(error)}): svc device keygen --out <file> makes one.`)
  }
}

/** The Ed25519 key of a PEM file. Throws a sentence that says what the file is instead. */
function parseKey(parse: (pem: Buffer) => KeyObject, bytes: Buffer, file: string): KeyObject {
  let key: KeyObject
  try {
    key = parse(bytes)
  } catch {
    const [, what] = FORMS.find(([form]) => form.test(bytes.toString('latin1'))) ?? []
    throw new Error(`${file} is ${what ?? 'no key in PEM form: svc device keygen --out <file> makes one'}.`)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key.`)
  return key
}

/** Files that people take for PEM, by their bytes as Latin-1. */
const FORMS: readonly (readonly [form: RegExp, what: string])[] = [
  [/^\s*$/, 'empty: svc device keygen --out <file> makes a key'],
  [/^(?:\xff\xfe|\xfe\xff)|-\0-\0/, 'text in UTF-16. A key file is plain ASCII: save it as UTF-8'],
  [
    /BEGIN OPENSSH PRIVATE KEY|^ssh-|^ecdsa-sha2-/,
    'a key of OpenSSH. A key file is in PEM form, PKCS#8 or SPKI: svc device keygen --out <file> makes one',
  ],
  [
    /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/,
    'encrypted with a passphrase, which svc does not ask for: openssl pkey -in <file> -out <new file> writes the key without it',
  ],
  [
    /^0/,
    'a key in DER form. A key file is in PEM form: openssl pkey -inform der -in <file> -out <new file> converts it',
  ],
]

/** Windows has no such file modes. */
function requirePrivate(file: string): void {
  if (process.getuid === undefined) return
  const { mode, uid } = statSync(file)
  if (uid !== process.getuid() && process.getuid() !== 0) throw new Error(`${file} belongs to another user.`)
  if ((mode & 0o077) !== 0)
    throw new Error(
      `Others can read or write the key file ${file} (mode ${(mode & 0o777).toString(8)}): chmod 600 ${file}`,
    )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}

function rawKey(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES))
}
