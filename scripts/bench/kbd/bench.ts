/** Measures boards: the shipped program against a bound of the same run, and a board against an Automerge document. */
import { join } from 'node:path'
import { isMet, median, roundsOf, show } from '../harness/figures.ts'
import { load, textOf, toRequest } from '../harness/load.ts'
import { builtFile, withFolder } from '../harness/processes.ts'
import { startSync } from '../sync/bench.ts'
import { compareAutomerge } from './automerge.ts'
import { chain, createDevice, type Device, edit, type SignedCommand, setup } from './board.ts'
import { measureBound } from './lower-bound.ts'

/** The bars, as ratios within one run. */
const BARS = { ofBound: 0.65, automerge: 5 } as const

/** Number of rounds. Compared values are measured in the same round; the median of the ratios counts. */
const ROUNDS = roundsOf(5)
const COMMANDS = Number(process.env['SVC_BENCH_COMMANDS'] ?? 4_096)
const LANES = 64
/** Number of cards on each board under load. */
const CARDS = 16

/** Runs the comparison. Returns false if a bar is missed. */
export function bench(): Promise<boolean> {
  builtFile('server-full')
  return withFolder(async (folder) => {
    const ofBound = await measureService(folder)
    const { append, open } = await compareAutomerge(join(folder, 'edits.db'), 10_000)
    const edits = '10 000 edits of 2 000 cards, signed and verified, against Automerge: times as fast'
    return [
      isMet('commands against the bound', ofBound, BARS.ofBound),
      isMet(edits, append, BARS.automerge),
      isMet('opening them: times as fast', open, BARS.automerge),
    ].every(Boolean)
  })
}

/** Measures new commands on 64 boards at once, over 64 connections, as a fraction of the bound. */
async function measureService(folder: string): Promise<number> {
  const device = createDevice()
  const projects = Array.from({ length: LANES }, (_, lane) => `bench-${lane}`)
  const scopes = projects.map((project) => `kbd-control:${project}`)
  const service = await startSync(folder, scopes, String(device.publicKey.export({ format: 'pem', type: 'spki' })))
  /** Sends the commands of each lane in order over a separate connection. */
  const send = async (lanes: readonly (readonly SignedCommand[])[]) => {
    const startMs = performance.now()
    const loads = await Promise.all(
      lanes.map((lane) => {
        const path = `/api/v1/kbd/projects/${lane[0]!.project}/commands`
        const requests = lane.map(({ text }) => toRequest('POST', path, [], Buffer.from(text)))
        return load({ to: { path: service.socketPath }, requests, connections: 1, status: 201 })
      }),
    )
    const answers = loads.reduce((sum, one) => sum + one.answers, 0)
    const [p50Ms, p99Ms] = [median(loads.map((one) => one.p50Ms)), median(loads.map((one) => one.p99Ms))]
    return { answers, perSecond: (answers * 1_000) / (performance.now() - startMs), p50Ms, p99Ms }
  }
  try {
    const boards = projects.map((project) => chain(device, setup(CARDS), undefined, project))
    await send(boards)
    const done = interleave(boards)
    let tips = boards.map((lane) => lane.at(-1)!)
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const lanes = tips.map((tip) => edits(device, tip, COMMANDS / LANES))
      const commands = interleave(lanes)
      const bound = measureBound(join(folder, `bound-${round}.db`), device, commands, done)
      const fresh = await send(lanes)
      done.push(...commands)
      tips = lanes.map((lane) => lane.at(-1)!)
      show('bound: verify and grouped commit', `${bound.toFixed(0)}/s`)
      show(`commands, ${LANES} at once`, ...textOf(fresh))
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
