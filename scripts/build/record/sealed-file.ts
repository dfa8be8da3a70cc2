/**
 * Files in `.build/cache/`. They can be deleted at any time, and are read only if this user wrote them. Each file has a
 * seal, an HMAC with a secret outside of the tree. Hashes inside of a file would prove nothing, because a person who
 * edits the file can compute new ones.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { workDir } from '../paths.ts'

/** Folder of what builds keep for the next one. */
export const cacheDir: string = join(workDir, '.build/cache')

const SECRET_BYTES = 32

/** Whether this runs in CI, where the cache is neither read nor written. */
export function isCi(): boolean {
  const value = process.env['CI'] ?? ''
  return value !== '' && value !== 'false' && value !== '0'
}

/** What was kept in a file; undefined if there is none, or if its seal is not that of this user for this file. */
export function readJson<T>(file: string): T | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const end = text.indexOf('\n')
    const [seal, json] = [Buffer.from(text.slice(0, end), 'hex'), text.slice(end + 1)]
    const expectedSeal = sealOf(file, json)
    return expectedSeal !== undefined && seal.length === expectedSeal.length && timingSafeEqual(seal, expectedSeal)
      ? (JSON.parse(json) as T)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes a value into a file atomically, so that another build never reads a part of it. Writes nothing without a
 * secret.
 */
export function writeJson(file: string, value: unknown): void {
  const json = JSON.stringify(value)
  const seal = sealOf(file, json)
  if (seal === undefined) return
  mkdirSync(dirname(file), { recursive: true })
  // Packages are hashed in a thread, which writes too.
  const unfinished = `${file}.${process.pid}.${threadId}`
  writeFileSync(unfinished, `${seal.toString('hex')}\n${json}`)
  renameSync(unfinished, file)
}

/** The seal covers the name, so that the file of one profile does not pass for that of another. */
function sealOf(file: string, json: string): Buffer | undefined {
  const key = secret()
  return (
    key &&
    createHmac('sha256', key)
      .update(`${basename(file)}\n${json}`)
      .digest()
  )
}

/** Folder of the secret: the folder for the state of programs (XDG Base Directory Specification). */
export function secretFile(): string {
  return join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'svc', 'build.key')
}

/**
 * The secret of this user, made at its first use with mode 0600. Undefined, said once, where it cannot be made or read,
 * or where others could have read it: then builds keep nothing.
 */
function secret(): Buffer | undefined {
  const file = secretFile()
  try {
    makeSecret(file)
    const stats = lstatSync(file)
    if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0)
      throw new Error('it must be a regular file of this user with mode 0600')
    const bytes = readFileSync(file)
    if (bytes.length !== SECRET_BYTES) throw new Error(`it must hold ${SECRET_BYTES} bytes`)
    return bytes
  } catch (error) {
    sayOnce(`the build cache is off: ${file}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** The file appears whole or not at all; of two builds that make it at once, the first wins. */
function makeSecret(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, randomBytes(SECRET_BYTES), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
}

const said = new Set<string>()

function sayOnce(line: string): void {
  if (said.has(line)) return
  said.add(line)
  process.stderr.write(`${line}\n`)
}
