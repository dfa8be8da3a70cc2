/** Simulates slow disks: `strace` delays each write of a process to its files, and each `fsync`. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startChild } from '../../support/child.ts'
import { until } from './rig.ts'

/** The delayed system calls. NATS writes its store, but not its network, with `pwrite64`, and syncs with `fsync`. */
const DELAYED = 'pwrite64,fsync,fdatasync'

/** The reason why disks cannot be slowed down here. Undefined if they can. */
export const noSlowDisk: string | undefined = reason()

/** Tries to trace a running process, as `slowDisks` does. Some systems allow this only for root. */
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

/**
 * Delays each write and sync of NATS servers to their stores by `delayMs` milliseconds. The returned function ends the
 * delays.
 */
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
    await until('the disks are slow', async () => pids.every(isTraced), 60_000)
  } catch (error) {
    await mend()
    throw error
  }
  return mend
}
