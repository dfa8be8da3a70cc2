/** Reads the file of `--config`. */
import { readFileSync } from 'node:fs'
import type { SvcError } from '../../core/declare/errors.ts'
import { kernelFail } from '../../core/kernel/catalogue.ts'

/**
 * The value of a JSON file in UTF-8, with or without a byte order mark. No message quotes the file, because it may
 * contain secrets.
 * @throws SvcError `ERR_SETTINGS_INVALID`
 */
export function readConfig(file: string): unknown {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no reason given'
    const hint = code === 'EACCES' ? 'Run this as root, or as the user of the service: sudo svc …' : undefined
    throw refused(file, `cannot be read: ${reasons.get(code) ?? code}`, hint)
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused(file, 'is not UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // Only the position is taken from the message, because the rest may quote a secret of the file.
    const place = /\(line \d+ column \d+\)$/.exec((error as Error).message)?.[0]
    throw refused(file, `is not JSON${place === undefined ? '' : ` ${place}`}`)
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'this user may not read it'],
  ['EISDIR', 'it is a folder'],
])

function refused(file: string, what: string, hint?: string): SvcError {
  return kernelFail('ERR_SETTINGS_INVALID', { message: `--config ${file} ${what}.`, hint })
}
