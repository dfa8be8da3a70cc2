/** Writes the document of a command to a file or to stdout. */
import { writeFileSync } from 'node:fs'
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
