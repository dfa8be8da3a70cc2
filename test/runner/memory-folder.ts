/**
 * Keeps the temporary folders of tests of stores in memory. A store waits for the disk at each commit, so such tests
 * would mostly measure the disk: they take many times as long on a slow one, and a server that is attacked would be
 * blocked by the disk for longer than by any attack.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Tests that write stores, and few other files. */
const FOLDERS: readonly string[] = ['unit', 'hostile', 'e2e/kbd', 'e2e/peer', 'e2e/sync'].map((name) => `test/${name}/`)

/** Their store becomes immutable: there, a process that has it open could still write to it. */
const ON_DISK: readonly string[] = ['test/e2e/sync/outage.test.ts']

/** Where Linux has a file system in memory. */
const MEMORY = '/dev/shm'

/** Room that there must be, in bytes: far more than all files together take, so that no test fails for want of it. */
const ROOM_BYTES = 2 * 2 ** 30

let folder: string | undefined

/** The variable that gives a test file its temporary folder. None where the folder of the system is right. */
export function temporaryFolder(file: string): NodeJS.ProcessEnv {
  if (!FOLDERS.some((part) => file.startsWith(part)) || ON_DISK.includes(file)) return {}
  if (folder === undefined && isUsable()) {
    folder = mkdtempSync(join(MEMORY, 'svc-tests-'))
    // As the temporary folder of the system: tests start programs as other users.
    chmodSync(folder, 0o1777)
    process.once('exit', () => rmSync(folder!, { recursive: true, force: true }))
  }
  return folder === undefined ? {} : { TMPDIR: folder }
}

/** Whether the file system has enough room, and runs programs, which some tests write. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const isRoomy = Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES
    return isRoomy && mount !== undefined && !/\bnoexec\b/.test(mount)
  } catch {
    // Other systems have no such folder.
    return false
  }
}
