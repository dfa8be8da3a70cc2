/**
 * Folders that several test files start from. Each is created once, stored in `.build/toolkit/` under the hash of the
 * packages, and copied for each test file. Files in `node_modules` are hard links to the stored files, so tests must
 * not write to them.
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

/** A hash over files, used as the name of folders that are derived from the files. */
export function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex').slice(0, 16)
}

/**
 * The folder that `make` fills. The first process creates it, and other processes wait. If the first process dies,
 * another process creates the folder.
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

/** Removes folders of older packages, which have the same prefix and another hash. */
function removeOthers(name: string): void {
  const prefix = name.slice(0, name.lastIndexOf('-') + 1)
  const others = readdirSync(kept).filter((other) => other.startsWith(prefix) && !other.startsWith(name))
  for (const other of others) rmSync(join(kept, other), { recursive: true, force: true })
}

/** Tries to create a lock file for this process. Removes a lock file whose process has ended. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
  // 0 means that the file is gone, or that another process is just writing it.
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

/** Copies a folder. Files in a `node_modules` are hard-linked if both folders are on the same disk. */
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
