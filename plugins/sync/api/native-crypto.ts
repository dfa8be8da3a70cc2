/** Ed25519 of Node: for the server. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isAdmissibleSignature } from '../../protocol/ed25519-rule.ts'
import type { Ed25519Verifier } from '../api.ts'

/** The fixed head of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410 section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** Importing a key costs three times a verification; an imported one is some 300 bytes. */
const MAX_IMPORTED_KEYS = 4096

interface Job {
  readonly signature: Uint8Array
  readonly message: Uint8Array
  readonly key: KeyObject
  readonly resolve: (valid: boolean) => void
}

/**
 * Verifies through OpenSSL on libuv's threads, so that the loop serves others meanwhile; imported keys are remembered. The last
 * signature of a turn is verified on the loop where at most one is on a thread: the way to a thread and back takes longer.
 */
export function createNativeEd25519(): Ed25519Verifier {
  const imported = new Map<string, KeyObject>()
  /** The latest of this turn: the others have gone to the threads. */
  let latest: Job | undefined
  let onThreads = 0
  const importKey = (publicKey: Uint8Array): KeyObject => {
    // Not by way of a Buffer: a short array has no memory of its own outside the heap until it is asked for.
    const id = String.fromCharCode(...publicKey)
    let key = imported.get(id)
    if (key === undefined) {
      key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
      if (imported.size >= MAX_IMPORTED_KEYS) imported.delete(imported.keys().next().value!)
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
    const job = latest!
    latest = undefined
    try {
      if (onThreads > 1) onThread(job)
      else job.resolve(verify(null, job.message, job.key, job.signature))
    } catch {
      // Nobody is above this to hear of it, and the process would end.
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
