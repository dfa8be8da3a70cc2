/** Reads third-party files with a size limit: a file above the limit is not read. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

/**
 * Reads a file as UTF-8.
 * @throws RangeError if the file has over `mostBytes`, TypeError if it is not UTF-8, and the errors of the system
 */
export function readText(file: string, mostBytes: number): string {
  if (statSync(file).size > mostBytes) throw new RangeError(`it has over ${mostBytes} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
}

/** SHA-256 of a file in lower-case hex, read in chunks. */
export function hashFile(file: string): string {
  const hash = createHash('sha256')
  const chunk = new Uint8Array(1_048_576)
  const descriptor = openSync(file, 'r')
  try {
    for (let read = 1; read > 0; ) {
      read = readSync(descriptor, chunk)
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
