/** Reads a file with a secret. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { ReadSecretFile, SecretFile } from '../../core/kernel/settings/secret-files.ts'

/** Far more than any secret needs, and little enough to be read at once. */
const MAX_BYTES = 65_536

/** The bits of a mode. */
const OTHERS_READ = 0o004
const GROUP_OR_OTHERS_WRITE = 0o022

/**
 * Reads files of secrets: UTF-8, at most 64 KiB, without one line end at the end. Paths in the configuration file
 * `config` are relative to its folder, others to the working folder. No message quotes the file, nor a path that cannot
 * be opened: such a path may be the secret itself, put in the wrong place.
 */
export function secretFiles(config: string | undefined): ReadSecretFile {
  return (path, from) =>
    path === ''
      ? { problem: 'expected the path of a file' }
      : readSecretFile(
          from === 'config' && config !== undefined && !ABSOLUTE.test(path) ? folderOf(config) + path : path,
        )
}

/** Not by `node:path`, which `minimal` does without. A drive and a backslash are paths of Windows. */
const ABSOLUTE = process.platform === 'win32' ? /^(?:[A-Za-z]:)?[\\/]/ : /^\//

/** The folder of a file, with its separator; empty for a file in the working folder. */
function folderOf(file: string): string {
  return file.replace(process.platform === 'win32' ? /[^\\/]*$/ : /[^/]*$/, '')
}

function readSecretFile(path: string): SecretFile {
  let file: number
  try {
    // A pipe without a writer would hold the start for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no reason given'
    return { problem: `the file of the secret cannot be read: ${reasons.get(code) ?? code}` }
  }
  try {
    const { mode, size } = fstatSync(file)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return { problem: `${path} is not a regular file` }
    const octal = (mode & 0o777).toString(8).padStart(4, '0')
    if ((mode & GROUP_OR_OTHERS_WRITE) !== 0 && process.platform !== 'win32')
      return { problem: `${path} may be written by its group or by others (mode ${octal}): chmod go-w` }
    if (size > MAX_BYTES) return { problem: `${path} has ${size} bytes; a secret has at most ${MAX_BYTES}` }
    const text = readText(file)
    if (typeof text !== 'string') return { problem: `${path} ${text.problem}` }
    const open = (mode & OTHERS_READ) !== 0 && process.platform !== 'win32'
    return { text, warning: open ? `${path} may be read by every user of this machine (mode ${octal})` : undefined }
  } catch (error) {
    return { problem: `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'no reason given'}` }
  } finally {
    closeSync(file)
  }
}

function readText(file: number): string | { readonly problem: string } {
  const bytes = new Uint8Array(MAX_BYTES + 1)
  let length = 0
  for (let read = 1; read > 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > MAX_BYTES) return { problem: `has more than ${MAX_BYTES} bytes` }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)).replace(/\r?\n$/, '')
    return text === '' ? { problem: 'is empty' } : text
  } catch {
    return { problem: 'is not UTF-8' }
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'this user may not read it'],
  ['EISDIR', 'it is a folder'],
])
