/** Disks that are slow: `strace` delays each write of a process to its files, and each wait until they are on the disk. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startChild } from '../../support/child.ts'
import { until } from './rig.ts'

/** What is delayed: the store of NATS writes by `pwrite64`, which its network does not use, and syncs by `fsync`. */
const DELAYED = 'pwrite64,fsync,fdatasync'

/** Why no disk can be slowed here; undefined if it can. */
export const noSlowDisk: string | undefined = reason()

/** Traces a process that strace has not started itself, as `slowDisks` does: a system may allow that to root alone. */
function reason(): string | undefined {
  const traced = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { stdio: 'ignore' })
  try {
    const args = ['1', 'strace', '-qq', '-o', '/dev/null', '-p', String(traced.pid)]
    const { error, status } = spawnSync('timeout', args)
    if (error !== undefined) return 'timeout (coreutils) is not installed'
    // 124: strace ran until the timeout. 127: strace is not installed.
    if (status === 127) return 'strace is not installed'
    return status === 124 ? undefined : 'no process may be traced here'
  } finally {
    traced.kill('SIGKILL')
  }
}

/** Delays each write and sync of some servers of NATS to their stores, in milliseconds. The function that is returned ends the delays. */
export async function slowDisks(pids: readonly number[], delayMs: number): Promise<() => Promise<void>> {
  const tracers = pids.map((pid) =>
    startChild('strace', {
      args: [
        ...['-f', '-qq', '-o', '/dev/null', '-p', String(pid)],
        ...['-e', `trace=${DELAYED}`, '-e', `inject=${DELAYED}:delay_enter=${delayMs * 1_000}`],
      ],
    }),
  )
  const isTraced = (pid: number): boolean => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  // A tracer ends after its delayed write is done.
  const mend = async (): Promise<void> =>
    void (await Promise.all(tracers.map((tracer) => tracer.stop('SIGINT', 60_000))))
  try {
    await until('the disks are slow', async () => pids.every(isTraced), 10_000)
  } catch (error) {
    await mend()
    throw error
  }
  return mend
}
