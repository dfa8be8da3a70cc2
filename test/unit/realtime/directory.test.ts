/**
 * The directories of several nodes on one log of heads: the same ended runs are kept, in whatever order the nodes read
 * and write.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunRecord } from '../../../plugins/realtime/runs/api.ts'
import type { RunHead, StoredHead } from '../../../plugins/realtime/runs/shared/api.ts'
import { Directory } from '../../../plugins/realtime/runs/shared/directory.ts'
import { type Entry, keyOf } from '../../../plugins/realtime/runs/shared/entry.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { runDefaults } from '../../support/run-defaults.ts'

/** The maximum number of ended runs that are kept. */
const KEPT = 4

/** A log of heads as in JetStream: positions rise, and the mark of a removed run replaces its earlier heads. */
class Log {
  heads: StoredHead[] = []
  #position = 0

  newest(key: string): StoredHead | undefined {
    return this.heads.findLast(({ record }) => keyOf(record) === key)
  }

  append(head: RunHead, expected: number): void {
    const key = keyOf(head.record)
    if ((this.newest(key)?.position ?? 0) !== expected) return
    if (head.gone) this.heads = this.heads.filter(({ record }) => keyOf(record) !== key)
    this.heads.push({ ...head, position: ++this.#position })
  }

  /** The newest head of each run. */
  get newestOfAll(): readonly StoredHead[] {
    return this.heads.filter((head) => this.newest(keyOf(head.record)) === head)
  }
}

/** A node: its position in the log, and the marks that it must still write. */
class Node {
  readonly directory: Directory
  /** The runs that were reported to readers as new. */
  readonly shown: string[] = []
  readonly #log: Log
  #owed: Entry[] = []
  #reached = 0
  #replay: readonly StoredHead[] | undefined
  #isReplaying = false
  #mustRenew = false

  constructor(log: Log) {
    this.#log = log
    this.directory = new Directory({
      ...runDefaults,
      ...{ maxFinishedRuns: KEPT, clock: new HeldClock(), soon: (run) => run(), randomBytes: () => new Uint8Array(8) },
      erase: (entry) => this.#owed.push(entry),
      onChange: (operation, { run_id }) => void (operation === 'insert' && this.shown.push(run_id)),
    })
    this.renew()
    this.read(1)
  }

  /** Reads `count` messages: during a replay the newest message of each run, after that the log. */
  read(count: number): void {
    if (this.#mustRenew) this.renew()
    for (let remaining = count; remaining > 0; remaining--) {
      const [next, ...rest] = this.#replay ?? this.#log.heads.filter(({ position }) => position > this.#reached)
      if (this.#replay !== undefined) this.#replay = rest.length > 0 ? rest : undefined
      // A message that was removed in the meantime is not delivered.
      if (next !== undefined && this.#log.heads.includes(next)) {
        this.#reached = next.position
        this.directory.head(next)
      }
      if (this.#isReplaying && this.#replay === undefined) {
        this.#isReplaying = false
        this.directory.complete()
      }
    }
  }

  /** Begins anew with the newest message of each run. */
  renew(): void {
    this.#mustRenew = false
    this.#isReplaying = true
    this.#replay = this.#log.newestOfAll
    this.#reached = 0
    this.directory.begin()
  }

  /** Skips a message and reads the next one, as from a server that skips messages. The next read starts a replay. */
  skip(): void {
    const [missed, next] = this.#log.heads.filter(({ position }) => position > this.#reached)
    if (this.#isReplaying || missed === undefined || next === undefined) return
    this.#isReplaying = true
    this.directory.begin()
    this.#reached = next.position
    this.directory.head(next)
    this.#mustRenew = true
  }

  /** Reads the next two messages in the wrong order. */
  late(): void {
    const [first, second] = this.#log.heads.filter(({ position }) => position > this.#reached)
    if (this.#isReplaying || first === undefined || second === undefined) return
    this.#reached = second.position
    this.directory.head(second)
    this.directory.head(first)
  }

  /** Writes the oldest pending mark. */
  write(): void {
    const entry = this.#owed.shift()
    if (entry !== undefined) this.#log.append({ ...entry.head, gone: true }, entry.head.position)
  }

  get isDone(): boolean {
    const isRead = !this.#log.heads.some(({ position }) => position > this.#reached)
    return isRead && !this.#isReplaying && this.#owed.length === 0
  }

  get kept(): readonly string[] {
    return this.directory.entries
      .filter(({ gone }) => !gone)
      .map(({ record }) => record.run_id)
      .sort()
  }
}

type Step =
  | { readonly do: 'end'; readonly owner: number }
  | { readonly do: 'read'; readonly node: number; readonly count: number }
  | { readonly do: 'renew' | 'skip' | 'late' | 'write'; readonly node: number }

const steps = (owners: number): fc.Arbitrary<readonly Step[]> => {
  const node = fc.nat({ max: 2 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), owner: fc.nat({ max: owners - 1 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('read' as const), node, count: fc.integer({ min: 1, max: 9 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('renew' as const, 'skip' as const, 'late' as const, 'write' as const),
        node,
      }),
    },
  )
  return fc.array(step, { minLength: 20, maxLength: 120, size: 'max' })
}

/**
 * Applies the steps, then lets all nodes read and write everything. Returns the ids of all runs, the oldest end first.
 */
function play(given: readonly Step[]): {
  readonly ended: readonly string[]
  readonly log: Log
  readonly nodes: Node[]
} {
  const log = new Log()
  const nodes = Array.from({ length: 3 }, () => new Node(log))
  const ended: string[] = []
  for (const step of given) {
    if (step.do === 'read') nodes[step.node]!.read(step.count)
    else if (step.do !== 'end') nodes[step.node]![step.do]()
    else {
      const run_id = String(ended.length).padStart(4, '0')
      log.append({ id: run_id, record: recordOf(run_id, step.owner), bytes: 1, gone: false }, 0)
      ended.push(run_id)
    }
  }
  while (!nodes.every((node) => node.isDone)) {
    for (const node of nodes) {
      node.read(9)
      node.write()
    }
  }
  return { ended, log, nodes }
}

function recordOf(run_id: string, owner: number): RunRecord {
  return {
    ...{ run_id, thread_id: 't', owner: { user_id: `user ${owner}`, tenant_id: 'acme' }, status: 'finished' },
    ...{
      created_at_ms: 0,
      ended_at_ms: 1,
      first_seq: 1,
      last_seq: 2,
      epoch: `epoch of ${run_id}`,
      agent: null,
      error: null,
    },
  }
}

const idsOf = (log: Log): readonly string[] =>
  log.newestOfAll
    .filter(({ gone }) => !gone)
    .map(({ record }) => record.run_id)
    .sort()

test('exactly the newest ended runs of one owner are kept on each of three nodes', () => {
  fc.assert(
    fc.property(steps(1), (given) => {
      const { ended, log, nodes } = play(given)
      assert.equal(idsOf(log), ended.slice(-KEPT))
      for (const { kept, shown } of nodes) {
        assert.equal(kept, ended.slice(-KEPT))
        assert.is(new Set(shown).size, shown.length, 'no run is shown as new twice')
      }
    }),
    { numRuns: 300 },
  )
})

test('with several owners the maximum number of runs is kept, the same runs on each of three nodes', () => {
  fc.assert(
    fc.property(steps(3), (given) => {
      const { ended, log, nodes } = play(given)
      assert.is(idsOf(log).length, Math.min(KEPT, ended.length))
      for (const { kept } of nodes) assert.equal(kept, idsOf(log))
    }),
    { numRuns: 300 },
  )
})

test('a replay that ends after its directory was closed counts nothing', () => {
  const log = new Log()
  log.append({ id: 'a', record: recordOf('a', 1), bytes: 1, gone: false }, 0)
  const node = new Node(log)
  node.renew()
  node.directory.close()
  node.directory.complete()
  assert.equal(node.kept, [])
})

test.run()
