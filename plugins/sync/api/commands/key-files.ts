/** Key files of devices: PKCS#8 PEM for the private half, SPKI PEM beside it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { toKeyId } from '../../../protocol/key-ids.ts'

/** Length of an Ed25519 key at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW_BYTES = 32

/** Makes a key pair in `file` (mode 0600) and `file.pub`; gives the key id. Never overwrites. */
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

/** The private key of a PEM file and its key id. */
export function readPrivateKey(file: string): { key: KeyObject; keyId: string } {
  const key = ed25519(createPrivateKey(readFileSync(file)), file)
  return { key, keyId: toKeyId(rawKey(createPublicKey(key))) }
}

function ed25519(key: KeyObject, file: string): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key.`)
  return key
}

function rawKey(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES))
}
