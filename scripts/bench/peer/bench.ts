/**
 * Benchmark of peers: nodes in separate processes on loopback. Each result is compared with one that was measured in
 * turn with it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMet } from '../bars.ts'
import { createDevice } from '../kbd/board.ts'
import { median } from '../statistics.ts'
import { start } from './child.ts'
import { type Bench, measureCommands, measurePushes } from './measure.ts'
import type { NodeCalls, NodeSetup } from './node.ts'

/** The bars: ratios within one run. */
const BARS = { commands: 0.5, push: 2.3 } as const

const COMMANDS = Number(process.env['SVC_BENCH_COMMANDS'] ?? 10_000)
/** Number of times that the commands are sent to a fresh peer; the median counts. */
const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 3)
const PUSHES = Number(process.env['SVC_BENCH_PUSHES'] ?? 400)

/** Runs the comparison. Returns false if a bar is missed. `SVC_BENCH_PART` selects `commands` or `push`. */
export async function benchPeer(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const only = process.env['SVC_BENCH_PART']
  try {
    const met: boolean[] = []
    if (only !== 'push') {
      const ratios: number[] = []
      for (let round = 0; round < ROUNDS; round++) ratios.push(await measureCommands(createBench(folder), COMMANDS))
      const what = `${COMMANDS} commands to a fresh peer: speed of verifying and committing them alone`
      met.push(isMet(what, median(ratios), BARS.commands))
    }
    if (only !== 'commands') {
      const ratio = await measurePushes(createBench(folder), PUSHES)
      met.push(isMet('a push of one new command, acknowledged, to a bare signed exchange', ratio, BARS.push, 'at most'))
    }
    return met.every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function createBench(folder: string): Bench {
  const device = createDevice()
  const setup = { pem: device.privatePem, keyId: device.keyId }
  const fresh = (): string => mkdtempSync(join(folder, 'place-'))
  return {
    device,
    file: () => join(fresh(), 'rows.db'),
    async node() {
      const at = fresh()
      mkdirSync(join(at, 'state'), { mode: 0o700 })
      const running = await start<NodeCalls>('./node.ts', { folder: at, device: setup } satisfies NodeSetup)
      return { ...running, peer: await running.call('where', undefined) }
    },
  }
}
