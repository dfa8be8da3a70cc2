/** Creates and reads key files for signing builds. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { toolFail } from '../errors.ts'
import { readText, writeFile } from '../files.ts'

/** Size limit of a key file in bytes. */
const LONGEST_BYTES = 65_536

/**
 * Creates a key pair: the private key in `file`, readable only for its owner, and the public key in `file.pub`.
 * Existing files are not overwritten.
 */
export function makeKey(file: string): void {
  for (const name of [file, `${file}.pub`]) {
    if (existsSync(name)) throw toolFail('ERR_TOOL_INPUT', { message: `${name} is there already.` })
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 0o600)
  writeFile(`${file}.pub`, publicKey.export({ type: 'spki', format: 'pem' }) as string)
}

/** Reads the private key. */
export function signingKey(file: string): KeyObject {
  return readKey(file, createPrivateKey)
}

/**
 * Reads the trusted public key. It must not be in the verified folder, because a person who can change that folder
 * could replace the key.
 */
export function trustedKey(file: string, folder: string): KeyObject {
  const key = readKey(file, createPublicKey)
  if (`${realpathSync(file)}`.startsWith(`${realpathSync(folder)}${sep}`)) {
    const hint = 'Take it from where its owner publishes it.'
    throw toolFail('ERR_TOOL_INPUT', { message: `The key ${file} lies in the folder that it is to vouch for.`, hint })
  }
  return key
}

function readKey(file: string, read: (pem: string) => KeyObject): KeyObject {
  const fail = (why: string, cause?: unknown): Error =>
    toolFail('ERR_TOOL_INPUT', { message: `${file} holds no Ed25519 key in PEM: ${why}`, cause })
  let key: KeyObject
  try {
    key = read(readText(file, LONGEST_BYTES))
  } catch (cause) {
    throw fail((cause as Error).message, cause)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw fail(`it is ${key.asymmetricKeyType}`)
  return key
}
