/** The keys of simulated nodes and devices. They are the same in every run, and expensive results are cached. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { isAdmissibleSignature } from '../../plugins/protocol/ed25519-rule.ts'
import type { Ed25519Verifier, EndpointKey } from '../../plugins/sync/api.ts'

/** The first bytes of PKCS#8 and SubjectPublicKeyInfo for Ed25519 keys (RFC 8410 sections 4 and 7). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** The number of cached verifications, enough for a few runs. */
const MAX_VERDICTS = 20_000

/** A key pair for signatures. */
export interface SimulatedKey extends EndpointKey {
  /** `ed25519:` and the public key in hex. */
  readonly keyId: string
  readonly publicKey: Uint8Array
}

const keys = new Map<string, SimulatedKey>()

/** The key that belongs to a name. */
export function keyOf(name: string): SimulatedKey {
  let key = keys.get(name)
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
    keys.set(name, key)
  }
  return key
}

const imported = new Map<string, KeyObject>()
const verdicts = new Map<string, { readonly message: Uint8Array; readonly valid: boolean }>()

/**
 * Verifies with OpenSSL and the product's rule for admissible signatures, without threads, because their order is not
 * reproducible. A result depends only on its input, so that all nodes can share a cached result.
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
 * Caches the points that the curve library has decoded and checked in this process. A check takes over 1 ms per point,
 * and each start of each node checks the same few keys.
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
    let result = free.get(this)
    if (result === undefined) free.set(this, (result = isTorsionFree.call(this)))
    return result
  }
}
