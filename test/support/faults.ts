/** Faults of a disk that a test can make, where it is root and the kernel lets it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' })

/** Mounts a file system in memory of so many MiB. */
export const mountTmpfs = (path: string, mib: number): void =>
  run('mount', '-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', path)
/** Changes its size. */
export const resizeTmpfs = (path: string, mib: number): void => run('mount', '-o', `remount,size=${mib}m`, path)
/** Lets nobody write to it any more. */
export const remountReadOnly = (path: string): void => run('mount', '-o', 'remount,ro', path)
/** Takes it away, at once for names and as soon as nobody holds a file for the rest. */
export const unmount = (path: string): void => run('umount', '--lazy', path)
/** Lets nobody write to files, nor those who have them open. */
export const freezeFiles = (files: readonly string[]): void => run('chattr', '+i', ...files)
/** Lets them be written again. */
export const thawFiles = (files: readonly string[]): void => run('chattr', '-i', ...files)

/** Why nothing can be done that only root may do; undefined where it can. */
export const notRoot: string | undefined = process.getuid?.() === 0 ? undefined : 'needs root'

/** Why no tmpfs can be mounted here; undefined where it can. */
export const noTmpfs: string | undefined = whyNot('a tmpfs cannot be mounted here', (folder) => {
  mountTmpfs(folder, 1)
  unmount(folder)
})

/** Why no file can be frozen here; undefined where it can. */
export const noFreeze: string | undefined = whyNot('chattr +i does not work here', (folder) => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  freezeFiles([file])
  thawFiles([file])
})

function whyNot(reason: string, attempt: (folder: string) => void): string | undefined {
  if (notRoot !== undefined) return notRoot
  const folder = mkdtempSync(join(tmpdir(), 'svc-fault-'))
  try {
    attempt(folder)
    return undefined
  } catch {
    return reason
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
