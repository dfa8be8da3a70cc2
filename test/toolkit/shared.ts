/**
 * Folders that several test files start from: each is made once, kept in `.build/toolkit/` under the hash of the packages it was
 * made of, and given to a file as a copy. Files in `node_modules` are hard links to the kept ones, and no test writes to them.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { workDir } from '../../scripts/build/paths.ts'

const kept = join(workDir, '.build/toolkit')

/** The hash of files, which names what is made of them. */
export function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex').slice(0, 16)
}

/**
 * The folder that `make` fills, made by the first process that asks for it. Others wait for that process; if it has died, one of
 * them makes the folder.
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<void> | void): Promise<string> {
  const folder = join(kept, name)
  const lock = `${folder}.lock`
  mkdirSync(kept, { recursive: true })
  while (!existsSync(folder)) {
    if (!takeLock(lock)) {
      await pause(50)
      continue
    }
    try {
      const unfinished = `${folder}.${process.pid}`
      mkdirSync(unfinished)
      removeOthers(name)
      await make(unfinished)
      renameSync(unfinished, folder)
    } finally {
      rmSync(lock)
    }
  }
  return folder
}

/** Removes what other packages made, under the same word before the hash. */
function removeOthers(name: string): void {
  const word = name.slice(0, name.lastIndexOf('-') + 1)
  const others = readdirSync(kept).filter((one) => one.startsWith(word) && !one.startsWith(name))
  for (const one of others) rmSync(join(kept, one), { recursive: true, force: true })
}

/** Writes this process into a lock file that is not there, or that a process left behind. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
  // A holder of 0 is a file that is gone, or that another process is writing.
  if (holder !== 0 && !isRunning(holder)) rmSync(lock, { force: true })
  return false
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Copies a folder. What lies in a `node_modules` is linked, where both folders are on one disk. */
export function copyOf(from: string, to: string, linked = false): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyOf(source, target, linked || entry.name === 'node_modules')
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!linked || !isLinked(source, target)) copyFileSync(source, target)
  }
}

function isLinked(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    return false
  }
}
