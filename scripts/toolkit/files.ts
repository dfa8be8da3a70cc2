/** Reads the files that a command gets, and writes its document to a file or to stdout. */

import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { toolFail } from './errors.ts'
import type { Outcome, ToolIo } from './tool.ts'

/**
 * Writes the document and returns the outcome. If the document goes to stdout, it is also the JSON result.
 * @throws SvcError `ERR_TOOL_INPUT` if the file cannot be written
 */
export function writeOut(document: unknown, file: string | undefined, io: ToolIo, what: string): Outcome {
  const text = typeof document === 'string' ? document : `${JSON.stringify(document, null, 2)}\n`
  if (file === undefined) {
    io.out(text.replace(/\n$/, ''))
    return { json: document }
  }
  writeFile(file, text)
  io.out(`→ ${file} (${what})`)
  return { json: { file, what } }
}

/** Writes a file. */
export function writeFile(file: string, text: string, mode = 0o644): void {
  try {
    writeFileSync(file, text, { mode })
  } catch (cause) {
    throw toolFail('ERR_TOOL_INPUT', { message: `${file} cannot be written: ${(cause as Error).message}`, cause })
  }
}

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
