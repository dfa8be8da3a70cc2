/**
 * Keeps the temporary folders of tests of stores in memory. A store waits for the disk at each commit, so with a slow
 * disk these tests take many times as long, and a slow answer of an attacked server may be caused by the disk.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of tests that write stores, and few other files. */
const FOLDERS: readonly string[] = ['unit', 'hostile', 'e2e/kbd', 'e2e/peer', 'e2e/sync'].map((name) => `test/${name}/`)

/** The test that installs the toolkit: npm writes thousands of files, which costs more processor time on a disk. */
const INSTALLS = 'test/toolkit/toolkit.test.ts'

/** Tests that make a store immutable. In memory, a process that has its file open could still write to it. */
const ON_DISK: readonly string[] = ['test/e2e/sync/outage.test.ts']

/** The file system in memory of Linux. */
const MEMORY = '/dev/shm'

/** Free bytes that it must have. All test files together take far less, so no test fails because it is full. */
const ROOM_BYTES = 2 * 2 ** 30

let folder: string | undefined

/** The environment of a test file: `TMPDIR` for a folder in memory, or nothing for the system's temporary folder. */
export function temporaryFolder(file: string): NodeJS.ProcessEnv {
  const isChosen = file === INSTALLS || FOLDERS.some((part) => file.startsWith(part))
  if (!isChosen || ON_DISK.includes(file)) return {}
  if (folder === undefined && isUsable()) {
    folder = mkdtempSync(join(MEMORY, 'svc-tests-'))
    // Everybody may write to it, as to the system's temporary folder, because tests start programs as other users.
    chmodSync(folder, 0o1777)
    process.once('exit', () => rmSync(folder!, { recursive: true, force: true }))
  }
  return folder === undefined ? {} : { TMPDIR: folder }
}

/** Whether the file system has enough room, and allows programs to run, because some tests write programs. */
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
