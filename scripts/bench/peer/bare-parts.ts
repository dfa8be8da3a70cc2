/** The common parts of both ends of a bare exchange. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { EndpointKey } from '../../../plugins/sync/api.ts'

/** Creates the key of a node. */
export function createEndpointKey(): EndpointKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    endpointId: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    sign: (message) => sign(null, message, privateKey),
  }
}

/** Opens a database. The returned function commits one row to the disk. */
export function openRows(file: string): (text: string | Uint8Array) => void {
  const database = new DatabaseSync(file)
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, r)',
  )
  const insert = database.prepare('INSERT INTO t (r) VALUES (?)')
  return (text) => void insert.run(text)
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** The public key of an endpoint id. */
export function publicKeyOf(endpointId: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(endpointId, 'hex')]), format: 'der', type: 'spki' })
}
