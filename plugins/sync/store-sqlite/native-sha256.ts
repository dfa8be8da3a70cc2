/** SHA-256 of Node. */
import { createHash } from 'node:crypto'
import type { Sha256 } from '../api.ts'

/** SHA-256. */
export const nativeSha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest()
