/** The key of this node. It is made at the first start and kept in the folder of the store. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { EndpointKey } from '../api.ts'
import { syncFolder } from '../store-sqlite/durable-files.ts'
import { explained } from '../store-sqlite/storage-folder.ts'

/** Length of an Ed25519 key at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW_BYTES = 32
const FILE = 'endpoint.key'
const NEXT = `${FILE}.next`

/** An Ed25519 key in PEM as this file writes it (RFC 8410 section 7): any 32 bytes after a fixed head are a key. */
const PLAIN_KEY =
  /^-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z\d+/]{42}\n-----END PRIVATE KEY-----\n$/

/**
 * Makes `endpoint.key` if the folder has none, and otherwise checks the form of the file. It loads no cryptography,
 * because loading takes longer than the rest of a start. Throws like {@link openEndpointKey}.
 */
export function checkEndpointKey(dir: string): void {
  if (!PLAIN_KEY.test(readKey(dir))) openEndpointKey(dir)
}

/**
 * Reads `endpoint.key` of a folder, or makes it. Throws if the file is a link, belongs to another user, is accessible
 * to others, or has no Ed25519 key.
 */
export function openEndpointKey(dir: string): EndpointKey {
  readKey(dir)
  return openKey(join(dir, FILE))
}

/** Makes the next key, in the place of an older next key. It is not used before {@link takeNextKey}. */
export function makeNextKey(dir: string): EndpointKey {
  rmSync(join(dir, NEXT), { force: true })
  writeKey(join(dir, NEXT))
  return openKey(join(dir, NEXT))
}

/** The next key of a change that was interrupted; undefined if there is none. */
export function findNextKey(dir: string): EndpointKey | undefined {
  return existsSync(join(dir, NEXT)) ? openKey(join(dir, NEXT)) : undefined
}

/** Replaces the key by the next key. The old key is deleted. */
export function takeNextKey(dir: string): void {
  try {
    renameSync(join(dir, NEXT), join(dir, FILE))
  } catch (error) {
    // Another command of the owner has done this already.
    if (existsSync(join(dir, NEXT))) throw error
  }
  syncFolder(dir)
}

function readKey(dir: string): string {
  const path = join(dir, FILE)
  if (!existsSync(path)) explained(dir, () => writeKey(path))
  return readOwn(path)
}

function openKey(path: string): EndpointKey {
  const pem = readOwn(path)
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is no Ed25519 key.`)
  return { endpointId: rawKey(key).toString('hex'), pem, sign: (message) => sign(null, message, key) }
}

function readOwn(path: string): string {
  const stats = lstatSync(path)
  if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0)
    throw new Error(`${path} must be a regular file of this user with mode 0600.`)
  return readFileSync(path, 'utf8')
}

/**
 * Writes a new key. The file gets its name only when it is complete and on disk. If another process was first, its file
 * stays.
 */
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
  syncFolder(dirname(path))
}

function rawKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
}
