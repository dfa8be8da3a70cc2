/** Files that others may have made: they are read where they have a size that such a file has, and else not at all. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

/**
 * Reads a file as UTF-8.
 * @throws RangeError where it has over `mostBytes`, TypeError where it is no UTF-8, and what the system says
 */
export function readText(file: string, mostBytes: number): string {
  if (statSync(file).size > mostBytes) throw new RangeError(`it has over ${mostBytes} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
}

/** SHA-256 of a file in lower-case hex, of which no more than a piece is in memory. */
export function hashFile(file: string): string {
  const hash = createHash('sha256')
  const piece = new Uint8Array(1_048_576)
  const descriptor = openSync(file, 'r')
  try {
    for (let read = 1; read > 0; ) {
      read = readSync(descriptor, piece)
      hash.update(piece.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
