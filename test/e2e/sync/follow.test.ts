/** Following and searching boards on a service in this process, over its socket. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { createDeviceKey, type HeldDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import type { PatchOperation } from '../../../plugins/realtime/runs/patch/json-patch.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'
import { naivePatch } from '../../unit/realtime/naive-patch.ts'
import type { Signer } from '../../unit/sync/platforms.ts'
import { type Daemon, type DaemonOptions, startDaemon, stopDaemons } from './daemon.ts'

test.after.each(stopDaemons)

const STREAM = '/api/v1/agent-ui/projects/demo/stream'
const [boardId, columnId, commentId] = [uuidOf(1), uuidOf(2), uuidOf(4)]

interface Event {
  readonly type: string
  readonly threadId?: string
  readonly runId?: string
  readonly snapshot?: Project
  readonly delta?: readonly PatchOperation[]
  readonly name?: string
  readonly value?: unknown
}

interface Service extends Daemon {
  readonly key: HeldDeviceKey
  project(): Promise<Project>
  /** Enters a command on the current heads, or on other parents. */
  enter(command: Command, parents?: readonly string[]): Promise<string>
  put(text: string): Promise<string>
}

async function start(options?: DaemonOptions): Promise<Service> {
  const daemon = await startDaemon(options)
  const key = await createDeviceKey()
  await daemon.enrol({ publicKey: key.publicKey } as Signer, ['kbd-control:demo'])
  const project = async (): Promise<Project> =>
    (await daemon.send({ path: '/api/v1/kbd/projects/demo' })).json() as unknown as Project
  return {
    ...daemon,
    key,
    project,
    async enter(command, parents) {
      const envelope = await signCommand(key, {
        project: 'demo',
        command,
        parents: parents ?? (await project()).frontier.heads,
      })
      const reply = await daemon.send({
        method: 'POST',
        path: '/api/v1/kbd/projects/demo/commands',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(envelope),
      })
      assert.is(reply.status, 201, reply.text)
      return reply.json()['id'] as string
    },
    async put(text) {
      const hash = createHash('sha256').update(text).digest('hex')
      const reply = await daemon.send({
        method: 'PUT',
        path: `/api/v1/kbd/content/${hash}`,
        headers: { 'content-type': 'application/octet-stream' },
        body: text,
      })
      assert.is(reply.status, 201, reply.text)
      return hash
    },
  }
}

/** Opens a stream. The returned function returns its events one by one, and undefined at its end. */
async function follow(service: Daemon, path = STREAM): Promise<() => Promise<Event | undefined>> {
  const answer = await service.open({ path })
  assert.is(answer.statusCode, 200)
  assert.is(answer.headers['content-type'], 'text/event-stream; charset=utf-8')
  const chunks = answer.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
  let text = ''
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await chunks.next()
        if (done === true) return undefined
        text += value
        continue
      }
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      assert.not.match(block, /^id:/m)
      if (block.startsWith('data: ')) return JSON.parse(block.slice(6)) as Event
    }
  }
}

test('a follower has the board after every command, gets conflicts, and gets an event at the end of the stream', async () => {
  const service = await start()
  const next = await follow(service)
  const opening = (await next())!
  assert.equal([opening.type, opening.threadId], ['RUN_STARTED', 'demo'])
  let state = (await next())!.snapshot!
  assert.equal(state, await service.project())
  assert.is(state.root, null, 'a project without commands can be followed')

  const conflictEvents: Event[] = []
  const applyNext = async (): Promise<void> => {
    const { type, delta } = (await next())!
    assert.is(type, 'STATE_DELTA')
    state = naivePatch(state, delta!)!.value as Project
    assert.equal(state, await service.project())
    for (let n = Object.keys(state.conflicts).length - conflictEvents.length; n > 0; n--)
      conflictEvents.push((await next())!)
  }
  await service.enter({ type: 'board.create', boardId, title: 'B' })
  await applyNext()
  const heads = [await service.enter({ type: 'column.create', boardId, columnId, title: 'C', rank: 'a' })]
  await applyNext()
  await service.enter({ type: 'column.update', columnId, title: 'one' }, heads)
  await applyNext()
  await service.enter({ type: 'column.update', columnId, title: 'two' }, heads)
  await applyNext()
  const [conflict] = Object.values(state.conflicts)
  assert.equal(conflictEvents, [{ type: 'CUSTOM', name: 'svc.kbd.conflict', value: conflict }])

  const late = await follow(service)
  const again = (await late())!
  assert.is(again.type, 'RUN_STARTED')
  assert.is.not(again.runId, opening.runId)
  assert.equal((await late())!.snapshot, state)
  await service.stop()
  for (const [read, { runId }] of [
    [next, opening],
    [late, again],
  ] as const) {
    assert.equal(await read(), { type: 'RUN_FINISHED', threadId: 'demo', runId })
    assert.is(await read(), undefined)
  }
})

test('written texts are found, also after a restart, and redacted texts are not', async () => {
  const service = await start()
  const find = async (of: Daemon, query: string): Promise<string[]> => {
    const reply = await of.send({ path: `/api/v1/search?${query}` })
    assert.is(reply.status, 200, reply.text)
    return (reply.json()['results'] as { kind: string; id: string }[]).map(({ kind, id }) => `${kind} ${id}`)
  }
  await service.enter({ type: 'board.create', boardId, title: 'Kitchen garden' })
  await service.enter({ type: 'column.create', boardId, columnId, title: 'Sowing', rank: 'a' })
  const cardId = uuidOf(3)
  await service.enter({ type: 'card.create', cardId, boardId, columnId, rank: 'a', title: 'Carrots' })
  const bodyHash = createHash('sha256').update('under the fleece').digest('hex')
  await service.enter({ type: 'comment.add', commentId, cardId, bodyHash })
  assert.equal(await find(service, 'q=fleece'), [])
  await service.put('under the fleece')
  assert.equal(await find(service, 'q=fleece+under&project=demo'), [`comment ${commentId}`])
  assert.equal(await find(service, 'q=GARDEN'), [`board ${boardId}`])
  const { frontier } = await service.project()
  const scoped = await service.send({ path: '/api/v1/search?q=carrots&project=demo' })
  assert.equal(scoped.json()['frontier'], frontier)
  await service.stop()

  const again = await start({ folder: service.folder })
  assert.equal(await find(again, 'q=fleece'), [`comment ${commentId}`])
  await again.enter({ type: 'comment.redact', commentId })
  assert.equal(await find(again, 'q=fleece'), [])
  for (const [query, status, code] of [
    ['', 422, 'search_query_invalid'],
    ['q=x&kind=link', 400, 'malformed_request'],
    ['q=x&limit=101', 400, 'malformed_request'],
    ['q=x&project=nowhere', 404, 'project_not_found'],
  ] as const) {
    const reply = await again.send({ path: `/api/v1/search?${query}` })
    assert.equal([reply.status, reply.json().error?.code], [status, code], query)
  }
})

test.run()
