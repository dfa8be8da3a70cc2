/** Creates signed pushes, and measures the lower bound of processing them. */
import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'

/** A push: as sent and as verified. */
export interface Push {
  readonly pushId: string
  readonly body: Buffer
  readonly signed: Buffer
  readonly signature: Buffer
}

/** A device that signs pushes to project `bench`. */
export interface Signer {
  /** PEM, for `svc device enroll`. */
  readonly publicKey: string
  make(count: number): Push[]
  /** Verifies each push and writes a row into a new file, 64 rows per synced commit. Returns pushes per second. */
  measureBound(file: string, pushes: readonly Push[]): number
}

/** Creates a device. */
export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = `ed25519:${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')}`
  const make = (): Push => {
    const request = {
      schemaVersion: '1.7',
      requestId: randomUUID(),
      domain: 'kbd-control:bench',
      targetEndpointIds: [],
      expectedFrontier: null,
      issuedAtMs: Date.now(),
      signerKeyId: keyId,
    }
    const signed = Buffer.from(canonicalText(request))
    const signature = sign(null, signed, privateKey)
    const body = Buffer.from(JSON.stringify({ ...request, signature: signature.toString('base64') }))
    return { pushId: request.requestId, body, signed, signature }
  }
  return {
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    make: (count) => Array.from({ length: count }, make),
    measureBound(file, pushes) {
      const database = new DatabaseSync(file)
      database.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id TEXT PRIMARY KEY, r TEXT) STRICT',
      )
      const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
      const startMs = performance.now()
      for (let i = 0; i < pushes.length; i += 64) {
        database.exec('BEGIN IMMEDIATE')
        for (const { pushId, signed, signature, body } of pushes.slice(i, i + 64)) {
          if (!verify(null, signed, publicKey, signature)) throw new Error('not valid')
          insert.run(pushId, body.toString())
        }
        database.exec('COMMIT')
      }
      const perSecond = pushes.length / ((performance.now() - startMs) / 1000)
      database.close()
      return perSecond
    },
  }
}
