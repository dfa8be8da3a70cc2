/** Disk faults that a test can cause if it runs as root and the kernel permits it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' })

/** Mounts a tmpfs of `mib` MiB. */
export const mountTmpfs = (path: string, mib: number): void =>
  run('mount', '-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', path)
/** Changes the size of a tmpfs. */
export const resizeTmpfs = (path: string, mib: number): void => run('mount', '-o', `remount,size=${mib}m`, path)
/** Makes a tmpfs read-only. */
export const remountReadOnly = (path: string): void => run('mount', '-o', 'remount,ro', path)
/** Unmounts a tmpfs. Its paths disappear at once; its memory is freed when the last open file is closed. */
export const unmount = (path: string): void => run('umount', '--lazy', path)
/** Makes files immutable, also for processes that have them open. */
export const freezeFiles = (files: readonly string[]): void => run('chattr', '+i', ...files)
/** Makes files writable again. */
export const thawFiles = (files: readonly string[]): void => run('chattr', '-i', ...files)

/** The reason to skip tests that need root. Undefined for root. */
export const notRoot: string | undefined = process.getuid?.() === 0 ? undefined : 'needs root'

/** The reason to skip tests that need a tmpfs. Undefined if a tmpfs can be mounted. */
export const noTmpfs: string | undefined = whyNot('a tmpfs cannot be mounted here', (folder) => {
  mountTmpfs(folder, 1)
  unmount(folder)
})

/** The reason to skip tests that need immutable files. Undefined if `chattr +i` works. */
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
