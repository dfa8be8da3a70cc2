/** Disks that are slow: `strace` delays each write of a process to its files. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startChild } from '../../support/child.ts'
import { until } from './rig.ts'

/** Why no disk can be slowed here; undefined if it can. */
export const noSlowDisk: string | undefined = reason()

function reason(): string | undefined {
  const { error, status } = spawnSync('strace', ['-qq', '-o', '/dev/null', process.execPath, '--version'])
  if (error !== undefined) return 'strace is not installed'
  return status === 0 ? undefined : 'no process may be traced here'
}

/**
 * Delays each write of some servers of NATS to their stores, in milliseconds. The store writes by `pwrite64`, and the network does
 * not. The function that is returned ends the delays.
 */
export async function slowWrites(pids: readonly number[], delayMs: number): Promise<() => Promise<void>> {
  const tracers = pids.map((pid) =>
    startChild('strace', {
      args: [
        ...['-f', '-qq', '-o', '/dev/null', '-p', String(pid)],
        ...['-e', 'trace=pwrite64', '-e', `inject=pwrite64:delay_enter=${delayMs * 1_000}`],
      ],
    }),
  )
  const isTraced = (pid: number): boolean => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  await until('the writes are slow', async () => pids.every(isTraced), 10_000)
  return async () => {
    // It ends once the write that it delays is done.
    await Promise.all(tracers.map((tracer) => tracer.stop('SIGINT', 60_000)))
  }
}
