/** Benchmark of boards: the shipped program against the bound of the same run, and a board against an Automerge document. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMet } from '../bars.ts'
import { median } from '../statistics.ts'
import { type Load, run, toCommand } from '../sync/client.ts'
import { program, startService } from '../sync/service.ts'
import { compareAutomerge } from './automerge.ts'
import { chain, createDevice, type Device, edit, type SignedCommand, setup } from './board.ts'
import { measureBound } from './bound.ts'

/** The bars, as ratios within one run. */
const BARS = { ofBound: 0.65, automerge: 5 } as const

/** Number of rounds. Compared values are measured in the same round; the median of the ratios counts. */
const ROUNDS = 5
const COMMANDS = Number(process.env['SVC_BENCH_COMMANDS'] ?? 4_096)
const LANES = 64
/** Number of cards on each board under load. */
const CARDS = 16

/** Runs the comparison. Returns false if a bar is missed. */
export async function benchKbd(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    const ofBound = await measureService(folder)
    const { append, open } = await compareAutomerge(join(folder, 'edits.db'), 10_000)
    const edits = '10 000 edits of 2 000 cards, signed and verified, against Automerge: times as fast'
    return [
      isMet('commands against the bound', ofBound, BARS.ofBound),
      isMet(edits, append, BARS.automerge),
      isMet('opening them: times as fast', open, BARS.automerge),
    ].every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures new commands on 64 boards at once, over 64 connections, as a fraction of the bound. */
async function measureService(folder: string): Promise<number> {
  const device = createDevice()
  const projects = Array.from({ length: LANES }, (_, lane) => `bench-${lane}`)
  const keyFile = join(folder, 'key.pub')
  writeFileSync(keyFile, device.publicKey.export({ format: 'pem', type: 'spki' }))
  mkdirSync(join(folder, 'service'))
  const service = await startService(
    join(folder, 'service'),
    keyFile,
    projects.map((project) => `kbd-control:${project}`),
  )
  try {
    const boards = projects.map((project) => chain(device, setup(CARDS), undefined, project))
    await load(service.socketPath, boards)
    const done = interleave(boards)
    let tips = boards.map((lane) => lane.at(-1)!)
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const lanes = tips.map((tip) => edits(device, tip, COMMANDS / LANES))
      const commands = interleave(lanes)
      const bound = measureBound(join(folder, `bound-${round}.db`), device, commands, done)
      const fresh = await load(service.socketPath, lanes)
      done.push(...commands)
      tips = lanes.map((lane) => lane.at(-1)!)
      console.log(`${'bound: verify and grouped commit'.padEnd(34)} ${bound.toFixed(0).padStart(7)}/s`)
      console.log(
        `${`commands, ${LANES} at once`.padEnd(34)} ${fresh.perSecond.toFixed(0).padStart(7)}/s   p50 ${fresh.p50Ms.toFixed(2)} ms   p99 ${fresh.p99Ms.toFixed(2)} ms`,
      )
      if (round > 0) ratios.push(fresh.perSecond / bound)
    }
    return median(ratios)
  } finally {
    await service.stop()
  }
}

function edits(device: Device, tip: SignedCommand, count: number): SignedCommand[] {
  const commands = Array.from({ length: count }, (_, n) => edit(n % CARDS, `Title ${n} of ${tip.id.slice(0, 8)}`))
  return chain(device, commands, tip.id, tip.project)
}

/** Interleaves the lanes, in the order in which the commands arrive at the service. */
function interleave(lanes: readonly (readonly SignedCommand[])[]): SignedCommand[] {
  return lanes[0]!.flatMap((_, n) => lanes.map((lane) => lane[n]!))
}

/** Sends the commands of each lane in order over a separate connection. Throws if a command is refused. */
async function load(socketPath: string, lanes: readonly (readonly SignedCommand[])[]): Promise<Load> {
  const startMs = performance.now()
  const loads = await Promise.all(
    lanes.map((lane) =>
      run(
        socketPath,
        lane.map(({ project, text }) => toCommand(project, Buffer.from(text))),
        1,
      ),
    ),
  )
  const seconds = (performance.now() - startMs) / 1_000
  for (const { statuses } of loads)
    if (Object.keys(statuses).join() !== '201') throw new Error(`expected 201 only, got ${JSON.stringify(statuses)}`)
  const middle = (of: 'p50Ms' | 'p99Ms'): number => median(loads.map((one) => one[of]))
  const total = lanes.reduce((sum, lane) => sum + lane.length, 0)
  return { perSecond: total / seconds, p50Ms: middle('p50Ms'), p99Ms: middle('p99Ms'), statuses: {} }
}
