/** Compares the patches of a followed board with the board itself after each command, on the real engine. */
import { EventSchemas } from '@ag-ui/core/schemas'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventsOf, runFinished, runStarted, SNAPSHOT_EVENT } from '../../../plugins/kbd/agent-ui/events.ts'
import { createMirror } from '../../../plugins/kbd/agent-ui/mirror.ts'
import type { Command, Conflict, Project } from '../../../plugins/kbd/api.ts'
import type { PatchOperation } from '../../../plugins/realtime/runs/patch/json-patch.ts'
import { countOf } from '../../support/count.ts'
import { naivePatch } from '../realtime/naive-patch.ts'
import { drivers, openNode, proven, START_MS, snapshotOf, uuidOf } from './boards.ts'
import { step, tell } from './story.ts'

const RUNS = countOf({ quick: 20, deep: 60, variable: 'SVC_FUZZ_RUNS' })
const open = drivers['node:sqlite']!

const stateSnapshot = (text: string): string => SNAPSHOT_EVENT.join(text)

/** A client that only gets the events. */
interface Follower {
  readonly take: (texts: readonly string[]) => readonly { readonly type: string; readonly value?: unknown }[]
  state(): unknown
}

function createFollower(): Follower {
  let state: unknown
  return {
    state: () => state,
    take: (texts) =>
      texts.map((text) => {
        assert.not.match(text, /[\r\n]/)
        const event = EventSchemas.parse(JSON.parse(text)) as {
          type: string
          snapshot?: unknown
          delta?: PatchOperation[]
        }
        if (event.type === 'STATE_SNAPSHOT') state = event.snapshot
        if (event.type === 'STATE_DELTA') {
          const patched = naivePatch(state, event.delta!)
          assert.ok(patched, `applies: ${text}`)
          state = patched.value
        }
        return event
      }),
  }
}

test('a follower has the current board after every command', () => {
  let run = 0
  const seen = { conflicts: 0, removed: 0, unplaced: 0, quiet: 0 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 80 }), fc.nat(), (steps, entry) => {
      run += 1
      const nodes = [openNode(open), openNode(open), openNode(open)]
      const story = tell(nodes, { project: 'demo', run }, steps)
      for (const { driver } of nodes) driver.close()
      // The same commands on another node, which is followed from a random command on.
      const node = openNode(open)
      const from = entry % story.commands.length
      let follower: Follower | undefined
      let mirror = createMirror(snapshotOf(node.ledger, 'demo'))
      for (const [index, command] of story.commands.entries()) {
        if (index === from) {
          const text = node.ledger.snapshotText('demo')
          mirror = createMirror(snapshotOf(node.ledger, 'demo'))
          follower = createFollower()
          follower.take([runStarted('demo', uuidOf(run)), stateSnapshot(text)])
        }
        const applied = node.ledger.admit(command, START_MS + 86_400_000)!
        if (follower === undefined) continue
        const known = new Set(Object.keys((follower.state() as Project).conflicts))
        const texts = eventsOf(mirror, applied)!
        const events = follower.take(texts)
        const now = node.ledger.snapshot('demo')
        assert.equal(follower.state(), now)
        assert.equal(
          events.map(({ type }) => type),
          ['STATE_DELTA', ...applied.opened.map(() => 'CUSTOM')],
        )
        const conflicts = events.slice(1).map(({ value }) => value as Conflict)
        assert.equal(
          conflicts.map(({ conflictId }) => conflictId).sort(),
          Object.keys(now.conflicts).filter((id) => !known.has(id)),
        )
        for (const conflict of conflicts) assert.equal(conflict, now.conflicts[conflict.conflictId])
        assert.is(mirror.revision, now.revision)
        assert.is(eventsOf(mirror, applied), undefined, 'each command gives events once')
        seen.conflicts += conflicts.length
        seen.removed += texts[0]!.includes('"remove"') ? 1 : 0
        seen.unplaced += texts[0]!.includes('"/unplaced') ? 1 : 0
        seen.quiet += applied.effective ? 0 : 1
      }
      node.driver.close()
    }),
    { numRuns: RUNS, seed: 12 },
  )
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `the stories have ${what}`)
})

test('many unplaced cards are sent as a list, and a few one by one', () => {
  const { ledger, driver } = openNode(open)
  const [boardId, columnId] = [uuidOf(1), uuidOf(2)]
  let heads: readonly string[] = []
  const follower = createFollower()
  const empty = ledger.snapshotText('demo')
  follower.take([stateSnapshot(empty)])
  const mirror = createMirror(snapshotOf(ledger, 'demo'))
  const enter = (command: Command): string => {
    const applied = ledger.enter(proven(command, { parents: heads }), START_MS)
    heads = applied.frontier.heads
    const texts = eventsOf(mirror, applied)!
    follower.take(texts)
    assert.equal(follower.state(), ledger.snapshot('demo'))
    return texts[0]!
  }
  assert.match(enter({ type: 'board.create', boardId, title: 'B' }), '"/root"')
  enter({ type: 'column.create', boardId, columnId, title: 'C', rank: 'a' })
  for (let n = 0; n < 40; n++)
    enter({ type: 'card.create', cardId: uuidOf(100 + n), boardId, columnId, rank: 'a', title: `${n}` })
  assert.match(enter({ type: 'board.archive', boardId, archived: true }), '"op":"replace","path":"/unplaced"')
  assert.not.match(enter({ type: 'column.archive', columnId, archived: true }), '/unplaced')
  enter({ type: 'board.archive', boardId, archived: false })
  enter({ type: 'column.archive', columnId, archived: false })
  assert.equal(ledger.unplaced('demo'), [])
  const lost = enter({ type: 'card.move', cardId: uuidOf(120), boardId, columnId, rank: 'b' })
  assert.not.match(lost, '/unplaced')
  driver.close()
})

test('a missed command is an error', () => {
  const { ledger, driver } = openNode(open)
  const mirror = createMirror(snapshotOf(ledger, 'demo'))
  const first = ledger.enter(proven({ type: 'board.create', boardId: uuidOf(1), title: 'B' }, {}), START_MS)
  const second = ledger.enter(
    proven({ type: 'board.update', boardId: uuidOf(1), title: 'C' }, { parents: [first.id] }),
    START_MS,
  )
  assert.throws(() => mirror.follow(second), RangeError)
  assert.ok(mirror.follow(first))
  assert.ok(mirror.follow(second))
  assert.equal(EventSchemas.parse(JSON.parse(runFinished('demo', uuidOf(1)))).type, 'RUN_FINISHED')
  driver.close()
})

test.run()
