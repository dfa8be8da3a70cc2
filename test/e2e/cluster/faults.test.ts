/**
 * Faults of three NATS servers that each keep the runs: servers are killed, lost with their disk, slowed down, cut off
 * and restarted. Writers keep a ledger; no acknowledged event may be missing or out of place.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hasMajority, type StreamInfo, streamInfo } from '../../../plugins/cluster/nats/jetstream.ts'
import { RUNS } from '../../../plugins/cluster/nats/names.ts'
import type { RunHead } from '../../../plugins/realtime/runs/shared/api.ts'
import { noNats } from '../../../scripts/cluster/engines.ts'
import { Ledger, type Outcome } from '../../../scripts/cluster/ledger.ts'
import { countOf } from '../../support/count.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { skip, testUnless } from '../../support/skip.ts'
import { type CuttableServers, startCuttableServers, startNatsServers } from './nats-servers.ts'
import { entranceOf } from './node-entrance.ts'
import { skipReason, unsafeOnOld, waitForServers } from './old-servers.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'
import { noSlowDisk, slowDisks } from './slow-disk.ts'

const test = suite('cluster: faults of NATS')

/** Pause of a writer between two appends, in milliseconds. */
const PAUSE_MS = 40

/** The nodes are in this process, so that what delays it delays their answers. */
const loop = measureLoopDelay()

/** The time in which an append is answered, with the delay of this process, in milliseconds. */
const answerMs = (): number => 5_000 + loop.maxMs

/** How long the servers may take for a step, in milliseconds. */
const STEP_MS = 90_000

/** The number of lines of each server's log in the message of a failure. */
const LOG_LINES = 40

/** How long a node may take to catch up with the servers, in milliseconds. */
const CAUGHT_UP_MS = 60_000

/**
 * The number of events of a run that are kept, because removed ones cannot be compared. Three writers append at most 75
 * events per second, and a round takes at most eight minutes.
 */
const EVENTS_OF_A_RUN = 40_000

/** How long each write and each sync of a slow disk takes, and of one that hardly works, in milliseconds. */
const [SLOW_MS, STUCK_MS] = [200, 4_000]

interface Scene {
  readonly network: CuttableServers
  /** One node per server. Each node connects only to its server. */
  readonly nodes: readonly RunNode[]
  readonly ledger: Ledger
  /** The index of the server that is the leader of the stream of the runs. */
  leader(): Promise<number>
  /** The state of the server as each node reports it, for the message of a failure. */
  state(): Promise<string>
  /** Aborted with the error of a writer that failed. It ends every wait of the fault, because no events follow. */
  readonly failed: AbortController
  /** Waits for a condition, for at most `STEP_MS`. */
  waitFor(what: string, holds: () => Promise<boolean>): Promise<void>
  /** Waits until every server has all data. */
  healed(): Promise<void>
  /** Waits until `count` more events have been acknowledged. */
  more(count: number): Promise<void>
}

/** The fault of a round. When it resolves, all servers run and are connected. */
const faults: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'the leader is killed': async ({ network, leader, more }) => {
    const server = network.servers[await leader()]!
    await server.kill()
    await more(10)
    server.start()
  },
  'a server that follows is killed': async ({ network, leader, more }) => {
    const server = network.servers[((await leader()) + 1) % 3]!
    await server.kill()
    await more(10)
    server.start()
  },
  'a server is lost for good, and one with an empty disk takes its place': async ({ network, leader, more }) => {
    const server = network.servers[await leader()]!
    await server.kill()
    await more(10)
    server.wipe()
    server.start()
    await more(10)
  },
  ...(noSlowDisk === undefined && {
    'the disk of the leader is slow, then all three hardly work': async ({
      network,
      ledger,
      leader,
      more,
      waitFor,
    }) => {
      checkAnswers(ledger)
      ledger.slowestMs = 0
      const mend = await slowDisks([network.servers[await leader()]!.pid], SLOW_MS)
      try {
        await more(10)
        assert.ok(ledger.slowestMs > SLOW_MS, 'an append waits for the disk of the leader')
      } finally {
        await mend()
      }
      const refused = (): number => ledger.answers.reduce((sum, of) => sum + of.append_unknown + of.overloaded, 0)
      const before = refused()
      const mendAll = await slowDisks(
        network.servers.map(({ pid }) => pid),
        STUCK_MS,
      )
      try {
        await waitFor('appends are not acknowledged', async () => refused() > before)
      } finally {
        await mendAll()
      }
      await more(10)
    },
  }),
  'the leader is cut off': async ({ network, ledger, leader, more, waitFor }) => {
    const cut = await leader()
    const answers = (): Record<Outcome, number> => ({ ...ledger.answers[cut]! })
    network.cut(cut)
    const atCut = answers()
    const cutAt = performance.now()
    // Appends that are under way may still be acknowledged, within the maximum time of an append.
    await waitFor(
      'an append fails, and appends under way are answered',
      async () =>
        performance.now() - cutAt > answerMs() &&
        (answers().append_unknown > atCut.append_unknown || answers().overloaded > atCut.overloaded),
    )
    const before = answers()
    await more(10)
    assert.is(answers().written, before.written, 'a server without a majority acknowledges nothing')
    network.mend()
  },
  'the servers are restarted one after the other': async ({ network, healed, more }) => {
    for (const server of network.servers) {
      await server.kill('SIGTERM')
      await more(5)
      server.start()
      await healed()
    }
  },
}

/** The faults that are tried: all that the server here survives. */
const tried = Object.entries(faults).filter(([name]) => skipReason === undefined || !unsafeOnOld.includes(name))
if (skipReason !== undefined) for (const name of unsafeOnOld) skip(test, name, skipReason)
if (noSlowDisk !== undefined) skip(test, 'slow disks', noSlowDisk)

/** The servers and nodes of all rounds, so that later faults must not remove events of earlier rounds. */
interface Stage {
  readonly network: CuttableServers
  readonly nodes: readonly RunNode[]
  /** One per round. */
  readonly ledgers: Ledger[]
}

let stage: Stage | undefined

/** Starts the servers and one node per server. If a node does not start, everything is stopped. */
async function startStage(): Promise<Stage> {
  const network = await startCuttableServers(3)
  const nodes: RunNode[] = []
  const options = { replicas: 3, isPinned: true, numbers: { runMaxEvents: EVENTS_OF_A_RUN } }
  try {
    for (const { port } of network.servers) nodes.push(await startRunNode([port], options))
    return { network, nodes, ledgers: [] }
  } catch (error) {
    await stopStage({ network, nodes })
    throw error
  }
}

async function stopStage({ network, nodes }: Pick<Stage, 'network' | 'nodes'>): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()))
  await network.stop()
}

test.after(async () => {
  if (stage !== undefined) await stopStage(stage)
})

const rounds = countOf({ quick: tried.length, deep: 200, variable: 'SVC_TEST_FAULTS' })
for (let round = 0; round < rounds; round++) {
  const [name, fault] = tried[round % tried.length]!
  testUnless(
    test,
    noNats,
    `round ${round + 1}, ${name}: no acknowledged event is lost, duplicated or out of place, and each append is answered within 5 s`,
    async () => {
      stage ??= await startStage()
      const { network, nodes, ledgers } = stage
      const ledger = new Ledger(nodes.map(entranceOf))
      ledgers.push(ledger)
      const scene = sceneOf(network, nodes, ledger)
      try {
        await makeFault(scene, fault, round)
        for (const each of ledgers) await check(each, nodes)
      } catch (error) {
        const state = await scene.state()
        // What this round has broken must not fail the next one.
        stage = undefined
        await stopStage({ network, nodes })
        throw new Error(`${error}\n${state}`, { cause: error })
      }
    },
  )
}

/** Makes a fault while writers append. Compares the events after it. */
async function makeFault(scene: Scene, fault: (scene: Scene) => Promise<void>, round: number): Promise<void> {
  const { ledger, nodes, failed } = scene
  const shared = `shared-${round}`
  let isOver = false
  const writers: Promise<void>[] = []
  loop.reset()
  try {
    await scene.healed()
    await ledger.begin(shared)
    for (const writer of [0, 1, 2]) {
      const own = `of-${writer}-${round}`
      const epoch = await ledger.begin(own)
      const writing = write(ledger, { writer, own, shared, epoch }, () => isOver)
      writers.push(writing.catch((error: unknown) => failed.abort(error)))
    }
    const { size } = ledger
    await fault(scene)
    await scene.healed()
    await check(ledger, nodes)
    assert.ok(ledger.size > size, 'events were acknowledged')
    checkAnswers(ledger)
  } finally {
    isOver = true
    await Promise.all(writers)
  }
  failed.signal.throwIfAborted()
}

/** Checks that each append so far was answered in time. */
function checkAnswers({ slowestMs }: Ledger): void {
  const slowest = `an answer after ${Math.round(slowestMs)} ms, where ${Math.round(answerMs())} are allowed`
  assert.ok(slowestMs < answerMs(), slowest)
}

/** Compares the events at each node with the acknowledged events. */
async function check(ledger: Ledger, nodes: readonly RunNode[]): Promise<void> {
  for (const node of nodes.keys()) {
    // A node that has just reconnected may still answer 503, or from its memory. Lost events stay lost.
    let found: readonly string[] = []
    const isRight = async (): Promise<boolean> => {
      found = (await ledger.problems(node)).map(({ run_id, text }) => `${run_id}: ${text}`)
      return found.length === 0
    }
    await until('the node has what was acknowledged', isRight, CAUGHT_UP_MS).catch((error: unknown) => {
      throw new Error(`node ${node}: ${found.slice(0, 5).join('; ')}`, { cause: error })
    })
  }
}

testUnless(test, noNats, 'of several concurrent appends after one position exactly one succeeds', async () => {
  const servers = await startNatsServers(3)
  const nodes: RunNode[] = []
  try {
    for (const { port } of servers) nodes.push(await startRunNode([port], { replicas: 3 }))
    const head = (sequence: number): RunHead => ({
      id: Math.random().toString(36),
      record: {
        ...{ run_id: 'r', thread_id: 't', owner: { user_id: 'ann', tenant_id: 'acme' }, status: 'running' },
        ...{
          created_at_ms: 0,
          ended_at_ms: null,
          first_seq: 1,
          last_seq: sequence,
          epoch: 'e',
          agent: null,
          error: null,
        },
      },
      bytes: 1,
      gone: false,
    })
    let position = 0
    await until(
      'the stream accepts the first append',
      async () => {
        const answer = await nodes[0]!.store.append(head(0), [], 0)
        if (answer.is === 'written') position = answer.position
        return answer.is === 'written'
      },
      STEP_MS,
    )
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all(nodes.map(({ store }) => store.append(head(round + 1), ['{}'], position)))
      const written = answers.flatMap((answer) => (answer.is === 'written' ? [answer.position] : []))
      assert.is(written.length, 1, JSON.stringify(answers))
      position = written[0]!
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(servers.map((server) => server.stop()))
  }
})

/** A writer and its runs. */
interface Writer {
  readonly writer: number
  readonly own: string
  readonly shared: string
  /** The epoch of its own run. */
  readonly epoch: string
}

/**
 * Appends each event once to the writer's own run, through any node that accepts it, and also to a run that all writers
 * share.
 */
async function write(ledger: Ledger, { writer, own, shared, epoch }: Writer, isOver: () => boolean): Promise<void> {
  for (let n = 1, node = writer; !isOver(); node = (node + 1) % 3) {
    const is = await ledger.append(node, own, `${writer}-${n}`, `"${epoch}-${n}"`)
    if (is === 'written') {
      // An event without a position is not sent again, so it may be missing.
      if (n > 5) await ledger.append(node, shared, `${writer}-${n}`)
      n++
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function sceneOf(network: CuttableServers, nodes: readonly RunNode[], ledger: Ledger): Scene {
  /** The state of the stream as each node gets it. Undefined if there is no answer, or the leader has no majority. */
  const infos = (): Promise<(StreamInfo['cluster'] | undefined)[]> =>
    Promise.all(
      nodes.map(async ({ connection }) => {
        const info = connection && (await streamInfo(connection, RUNS).catch(() => undefined))
        return info !== undefined && hasMajority(info) ? info.cluster : undefined
      }),
    )
  const failed = new AbortController()
  const waitFor = async (what: string, holds: () => Promise<boolean>, limitMs = STEP_MS): Promise<void> => {
    const isOver = async (): Promise<boolean> => failed.signal.aborted || (await holds())
    await until(what, isOver, limitMs)
    failed.signal.throwIfAborted()
  }
  return {
    ...{ network, nodes, ledger, failed, waitFor },
    state: async () => {
      const states = nodes.map(async ({ connection, store }, node) => {
        const info = connection && (await streamInfo(connection, RUNS).catch((error: unknown) => String(error)))
        const cluster = typeof info === 'object' ? info.cluster : info
        return `node ${node}: ${store.health.problem}, ${JSON.stringify([cluster, ledger.answers[node]])}`
      })
      const logs = network.servers.map(
        ({ name, log }) => `${name} says:\n${log.split('\n').slice(-LOG_LINES).join('\n')}`,
      )
      return [...(await Promise.all(states)), ...logs].join('\n')
    },
    leader: async () => {
      let index = -1
      await waitFor('the stream has a leader', async () => {
        const name = (await infos()).find((info) => info !== undefined)?.leader
        index = network.servers.findIndex((server) => server.name === name)
        return index >= 0
      })
      return index
    },
    healed: async () => {
      const isHealed = async () => {
        const info = await infos()
        return info.every(
          (one) =>
            one?.leader === info[0]?.leader &&
            one?.replicas?.filter(({ current, offline }) => current && offline !== true).length === 2,
        )
      }
      await waitForServers(
        STEP_MS,
        (limitMs) => waitFor('every server has everything', isHealed, limitMs),
        async () => {
          failed.signal.throwIfAborted()
          // One at a time, because the other two must go on.
          const behind = (await infos()).flatMap((info) => info?.replicas?.filter(({ current }) => !current) ?? [])
          return network.servers.find(({ name }) => behind.some((one) => one.name === name))
        },
      )
    },
    more: async (count) => {
      const { size } = ledger
      await waitFor(`${count} more events`, async () => ledger.size >= size + count)
    },
  }
}

test.run()
