/**
 * Makes the data of a new PostgreSQL with an empty database `svc`. It is made once and copied after that, because
 * `initdb` takes half a second of processor time, and tests start many databases.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workDir } from '../build/paths.ts'

/** Where to make the data, and with which programs. */
export interface EmptyDatabaseOptions {
  /** The program folder of PostgreSQL. */
  readonly bin: string
  /** An empty folder of the user that PostgreSQL runs as. */
  readonly data: string
  /** The user that PostgreSQL runs as; by default the user of this process. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/** Every local user may log in as `svc`. */
const OPTIONS = ['-U', 'svc', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']

/** Makes the data in a folder. @throws Error if PostgreSQL does not make the database */
export function makeEmptyDatabase({ bin, data, identity }: EmptyDatabaseOptions): void {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).split(' ')[2]!.trim()
  const made = createHash('sha256').update(OPTIONS.join(' ')).digest('hex').slice(0, 8)
  // One template for each user, because a copy keeps the owner of the files.
  const template = join(workDir, '.build/postgres', `${version}-${made}-${identity.uid ?? process.getuid?.()}`)
  if (existsSync(template)) {
    copy(template, data)
    return
  }
  const as = { ...identity, cwd: dirname(data), encoding: 'utf8' } as const
  execFileSync(join(bin, 'initdb'), ['-D', data, ...OPTIONS], { ...as, stdio: 'ignore' })
  const input = 'create database svc\n'
  const { status, stderr } = spawnSync(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], { ...as, input })
  // A statement that fails does not change the exit code.
  if (status !== 0 || /\b(?:ERROR|FATAL|PANIC): /.test(stderr))
    throw new Error(`PostgreSQL made no database (exit code ${status}): ${stderr}`)
  keep(data, template)
}

/** Copies a folder with the owners of its files. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to])
}

/** Keeps a copy of the data, as a whole or not at all. */
function keep(data: string, template: string): void {
  let folder: string | undefined
  try {
    mkdirSync(dirname(template), { recursive: true })
    folder = mkdtempSync(`${template}-`)
    const made = join(folder, 'data')
    mkdirSync(made)
    copy(data, made)
    renameSync(made, template)
  } catch {
    // Another process has kept its copy, or nothing can be written here. Then the data is made again the next time.
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
