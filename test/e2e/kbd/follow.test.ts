/**
 * The standard AG-UI client follows a board during random commands and cuts. At every step its state equals the board.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { HttpAgent } from '@ag-ui/client'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { waitFor } from '../../support/wait-for.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'
import { commandOf } from '../../unit/kbd/story.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { type Daemon, startDaemon } from '../sync/daemon.ts'
import { enter, envelopeOf, get, PROJECT, post } from './caller.ts'

/** The number of accepted commands. */
const COMMANDS = 300
/** On average one of this many commands is followed by a cut of the connection. */
const CUT_EVERY = 12
const STREAM = '/api/v1/agent-ui/projects/demo/stream'

/** A client that opens the stream again whenever it ends. */
function follow(daemon: Daemon, states: ReadonlyMap<number, Project>) {
  let connection: IncomingMessage | undefined
  let stopped = false
  const seen = { openings: 0, steps: 0, conflicts: new Set<string>(), wrong: [] as string[], revision: -1 }
  const agent = new HttpAgent({
    url: 'http://localhost/',
    fetch: async () => {
      connection = await daemon.open({ path: STREAM })
      seen.openings++
      const body = Readable.toWeb(connection) as ReadableStream<Uint8Array>
      return new Response(body, { status: connection.statusCode!, headers: { 'content-type': 'text/event-stream' } })
    },
  })
  agent.subscribe({
    onStateChanged: ({ state }) => {
      const held = JSON.parse(JSON.stringify(state)) as Project
      seen.steps++
      seen.revision = held.revision
      const expected = states.get(held.revision)
      // The newest revision may arrive before the test has read it.
      if (expected !== undefined && JSON.stringify(sorted(held)) !== JSON.stringify(sorted(expected)))
        seen.wrong.push(`revision ${held.revision}`)
    },
    onCustomEvent: ({ event }) => {
      const { conflictId } = event.value as { conflictId: string }
      seen.conflicts.add(conflictId)
    },
  })
  const done = (async (): Promise<void> => {
    while (!stopped) await agent.runAgent().catch(() => undefined)
  })()
  return {
    seen,
    state: () => JSON.parse(JSON.stringify(agent.state)) as Project,
    cut: () => void connection?.destroy(),
    /** Waits until the client has a revision. */
    async reach(revision: number): Promise<void> {
      await waitFor(`the client has revision ${revision}`, () => seen.revision === revision)
    },
    async stop(): Promise<void> {
      stopped = true
      connection?.destroy()
      await done
    },
  }
}

/** A value with sorted members, because a patch appends members and the text of a project is sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** A random source with the same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test(`${COMMANDS} random commands with cuts: every state of the client equals a state of the board, and no state is missed between cuts`, async () => {
  const { warn, error } = console
  console.warn = console.error = () => {}
  const daemon = await startDaemon()
  const signers = Array.from({ length: 3 }, () => createSigner())
  for (const signer of signers) await daemon.enrol(signer, ['kbd-control:demo'])
  const place = { boardId: uuidOf(0x1000), columnId: uuidOf(0x2000), rank: 'm' }
  const random = createRandom(7)
  const states = new Map<number, Project>()
  const read = async (): Promise<Project> => {
    const project = (await get(daemon, PROJECT)).json() as unknown as Project
    states.set(project.revision, project)
    return project
  }
  const client = follow(daemon, states)
  try {
    let project = await read()
    await client.reach(0)
    const start: readonly Command[] = [
      { type: 'board.create', boardId: place.boardId, title: 'Board' },
      { type: 'column.create', ...place, title: 'To do' },
      { type: 'card.create', ...place, cardId: uuidOf(0x3000), title: 'First' },
    ]
    for (const command of start) {
      await enter(daemon, signers[0]!, command)
      project = await read()
    }
    const opened = new Set<string>()
    let [cuts, older] = [0, project]
    while (project.revision < COMMANDS) {
      const shown = project
      const look = { claims: () => Object.values(shown.claims), conflicts: () => Object.values(shown.conflicts) }
      const command = commandOf(look, random(31), random(4_096), random(4_096))
      // One of three commands is based on an older board.
      const parents = (random(3) === 0 ? older : project).frontier.heads
      const signer = signers[random(3)]!
      const commandId = randomUUID()
      const reply = await post(daemon, await envelopeOf(signer, { command, parents, commandId }))
      if (reply.status !== 201) continue
      if (random(6) === 0) older = project
      project = await read()
      for (const id of Object.keys(project.conflicts)) opened.add(id)
      await client.reach(project.revision)
      assert.equal(client.state(), project, `revision ${project.revision}`)
      if (random(CUT_EVERY) !== 0) continue
      client.cut()
      cuts++
    }
    const { openings, steps, conflicts, wrong } = client.seen
    assert.equal(wrong, [])
    assert.ok(cuts > 10 && openings >= cuts, `${cuts} cuts, ${openings} openings`)
    assert.ok(steps >= COMMANDS, `${steps} steps`)
    assert.ok(conflicts.size >= 10, `${conflicts.size} conflicts`)
    for (const id of conflicts) assert.ok(opened.has(id))
  } finally {
    await client.stop()
    await daemon.stop()
    Object.assign(console, { warn, error })
  }
})

test.run()
