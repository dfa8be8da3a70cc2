/** The keys of simulated nodes and devices: the same in every run, and nothing about them is computed twice. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { isAdmissibleSignature } from '../../plugins/protocol/ed25519-rule.ts'
import type { Ed25519Verifier, EndpointKey } from '../../plugins/sync/api.ts'

/** Heads of PKCS#8 and SubjectPublicKeyInfo of Ed25519 keys (RFC 8410 sections 4 and 7). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** Verifications that are remembered: those of a few runs. */
const MAX_VERDICTS = 20_000

/** A key pair that signs. */
export interface SimulatedKey extends EndpointKey {
  /** `ed25519:` and the public key in hex. */
  readonly keyId: string
  readonly publicKey: Uint8Array
}

const made = new Map<string, SimulatedKey>()

/** The key of a name. */
export function keyOf(name: string): SimulatedKey {
  let key = made.get(name)
  if (key === undefined) {
    const secret = createHash('sha256').update(`simulation ${name}`).digest()
    const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, secret]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
    const endpointId = publicKey.toString('hex')
    key = {
      endpointId,
      keyId: `ed25519:${endpointId}`,
      publicKey: new Uint8Array(publicKey),
      pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
      sign: (message) => sign(null, message, privateKey),
    }
    made.set(name, key)
  }
  return key
}

const imported = new Map<string, KeyObject>()
const verdicts = new Map<string, { readonly message: Uint8Array; readonly valid: boolean }>()

/**
 * OpenSSL under the one rule, without its threads, whose order nobody can repeat. A verdict is a function of what is judged,
 * so that five nodes need one.
 */
export const ed25519: Ed25519Verifier = {
  verify(signature, message, publicKey) {
    if (!isAdmissibleSignature(signature)) return false
    const hex = Buffer.from(publicKey).toString('hex')
    const name = `${hex} ${Buffer.from(signature).toString('latin1')}`
    const known = verdicts.get(name)
    if (known !== undefined && Buffer.compare(known.message, message) === 0) return known.valid
    let key = imported.get(hex)
    if (key === undefined) {
      key = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, publicKey]), format: 'der', type: 'spki' })
      imported.set(hex, key)
    }
    const valid = verify(null, message, key, signature)
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear()
    verdicts.set(name, { message, valid })
    return valid
  },
}

/**
 * Has the library of curves remember the points that it has judged, in this process: each takes it over a millisecond, and
 * the same few keys are put to the rule at each start of each node.
 */
export function rememberPoints(): void {
  const points = new Map<string, Point>()
  const fromBytes = Point.fromBytes.bind(Point)
  const isTorsionFree = Point.prototype.isTorsionFree
  const free = new WeakMap<Point, boolean>()
  Point.fromBytes = (bytes, zip215) => {
    const name = `${zip215} ${Buffer.from(bytes).toString('hex')}`
    let point = points.get(name)
    if (point === undefined) points.set(name, (point = fromBytes(bytes, zip215)))
    return point
  }
  Point.prototype.isTorsionFree = function () {
    let is = free.get(this)
    if (is === undefined) free.set(this, (is = isTorsionFree.call(this)))
    return is
  }
}
