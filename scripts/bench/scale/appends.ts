/** Measures appends through one, two and three nodes at once, and the CPU time of nodes and NATS. */
import { appendTo } from '../cluster/appends.ts'
import { show, whole } from '../cluster/report.ts'
import type { Measured } from '../cluster/servers.ts'
import { cpuOf } from '../realtime/contestants.ts'
import { median } from '../statistics.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 7)
/** Numbers of runs that are appended to at the same time. */
const APPENDERS = [1, 48]
const SECONDS = 1

/** Measures, rounds interleaved; `natsPids` are the processes of NATS. */
export async function measureAppends(nodes: readonly Measured[], natsPids: readonly number[]): Promise<void> {
  for (const appenders of APPENDERS) {
    const rows = nodes.map(() => ({ perSecond: [] as number[], ofNodes: [] as number[], ofNats: [] as number[] }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, row] of rows.entries()) {
        const used = nodes.slice(0, index + 1)
        const cpu = (): [number, number] => [nodes.reduce((sum, node) => sum + node.cpuSeconds(), 0), cpuOf(natsPids)]
        const [nodesBefore, natsBefore] = cpu()
        const name = `scale-${appenders}-${index}-${round}`
        const answers = await appendTo(used, { name, appenders, seconds: SECONDS })
        const [nodesAfter, natsAfter] = cpu()
        row.perSecond.push(answers / SECONDS)
        row.ofNodes.push(((nodesAfter - nodesBefore) * 1e6) / answers)
        row.ofNats.push(((natsAfter - natsBefore) * 1e6) / answers)
      }
    }
    const runs = appenders === 1 ? 'one run' : `${appenders} runs at once`
    console.log(`\nAppends with acknowledgement to ${runs}, medians of ${ROUNDS} interleaved rounds\n`)
    for (const [index, { perSecond, ofNodes, ofNats }] of rows.entries()) {
      const through = index === 0 ? 'one node' : `${index + 1} nodes`
      show(`through ${through}, a second by the clock`, whole(median(perSecond)))
      show('  processor time of all nodes for one, µs', whole(median(ofNodes)))
      show('  processor time of NATS for one, µs', whole(median(ofNats)))
    }
  }
}
