/** Folders and small files that survive a loss of power. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, mode 0700, and syncs every folder that got a new entry. It makes them one by one,
 * because Node's recursive `mkdir` never ends where the system reports an existing parent as missing, as in /proc.
 */
export function makeFolder(path: string, sync: (folder: string) => void = syncFolder): void {
  const missing: string[] = []
  let top = resolve(path)
  for (; !existsSync(top) && top !== dirname(top); top = dirname(top)) missing.push(top)
  for (const folder of [...missing].reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  if (missing.length > 0) for (const folder of [...missing, top]) sync(folder)
}

/** Syncs the entries of a folder to disk. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and writes their entries by itself.
  if (process.platform === 'win32') return
  syncFile(folder)
}

/** Syncs the contents of a file to disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes a small file, mode 0600, whole or not at all, in the place of an older one. */
export function replaceFile(path: string, text: string): void {
  const made = `${path}.${process.pid}`
  try {
    writeFileSync(made, text, { mode: 0o600, flush: true })
    renameSync(made, path)
  } catch (error) {
    rmSync(made, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}
