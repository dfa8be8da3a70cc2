/** Bundle files other than the entry, and the compressed size of files. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A file of a bundle, other than the entry. */
export interface Part {
  readonly name: string
  readonly base64: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** True if the file is loaded on first use, false if it is loaded with the entry. */
  readonly later: boolean
}

/** Creates a part from the contents of a file. */
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

/** Size of one file in bytes after gzip compression at the highest level. */
export function gzipSize(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length
}
