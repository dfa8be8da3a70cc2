/** Kills processes of a cluster repeatedly, while writers keep a ledger of acknowledged changes. */
import { randomInt } from 'node:crypto'
import { connect } from '@nats-io/transport-node'
import { type StreamInfo, streamInfo } from '../../plugins/cluster/nats/jetstream.ts'
import { RUNS } from '../../plugins/cluster/nats/names.ts'
import { until } from '../until.ts'
import { createHttpEntrance, createSend } from './http-entrance.ts'
import { KeyLedger } from './key-ledger.ts'
import { Ledger, type Outcome, type Problem } from './ledger.ts'
import type { NatsLogin } from './locked-engines.ts'
import type { ClusterProcess, Keeper } from './processes.ts'

/** Number of writers. Each appends to a separate run, through the balancer. */
const WRITERS = 3

/** Number of events in a run. A node retains the newest 4096. */
const EVENTS = 1_000

/**
 * Number of ended runs that are compared. It is lower than the number that nodes retain, and the comparison ends within
 * their retention time of 15 minutes.
 */
const FINISHED = 6

/** Pauses between two appends, and between two changes of a key, in milliseconds. */
const APPEND_PAUSE_MS = 50
const KEY_PAUSE_MS = 1_000

/** Fraction of a round before the comparison. In the rest of the round the comparison checks late changes again. */
const BEFORE_LOOK = 0.6

/** Longest time in milliseconds for which the last comparison repeats. */
const LAST_LOOK_MS = 60_000

/** Milliseconds for which a restarted node may give outdated answers. */
const WRONG_MS = 10_000

/** Longest time in milliseconds until nodes are ready. */
const READY_MS = 60_000

/** Longest time in milliseconds for a NATS server to report the leader. */
const ASK_MS = 3_000

/** The targets of kills, in turn. */
const TURNS = ['a node', 'the server of NATS that leads the runs', 'PostgreSQL', 'another server of NATS'] as const

/** Options of {@link startChaos}. */
export interface ChaosOptions {
  /** Base URL for the clients of the cluster. */
  readonly base: string
  /** A token that is valid for the whole time of the test. */
  readonly token: string
  readonly login: NatsLogin
  readonly parts: readonly ClusterProcess[]
  readonly keeper: Pick<Keeper, 'isUp'>
  /** Time between two kills, in milliseconds. */
  readonly everyMs: number
  /** Called with one line for each round. */
  readonly say: (line: string) => void
}

/** A running chaos test. */
export interface Chaos {
  /**
   * Stops killing, kills all nodes at once, and compares a last time: restarted nodes have only the stored state.
   * Resolves to the number of missing acknowledged events and keys.
   */
  stop(): Promise<number>
}

/** Starts the chaos test. */
export function startChaos({ base, token, login, parts, keeper, everyMs, say }: ChaosOptions): Chaos {
  const over = new AbortController()
  const pause = (ms: number): Promise<void> => pauseUnless(over.signal, ms)
  const ledger = new Ledger([createHttpEntrance(base, token)])
  const keys = new KeyLedger(createSend(base, token))
  /** Unexpected answers, with their number. */
  const strange = new Map<string, number>()
  const trouble = async (error: unknown): Promise<void> => {
    const text = error instanceof Error ? error.message : String(error)
    strange.set(text, (strange.get(text) ?? 0) + 1)
    await pause(KEY_PAUSE_MS)
  }
  const working = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(ledger, `writer-${writer + 1}`, over.signal, trouble)),
    changeKeys(keys, over.signal, trouble),
  ]
  /** Missing changes by text, because a later round can report the same one again. */
  const missing = new Set<string>()
  const compare = async (limitMs: number): Promise<readonly Problem[]> => {
    const problems = await look(ledger, keys, limitMs)
    for (const { text, run_id, isLate } of problems) if (!isLate) missing.add(`${run_id}: ${text}`)
    return problems
  }
  const sum = (): string => {
    const count = (is: Outcome): number => ledger.answers[0]![is] + keys.answers[is]
    const others = [...strange].map(([text, times]) => `${text} (${times} times)`)
    return [
      `acknowledged ${ledger.size} events and ${keys.answers.written} changes of keys`,
      `refused ${count('overloaded')}`,
      `unknown ${count('append_unknown')}`,
      ...(others.length > 0 ? [`other answers: ${others.join(', ')}`] : []),
      `missing ${missing.size}`,
    ].join(', ')
  }
  const killing = (async () => {
    const since = performance.now()
    for (let turn = 0; !over.signal.aborted; ) {
      const at = performance.now()
      const { isKilled, text } = await kill(TURNS[turn % TURNS.length]!, { login, parts, keeper })
      if (isKilled) turn++
      await pause(everyMs * BEFORE_LOOK)
      const late = (await compare(everyMs * (1 - BEFORE_LOOK))).filter(({ isLate }) => isLate)
      const unread = late.length > 0 ? `, not to be read yet ${late.length}` : ''
      say(`${Math.round((performance.now() - since) / 1_000)} s: ${text}; ${sum()}${unread}`)
      await pause(everyMs - (performance.now() - at))
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await Promise.all([...working, killing])
      await restartNodes(parts, keeper)
      // A change that is still late in the last comparison is missing.
      for (const { text, run_id } of await compare(LAST_LOOK_MS)) missing.add(`${run_id}: ${text}`)
      say(`In all: ${sum()}.`)
      for (const one of [...missing].slice(0, 10)) say(`  missing: ${one}`)
      return missing.size
    },
  }
}

/**
 * Compares everything, and repeats the comparison of differences: up to `limitMs` for late changes, and up to
 * `WRONG_MS` for wrong ones.
 */
async function look(ledger: Ledger, keys: KeyLedger, limitMs: number): Promise<readonly Problem[]> {
  const since = performance.now()
  ledger.forget(FINISHED)
  let inRuns = await ledger.problems(0)
  let inKeys = await keys.problems()
  const shouldRepeat = (): boolean => {
    const problems = [...inRuns, ...inKeys]
    const limit = problems.some(({ isLate }) => isLate) ? limitMs : Math.min(limitMs, WRONG_MS)
    return problems.length > 0 && performance.now() - since < limit
  }
  while (shouldRepeat()) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    inRuns = await ledger.problems(0, [...new Set(inRuns.map(({ run_id }) => run_id))])
    if (inKeys.length > 0) inKeys = await keys.problems()
  }
  return [...inRuns, ...inKeys]
}

/** Writes runs one after the other, and repeats each event until it is acknowledged. */
async function write(
  ledger: Ledger,
  name: string,
  over: AbortSignal,
  onTrouble: (error: unknown) => Promise<void>,
): Promise<void> {
  for (let part = 1; !over.aborted; part++) {
    try {
      const run_id = `${name}-${part}`
      const epoch = await ledger.begin(run_id)
      let n = 1
      for (; n <= EVENTS && !over.aborted; await pauseUnless(over, APPEND_PAUSE_MS))
        if ((await ledger.append(0, run_id, `${name}-${n}`, `"${epoch}-${n}"`)) === 'written') n++
      while (!over.aborted && (await ledger.finish(0, run_id, `"${epoch}-${n}"`)) !== 'written')
        await pauseUnless(over, APPEND_PAUSE_MS)
    } catch (error) {
      await onTrouble(error)
    }
  }
}

async function changeKeys(keys: KeyLedger, over: AbortSignal, onTrouble: (error: unknown) => Promise<void>) {
  for (; !over.aborted; await pauseUnless(over, KEY_PAUSE_MS)) await keys.change().catch(onTrouble)
}

/** Kills the given target. The text names it, or the reason why nothing was killed. */
async function kill(
  what: (typeof TURNS)[number],
  { login, parts, keeper }: Pick<ChaosOptions, 'login' | 'parts' | 'keeper'>,
): Promise<{ readonly isKilled: boolean; readonly text: string }> {
  const killed = (name: string) => ({ isKilled: true, text: `killed ${name}` })
  const nothing = (why: string) => ({ isKilled: false, text: `killed nothing, because ${why}` })
  const away = parts.find((part) => !keeper.isUp(part))
  if (away !== undefined) return nothing(`${away.name} is not ready yet`)
  const of = (kind: ClusterProcess['kind']): readonly ClusterProcess[] => parts.filter((part) => part.kind === kind)
  if (what === 'a node' || what === 'PostgreSQL') {
    const kind = what === 'a node' ? 'node' : what
    const part = anyOf(of(kind))
    // SIGKILL to the main process of PostgreSQL would leave its other processes running. SIGQUIT ends all of them at
    // once, without writing anything.
    process.kill(part.pid, kind === 'node' ? 'SIGKILL' : 'SIGQUIT')
    return killed(part.name)
  }
  const cluster = await askWhoLeads(login)
  const replicas = cluster?.replicas ?? []
  // Of three servers, only one at a time may be behind.
  if (!replicas.every(({ current, offline }) => current && offline !== true) || replicas.length === 0)
    return nothing('a server of NATS has not got all yet')
  const isLeader = ({ name }: ClusterProcess): boolean => name === `NATS ${cluster?.leader}`
  const isDue = what === 'another server of NATS' ? (part: ClusterProcess) => !isLeader(part) : isLeader
  const part = anyOf(of('NATS').filter(isDue))
  process.kill(part.pid, 'SIGKILL')
  return killed(isLeader(part) ? `${part.name}, which leads the runs` : part.name)
}

/** Kills all nodes, so that their memory is lost. Resolves when they are ready again. */
async function restartNodes(parts: readonly ClusterProcess[], keeper: ChaosOptions['keeper']): Promise<void> {
  const nodes = parts.filter(({ kind }) => kind === 'node')
  const areUp = async (): Promise<boolean> => nodes.every((node) => keeper.isUp(node))
  await until('all nodes are ready', areUp, READY_MS)
  const before = nodes.map(({ exited }) => exited)
  for (const { pid } of nodes) process.kill(pid, 'SIGKILL')
  await Promise.all(before)
  await until('all nodes are ready again', areUp, READY_MS)
}

/** Returns the NATS servers that store the runs; undefined if no server answers. */
async function askWhoLeads(login: NatsLogin): Promise<StreamInfo['cluster']> {
  try {
    const nats = await connect({ ...login, reconnect: false, timeout: ASK_MS })
    try {
      return (await streamInfo(nats, RUNS)).cluster
    } finally {
      await nats.close()
    }
  } catch {
    return undefined
  }
}

function anyOf<T>(list: readonly T[]): T {
  return list[randomInt(list.length)]!
}

/** Waits, until the signal at the latest. */
function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
