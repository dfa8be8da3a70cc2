/** A file of a bundle beside its entry, and what files weigh. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A file of a bundle beside its entry. */
export interface Part {
  readonly name: string
  readonly base64: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** Whether it is loaded when it is first needed, and not with the entry. */
  readonly later: boolean
}

/** A file as part of a bundle. */
export function toPart(name: string, contents: Uint8Array, later: boolean): Part {
  return {
    name,
    base64: Buffer.from(contents).toString('base64'),
    bytes: contents.length,
    gzipBytes: gzipSize(contents),
    sha256: createHash('sha256').update(contents).digest('hex'),
    later,
  }
}

/** Size of one file, compressed as a server would once and for all. */
export function gzipSize(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length
}
