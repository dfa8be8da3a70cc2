/**
 * Lists of runs in pages. In memory, in SQLite and on two nodes with one store: the same pages, and over any creations,
 * ends and evictions between two pages no run twice and no run left out that stayed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunOwner, RunOwners, RunRecord, RunStatus, RunsQuery } from '../../../plugins/realtime/runs/api.ts'
import { RunManager } from '../../../plugins/realtime/runs/manager.ts'
import type { OwnRuns } from '../../../plugins/realtime/runs/own-runs.ts'
import { countOf } from '../../support/count.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { MemoryRuns } from '../../support/memory-run-store.ts'
import { codeOf } from '../../support/throws.ts'
import { openSqliteRuns, runOptions, storedRuns } from './stored-runs.ts'

const test = suite('realtime: pages of runs')

/** One kind of store: its nodes, and the clock of all of them. */
interface Kind {
  readonly nodes: readonly OwnRuns['manager'][]
  readonly clock: HeldClock
  stop(): Promise<void>
}

/** Few ended runs are retained, and for a short time, so that runs go while a list is read. */
const few = { maxFinishedRuns: 4, finishedRunTtlMs: 40_000 }

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  async memory() {
    const clock = new HeldClock()
    const manager = new RunManager(runOptions(clock, few))
    return { nodes: [manager], clock, stop: async () => manager.close() }
  },
  async sqlite() {
    const clock = new HeldClock()
    const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
    const { runs, errors, stop } = await openSqliteRuns(join(folder, 'sync.db'), clock, few)
    return {
      nodes: [runs],
      clock,
      async stop() {
        await stop()
        rmSync(folder, { recursive: true })
        assert.equal(errors, [])
      },
    }
  },
  async cluster() {
    const clock = new HeldClock()
    const shared = new MemoryRuns()
    const nodes = [0, 1].map(() => storedRuns(shared.node(), clock, few))
    return {
      nodes,
      clock,
      stop: async () => {
        for (const one of nodes) one.close()
      },
    }
  },
}

const owners: readonly RunOwner[] = [
  { tenant_id: 'acme', user_id: 'ann' },
  { tenant_id: 'acme', user_id: 'bob' },
  { tenant_id: null, user_id: 'ann' },
  { tenant_id: 'zürich', user_id: null },
]

type Step =
  | { readonly do: 'create' | 'end'; readonly owner: number; readonly run: number }
  | { readonly do: 'wait'; readonly ms: number }

/**
 * Steps, `waits` of ten of which let time pass. In the others time stands still, so that many runs have the same time.
 */
const stepOf = (waits: number): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 6 - waits,
      arbitrary: fc.record({ do: fc.constant('create' as const), owner: fc.nat(3), run: fc.nat(5) }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), owner: fc.nat(3), run: fc.nat(5) }) },
    {
      weight: waits,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 50_000) }),
    },
  )

const query: fc.Arbitrary<RunsQuery> = fc.record(
  {
    status: fc.constantFrom<RunStatus>('running', 'failed'),
    thread_id: fc.constantFrom('even', 'odd'),
    limit: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['limit'] },
)

const whose: fc.Arbitrary<RunOwners> = fc.constantFrom<RunOwners[]>(
  { tenant_id: 'acme', user_id: 'ann' },
  { tenant_id: 'acme' },
  { user_id: 'ann' },
  { tenant_id: null },
  {},
)

/** What a step is answered. A refusal is an answer too: a run that exists already, or has ended. */
async function take({ nodes, clock }: Kind, one: Step, at: number): Promise<string> {
  const node = nodes[at % nodes.length]!
  if (one.do === 'wait') {
    await clock.advance(one.ms)
    // A timer writes to the store, and a write ends in a later turn of the event loop.
    for (let turn = 0; turn < 10; turn++) await clock.advance(0)
    return 'taken'
  }
  const owner = owners[one.owner]!
  const run_id = `r${one.run}`
  const error = { type: 'RUN_ERROR', message: 'x' }
  return codeOf(() =>
    one.do === 'create'
      ? node.create(owner, { run_id, thread_id: one.run % 2 === 0 ? 'even' : 'odd' })
      : node.append(owner, run_id, [{ type: 'RUN_STARTED', threadId: 't', runId: run_id }, error]),
  )
}

const all = (what: 'create' | 'end', runs: readonly number[]): Step[] =>
  runs.map((run) => ({ do: what, owner: 0, run }))

/** A run as its place in a list and its epoch name it: a run that was made anew under an old name is another one. */
const nameOf = ({ created_at_ms, owner, run_id, epoch }: RunRecord): string =>
  JSON.stringify([created_at_ms, owner.tenant_id, owner.user_id, run_id, epoch])

const namesOf = (runs: readonly RunRecord[]): readonly string[] => runs.map(nameOf)

for (const [kind, start] of Object.entries(kinds))
  test(`${kind}: pages never repeat a run, and never leave one out that stayed`, async () => {
    const seen = { pages: 0, gone: 0, stayed: 0 }
    await fc.assert(
      fc.asyncProperty(
        whose,
        query,
        fc.array(stepOf(1), { minLength: 8, maxLength: 40 }),
        fc.array(fc.array(stepOf(3), { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
        async (of, wanted, before, between) => {
          const own = await start()
          try {
            let at = 0
            const go = async (steps: readonly Step[]): Promise<void> => {
              for (const one of steps) await take(own, one, at++)
            }
            const read = async (given: RunsQuery) => own.nodes[at++ % own.nodes.length]!.page(of, given)
            const { limit = 0, ...filter } = wanted
            const whole = async (): Promise<readonly string[]> => namesOf((await read(filter)).runs)
            await go(before)
            let stayed = await whole()
            const first = stayed
            const listed: RunRecord[] = []
            for (let cursor: string | null | undefined; cursor !== null; ) {
              const page = await read({ ...wanted, ...(cursor !== undefined && { before: cursor }) })
              assert.ok(page.runs.length <= limit)
              if (page.next !== null) assert.is(page.runs.length, limit, 'only the last page is short')
              listed.push(...page.runs)
              cursor = page.next
              seen.pages++
              await go(between.shift() ?? [])
              const now = new Set(await whole())
              stayed = stayed.filter((name) => now.has(name))
            }
            const names = namesOf(listed)
            assert.is(new Set(names).size, names.length, 'no run twice')
            assert.equal(
              stayed.filter((name) => !names.includes(name)),
              [],
              'no run left out',
            )
            for (const [index, run] of listed.entries())
              assert.ok(index === 0 || run.created_at_ms <= listed[index - 1]!.created_at_ms, 'newest first')
            seen.gone += first.length - stayed.length
            seen.stayed += stayed.length
          } finally {
            await own.stop()
          }
        },
      ),
      {
        numRuns: countOf({ quick: kind === 'sqlite' ? 15 : 60, deep: 1_000 }),
        examples: [
          [{}, { limit: 1 }, [...all('create', [0, 1, 2, 3, 4, 5]), ...all('end', [0, 1, 2, 3])], [all('end', [4, 5])]],
        ],
      },
    )
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `${what}: ${count}`)
  })

test('memory, SQLite and a cluster give the same pages for the same calls', async () => {
  const steps = fc.array(
    stepOf(1).filter((one) => one.do !== 'wait' || one.ms < 50_000),
    { minLength: 8, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(whose, query, steps, async (of, wanted, given) => {
      const all = await Promise.all(Object.values(kinds).map((start) => start()))
      try {
        const answers: unknown[][] = []
        for (const own of all) {
          const got: unknown[] = []
          for (const [at, one] of given.entries()) got.push(await take(own, one, at))
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const node = own.nodes[got.length % own.nodes.length]!
            const page = await node.page(of, { ...wanted, ...(cursor !== undefined && { before: cursor }) })
            // In memory the epoch is that of the process.
            got.push({ ...page, runs: page.runs.map(({ epoch: _, ...run }) => run) })
            cursor = page.next
          }
          answers.push(got)
        }
        for (const other of answers.slice(1)) assert.equal(other, answers[0])
      } finally {
        for (const own of all) await own.stop()
      }
    }),
    { numRuns: countOf({ quick: 20, deep: 500 }) },
  )
})

test('a cursor is refused unless it is one that a page gave', async () => {
  const { nodes, stop } = await kinds['memory']!()
  const node = nodes[0]!
  for (const run_id of ['a', 'b']) await node.create(owners[0]!, { run_id })
  const { next } = await node.page({}, { limit: 1 })
  assert.ok(next !== null)
  const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const wrong = [
    '',
    'x',
    `${next}=`,
    `${next}A`,
    next.slice(0, -2),
    text(7),
    text([]),
    text([1, 'acme', 'ann']),
    text([1.5, 'acme', 'ann', 'a']),
    text(['1', 'acme', 'ann', 'a']),
    text([1, 7, 'ann', 'a']),
    text([1, 'acme', 'ann', null]),
    text([1, 'acme', 'ann', 'a', 'b']),
    text([1, 'acme', 'ann', 'a\n']),
    Buffer.from('[1, "acme", "ann", "a"]').toString('base64url'),
    Buffer.from([0xff, 0xfe]).toString('base64url'),
  ]
  for (const before of wrong) assert.is(await codeOf(() => node.page({}, { before })), 'malformed_request', before)
  assert.equal(
    (await node.page({}, { before: next })).runs.map(({ run_id }) => run_id),
    ['a'],
  )
  await stop()
})

test.run()
