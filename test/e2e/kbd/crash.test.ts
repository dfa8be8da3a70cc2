/**
 * The service is killed during commands and pushes: every acknowledged one exists exactly once, and the board matches
 * its commands.
 */
import { createHash, randomUUID, sign } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope, Project } from '../../../plugins/kbd/api.ts'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, toBase64 } from '../../../plugins/protocol/codecs.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { toDriver } from '../../../plugins/sync/store-sqlite/sqlite-driver.ts'
import { countOf } from '../../support/count.ts'
import { unless } from '../../support/skip.ts'
import { createFolder, createServer, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, sendTo } from '../sync/daemon.ts'
import { isLostConnection, startShipped, unbuilt, untilHealthy } from '../sync/shipped.ts'

const test = suite('boards under kill -9')
const it = unless(test, unbuilt)

/** The number of kills. */
const ROUNDS = countOf({ quick: 4, deep: 40, variable: 'SVC_KBD_KILLS' })
const LANES = 4
/** The maximum time between the first acknowledgement of a run and the kill, in milliseconds. */
const LONGEST_LIFE_MS = 60

interface Sent {
  readonly id: string
  readonly body: string
}

const crash = async (): Promise<void> => {
  const folder = createFolder()
  const at = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
  const socket = { socketPath: at.socketPath }
  const alice = createSigner()
  const before = createServer({ path: storagePath(at.state) })
  await before.enrol(alice, ['kbd-control:demo'])
  await before.close()
  const key = { ...alice, sign: (message: Uint8Array) => sign(null, message, alice.privateKey) }
  const boardId = randomUUID()
  const path = '/api/v1/kbd/projects/demo/commands'
  const headers = { 'content-type': 'application/json' }
  const commands = new Map<string, { readonly body: string; readonly id: string }>()
  const pushes = new Map<string, { readonly body: string; readonly text: string }>()
  let unanswered: Sent[] = []
  let root: string | undefined

  const make = async (command: Command): Promise<Sent> => {
    const envelope: CommandEnvelope = await signCommand(key, {
      project: 'demo',
      command,
      parents: root === undefined ? [] : [root],
    })
    return { id: envelope.commandId, body: JSON.stringify(envelope) }
  }
  const post = (body: string): Promise<Reply> => sendTo(socket, { method: 'POST', path, headers, body })
  const accept = ({ id, body }: Sent, reply: Reply): void => {
    assert.ok(reply.status === 201 || reply.status === 200, `${reply.status} ${reply.text}`)
    const answer = reply.json() as unknown as { id: string; commandId: string }
    assert.is(answer.commandId, id)
    const known = commands.get(id)
    assert.ok(known === undefined || known.id === answer.id)
    commands.set(id, { body, id: answer.id })
  }

  const runService = async (withKill: boolean): Promise<void> => {
    const child = startShipped(at)
    await untilHealthy(child, at)
    if (root === undefined) {
      const first = await make({ type: 'board.create', boardId, title: 'Crash' })
      const reply = await post(first.body)
      accept(first, reply)
      root = String(reply.json()['id'])
    }
    // Unanswered commands are sent again: they are accepted now, or answered as a replay of the stored command.
    for (const sent of unanswered) accept(sent, await post(sent.body))
    unanswered = []
    let killed = false
    let isKillScheduled = false
    const scheduleKill = (): void => {
      if (isKillScheduled) return
      isKillScheduled = true
      setTimeout(() => {
        killed = true
        child.kill('SIGKILL')
      }, Math.random() * LONGEST_LIFE_MS)
    }
    const lane = async (n: number): Promise<void> => {
      while (!killed) {
        try {
          if (n === 0) {
            const requestId = randomUUID()
            const body = new TextDecoder().decode(signed(alice, { issuedAtMs: Date.now(), requestId }))
            const reply = await sendTo(socket, pushOf(body))
            assert.is(reply.status, 201, reply.text)
            pushes.set(requestId, { body, text: reply.text })
          } else {
            // Each lane reads the frontier separately, so that some commands are concurrent.
            const { frontier } = (
              await sendTo(socket, { path: '/api/v1/kbd/projects/demo' })
            ).json() as unknown as Project
            const command: Command = { type: 'board.update', boardId, title: `${n} ${commands.size}` }
            const envelope = await signCommand(key, { project: 'demo', command, parents: frontier.heads })
            const sent = { id: envelope.commandId, body: JSON.stringify(envelope) }
            unanswered.push(sent)
            accept(sent, await post(sent.body))
            unanswered = unanswered.filter((one) => one !== sent)
          }
          scheduleKill()
        } catch (error) {
          if (killed && isLostConnection(error)) return
          throw error
        }
      }
    }
    if (withKill) {
      await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)))
      await child.exited
      return
    }
    const known = new Map<string, number>()
    for (let after = ''; ; ) {
      const page = (await sendTo(socket, { path: `${path}?limit=1000${after}` })).json() as {
        commands: { id: string; envelope: CommandEnvelope }[]
        next: string | null
      }
      for (const { envelope } of page.commands) known.set(envelope.commandId, (known.get(envelope.commandId) ?? 0) + 1)
      if (page.next === null) break
      after = `&after=${page.next}`
    }
    for (const id of commands.keys())
      assert.is(known.get(id), 1, `${id} was acknowledged and is there ${known.get(id)} times`)
    assert.equal([...known.keys()].sort(), [...commands.keys()].sort(), 'there are only acknowledged commands')
    for (const { body, text } of pushes.values()) {
      const again = await sendTo(socket, pushOf(body))
      assert.equal([again.status, again.text], [200, text])
    }
    const verdict = (await sendTo(socket, { path: '/api/v1/audit/verify' })).json()
    assert.equal([verdict['ok'], verdict['firstBad']], [true, null])
    await child.stop()
  }

  for (let round = 0; round < ROUNDS; round++) await runService(true)
  await runService(false)
  assert.ok(commands.size > ROUNDS && pushes.size > 0, `${commands.size} commands and ${pushes.size} pushes`)

  const database = new DatabaseSync(storagePath(at.state), { readOnly: true })
  const scratch = new DatabaseSync(':memory:')
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  const damage = checkKbd(
    {
      driver: toDriver(database),
      codecs: { sha256, canonicalText, toBase64, fromBase64 },
      limits: defaultLimits,
      audit: { append: (fact) => ({ ...fact, seq: 0, hash: '' }) },
    },
    toDriver(scratch),
  )
  assert.is(damage, undefined, 'the stored state equals the fold of its commands')
  const [audited] = database
    .prepare("SELECT count(*) AS count FROM audit WHERE kind IN ('command', 'push') AND outcome = 'ok'")
    .all() as { count: number }[]
  assert.ok(audited!.count >= commands.size + pushes.size, 'each has an entry')
  database.close()
  scratch.close()
}

it(
  `${ROUNDS} kills: no acknowledged command or push is lost or duplicated, the audit chain is intact, and the stored state is right`,
  crash,
)

test.run()
