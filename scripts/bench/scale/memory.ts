/** Measures the cost of streams, runs and API keys in the memory of nodes and on the disk of NATS. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Engines, Node } from '../cluster/nodes.ts'
import { show, whole } from '../harness/figures.ts'
import { memoryOf } from '../harness/processes.ts'
import { call } from '../harness/token.ts'
import { openReaders } from '../realtime/load.ts'

const STREAMS = 5_000
const RUNS = 200
const EVENTS = 500
const KEYS = 200

/** Measures each value once, because memory use varies less than time. */
export async function measureMemory(
  nodes: readonly Node[],
  { nats }: Engines,
  load: string | undefined,
): Promise<void> {
  const [first, second] = nodes as readonly [Node, Node]
  show('a node that has just started, MiB', whole(first.memory() / 1_048_576))
  show('NATS that has just started, MiB', whole(memoryOf([nats.pid]) / 1_048_576))
  if (load !== undefined) {
    const before = first.memory()
    const readers = await openReaders(load, { ...first, listenPath: '/api/live/quiet' }, STREAMS)
    show(`one of ${whole(STREAMS)} idle streams, bytes of its node`, whole((first.memory() - before) / STREAMS))
    await readers.stop()
  }
  await measureRuns([first, second], nats)
  await measureKeys([first, second])
}

/** Measures unfinished runs, which every node stores. */
async function measureRuns([first, second]: readonly [Node, Node], nats: Engines['nats']): Promise<void> {
  const before = { first: first.memory(), second: second.memory(), disk: bytesIn(nats.folder) }
  for (let run = 0; run < RUNS; run++) {
    const id = `memory-${run}`
    await call(first.port, '/api/svc/runs', { run_id: id })
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      type: 'CUSTOM',
      name: 'n',
      value: `a value, number ${n}`,
    }))
    await call(first.port, `/api/svc/runs/${id}/events`, [{ type: 'RUN_STARTED', threadId: 't', runId: id }, ...events])
  }
  const all = RUNS * EVENTS
  show(
    `one of ${whole(all)} events of runs, bytes of the node that took it`,
    whole((first.memory() - before.first) / all),
  )
  show('  bytes of a node that nobody asks for the run', whole((second.memory() - before.second) / all))
  show('  bytes on the disk of NATS', whole((bytesIn(nats.folder) - before.disk) / all))
}

/** Measures API keys: creation on one node, and first use on another node. */
async function measureKeys([first, second]: readonly [Node, Node]): Promise<void> {
  const before = performance.now()
  const keys: string[] = []
  for (let n = 0; n < KEYS; n++) {
    const { key } = await call(first.port, '/api/svc/auth/keys', { name: `scale-${n}` })
    keys.push(String(key))
  }
  show('API keys made one after the other, a second', whole((KEYS * 1_000) / (performance.now() - before)))
  const since = performance.now()
  for (const key of keys) await firstUse(second.port, key)
  show('first use of a key on another node, ms', ((performance.now() - since) / KEYS).toFixed(1))
}

async function firstUse(port: number, key: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/svc/runs`, { headers: { 'x-api-key': key } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`a key was answered with ${answer.status}`)
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
