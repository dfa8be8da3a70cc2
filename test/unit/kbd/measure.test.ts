/** Telemetry of boards: gauges per project, and measurements of commands. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGauges, createMeasure, type GaugeParts, type MeasureParts } from '../../../plugins/kbd/api/measure.ts'
import type { Entered } from '../../../plugins/kbd/engine/engine.ts'
import { fail } from '../../../plugins/kbd/errors.ts'
import { drivers, openNode, START_MS } from './boards.ts'
import { step, tell } from './story.ts'

const open = drivers['node:sqlite']!

const unused = (): void => assert.unreachable()

/** The gauges of projects; `report` gets both values of a project. */
function gaugesTo(report: (project: string, heads: number, conflicts: number) => void): GaugeParts['metrics'] {
  let heads = 0
  const rest = { enabled: true, move: unused, begin: unused, sample: unused }
  return {
    heads: { ...rest, set: (_, value) => void (heads = value) },
    conflicts: { ...rest, set: ({ project }, value) => report(project, heads, value) },
  }
}

test('the gauges of a project equal its counts after every command and after a restart', async () => {
  let [run, most] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const nodes = [openNode(open), openNode(open), openNode(open)]
      const { commands } = tell(nodes, { project: 'demo', run: ++run }, steps)
      for (const { driver } of nodes) driver.close()
      const { ledger, driver } = openNode(open)
      const reported: { heads: number; conflicts: number }[] = []
      const metrics = gaugesTo((_, heads, conflicts) => void reported.push({ heads, conflicts }))
      const boards = {
        projects: async () => ['demo'],
        read: async <T>(work: (reads: typeof ledger, driver: never) => T): Promise<T> =>
          work(ledger, undefined as never),
      }
      const parts = { boards, metrics, pause: async () => {}, failed: () => assert.unreachable() }
      const gauges = createGauges(parts)
      await gauges.start()
      for (let at = 0; at < commands.length; at += 3) {
        const group = commands.slice(at, at + 3).map((command) => ledger.admit(command, START_MS + 86_400_000)!)
        // Commands of one commit may be reported in another order than they have in the graph.
        for (const applied of at % 2 === 0 ? group : group.reverse()) gauges.applied(applied, applied)
        const conflicts = ledger.conflictIds('demo').length
        assert.equal(reported.at(-1), { heads: ledger.standing('demo').headCount, conflicts })
        most = Math.max(most, conflicts)
      }
      const last = reported.at(-1)
      await createGauges(parts).start()
      assert.equal(reported.at(-1), last)
      driver.close()
    }),
    { numRuns: 20, seed: 5 },
  )
  assert.ok(most > 2, `${most} conflicts at most`)
})

test('commands that arrive while the projects are read are counted once', async () => {
  const reported: [string, number, number][] = []
  const standings = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  let onPause = async (): Promise<void> => {}
  const gauges = createGauges({
    boards: {
      projects: async () => ['a', 'b', 'c'],
      read: async (work) =>
        work(
          {
            standing: (project: string) => ({ revision: standings.get(project)!, headCount: 1 }),
            // Each command adds a conflict.
            conflictIds: (project: string) => {
              if (project === 'c') throw new Error('the disk')
              return Array.from({ length: standings.get(project)! }, String)
            },
          } as never,
          undefined as never,
        ),
    },
    metrics: gaugesTo((...one) => void reported.push(one)),
    pause: () => onPause(),
    failed: (error) => void reported.push([(error as Error).message, 0, 0]),
  })
  const commit = (project: string): number => {
    const revision = (standings.get(project) ?? 0) + 1
    standings.set(project, revision)
    return revision
  }
  const notify = (project: string, revision: number): void =>
    gauges.applied({ project, changes: [], opened: ['1'], revision } as never, { headCount: 2 } as never)
  const late = commit('a')
  const started = gauges.start()
  notify('new', commit('new'))
  const pauses = [
    // `new` is applied before the list of projects is read.
    () => notify('b', commit('b')),
    () => {
      notify('a', late)
      notify('a', commit('a'))
    },
    () => notify('b', commit('b')),
  ]
  onPause = async () => pauses.shift()?.()
  await started
  notify('newer', commit('newer'))
  assert.equal(reported, [
    ['new', 1, 1],
    ['a', 1, 2],
    ['a', 2, 3],
    ['b', 1, 2],
    ['b', 2, 3],
    ['the disk', 0, 0],
    ['newer', 2, 1],
  ])
})

test('reading the projects ends when the service stops', async () => {
  let reads = 0
  const gauges = createGauges({
    boards: { projects: async () => ['a', 'b'], read: async () => void reads++ as never },
    metrics: gaugesTo(() => assert.unreachable()),
    pause: async () => gauges.stop(),
    failed: () => assert.unreachable(),
  })
  await gauges.start()
  assert.is(reads, 1)
})

test('a command is measured by its type and its outcome; unknown types count as "unknown"', async () => {
  const reported: unknown[] = []
  const spans: string[] = []
  const rest = { enabled: true, begin: () => assert.unreachable() }
  let labels: unknown[] = []
  const metrics: MeasureParts['metrics'] = {
    commands: { ...rest, add: ({ type, outcome }) => void (labels = [type, outcome]) },
    commandSeconds: { ...rest, observe: (_, seconds) => void reported.push([...labels, seconds]) },
  }
  let nowMs = 0
  const tracing = {
    start: (): never => {
      throw new Error('stages alone')
    },
    staged: (name: string) => {
      spans.push(name)
      return {
        stage: (stage: string) => void spans.push(stage),
        end: (attributes?: object) => void spans.push(JSON.stringify(attributes)),
      }
    },
  }
  const measured = createMeasure({ metrics, tracing, monotonic: () => (nowMs += 500) })
  const entered = { status: 201 } as Entered
  await measured({ trace: undefined }, async (onStage) => {
    onStage('admit')
    onStage('verify', 'card.move')
    return entered
  })
  await measured({ trace: undefined }, async () => ({ ...entered, status: 200 }))
  const refused = measured({ trace: undefined }, async (onStage) => {
    onStage('verify', 'toString')
    throw fail('command_invalid')
  })
  assert.is(await refused.catch((error) => error.code), 'command_invalid')
  const broken = measured({ trace: undefined }, () => Promise.reject(new Error('no')))
  assert.is(await broken.catch((error) => error.message), 'no')
  assert.equal(reported, [
    ['card.move', 'created', 0.5],
    ['unknown', 'replayed', 0.5],
    ['unknown', 'command_invalid', 0.5],
    ['unknown', 'internal_error', 0.5],
  ])
  assert.equal(spans.slice(0, 4), [
    'command',
    'admit',
    'verify',
    '{"command.type":"card.move","command.outcome":"created"}',
  ])
})

test.run()
