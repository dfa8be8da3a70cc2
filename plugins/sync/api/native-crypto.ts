/** Ed25519 by Node, for the server. */

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { dropOldest } from '../../../core/kernel/values.ts'
import { isAdmissibleSignature } from '../../protocol/ed25519-rule.ts'
import type { Ed25519Verifier } from '../api.ts'

/** The fixed head of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410 section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** Most imported keys in memory, about 300 bytes each. Importing a key takes three times as long as a verification. */
const MAX_IMPORTED_KEYS = 4096

interface Job {
  readonly signature: Uint8Array
  readonly message: Uint8Array
  readonly key: KeyObject
  readonly resolve: (valid: boolean) => void
}

/**
 * Verifies with OpenSSL on the threads of libuv, so that the event loop is free for other work. The last signature of a
 * turn is verified on the event loop if at most one other is on a thread, because passing it to a thread and back would
 * take longer.
 */
export function createNativeEd25519(): Ed25519Verifier {
  const imported = new Map<string, KeyObject>()
  /** The last signature of this turn. The others are on threads. */
  let latest: Job | undefined
  let onThreads = 0
  const importKey = (publicKey: Uint8Array): KeyObject => {
    // Without a Buffer, because it would allocate memory outside of the heap for a short array.
    const id = String.fromCharCode(...publicKey)
    let key = imported.get(id)
    if (key === undefined) {
      key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
      if (imported.size >= MAX_IMPORTED_KEYS) dropOldest(imported)
      imported.set(id, key)
    }
    return key
  }
  const onThread = ({ signature, message, key, resolve }: Job): void => {
    verify(null, message, key, signature, (error, valid) => {
      onThreads--
      resolve(error === null && valid)
    })
    onThreads++
  }
  const endTurn = (): void => {
    const job = latest
    if (job === undefined) return
    latest = undefined
    try {
      if (onThreads > 1) onThread(job)
      else job.resolve(verify(null, job.message, job.key, job.signature))
    } catch {
      // There is no caller above this function, so that the error would end the process.
      job.resolve(false)
    }
  }
  return {
    verify(signature, message, publicKey, more) {
      if (!isAdmissibleSignature(signature)) return false
      return new Promise((resolve) => {
        let job: Job
        try {
          job = { signature, message, key: importKey(publicKey), resolve }
        } catch {
          return resolve(false)
        }
        if (more === true) return onThread(job)
        if (latest === undefined) setImmediate(endTurn)
        else onThread(latest)
        latest = job
      })
    },
  }
}
