/** Key files of devices: PKCS#8 PEM for the private half, SPKI PEM beside it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { toKeyId } from '../../../protocol/key-ids.ts'
import type { DeviceKey } from '../../../protocol/sign/index.ts'

/** Length of an Ed25519 key at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW_BYTES = 32

/** Makes a key pair in `file` (mode 0600) and `file.pub`, and returns the key id. Never overwrites a file. */
export function writeKeyPair(file: string): string {
  for (const name of [file, `${file}.pub`]) if (existsSync(name)) throw new Error(`${name} exists already.`)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
  writeFileSync(`${file}.pub`, publicKey.export({ format: 'pem', type: 'spki' }), { mode: 0o644, flag: 'wx' })
  return toKeyId(rawKey(publicKey))
}

/** The public key of a PEM file, 32 bytes. */
export function readPublicKey(file: string): Uint8Array {
  const pem = readFileSync(file)
  if (pem.includes('PRIVATE KEY')) throw new Error(`${file} is a private key: name its .pub file.`)
  return rawKey(ed25519(createPublicKey(pem), file))
}

/** Opens the private key of a PEM file. Throws if others can read or write the file. */
export function openDeviceKey(file: string): DeviceKey {
  const key = ed25519(readPrivateKey(file), file)
  requirePrivate(file)
  const publicKey = rawKey(createPublicKey(key))
  return { keyId: toKeyId(publicKey), publicKey, sign: (message) => sign(null, message, key) }
}

/** Reads a private key of any kind. Throws an error that names the file if it has none. */
function readPrivateKey(file: string): KeyObject {
  let pem: Buffer
  try {
    pem = readFileSync(file)
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new Error(`The key file ${file} cannot be read (${code}): svc device keygen --out ${file} makes one.`)
  }
  try {
    return createPrivateKey(pem)
  } catch {
    const isPublic = pem.includes('PUBLIC KEY')
    throw new Error(
      isPublic
        ? `${file} is a public key. --key takes the private key that was made with it.`
        : `${file} is no private key in PEM form: svc device keygen --out <file> makes one.`,
    )
  }
}

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

function ed25519(key: KeyObject, file: string): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key.`)
  return key
}

function rawKey(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES))
}
