/** The key of this node: made at the first start, kept beside the store. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Length of an Ed25519 key at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW_BYTES = 32

/** A node's key. */
export interface EndpointKey {
  /** 64 lower-case hex: the public key. */
  readonly endpointId: string
  sign(message: Uint8Array): Uint8Array
}

/**
 * Reads `endpoint.key` of a folder, or makes one. Throws where the file is a link, of somebody else, open to others or no
 * Ed25519 key.
 */
export function openEndpointKey(dir: string): EndpointKey {
  const path = join(dir, 'endpoint.key')
  if (!existsSync(path)) writeKey(path)
  const found = lstatSync(path)
  if (!found.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${path} must be a regular file of this user with mode 0600.`)
  const key = createPrivateKey(readFileSync(path))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is no Ed25519 key.`)
  return { endpointId: rawKey(key).toString('hex'), sign: (message) => sign(null, message, key) }
}

/** The file appears under its name only when it is whole and on disk; who came first wins. */
function writeKey(path: string): void {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const partial = `${path}.${process.pid}.partial`
  rmSync(partial, { force: true })
  const file = openSync(partial, 'wx', 0o600)
  try {
    writeSync(file, String(pem))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(partial, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(partial, { force: true })
  }
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function rawKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
}
