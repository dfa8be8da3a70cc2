/** Two terminals write to one board of the shipped program. Each gets the cards of the other on its stream. */
import { sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Claim, Conflict, Project } from '../../../plugins/kbd/api.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { unless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createSigner, type Signer } from '../../unit/sync/platforms.ts'
import { sendTo } from '../sync/daemon.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createNode, type TestNode } from './node.ts'

const test = suite('two terminals')
const it = unless(test, unbuilt)

/** Enrols a device at the node, with its key in a file as created by `device keygen`. */
async function enrol(node: TestNode, name: string, scope: string): Promise<{ key: readonly string[]; signer: Signer }> {
  const signer = createSigner()
  const file = join(node.folder, `${name}.key`)
  writeFileSync(file, signer.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  const { createPublicKey } = process.getBuiltinModule('node:crypto')
  writeFileSync(`${file}.pub`, createPublicKey(signer.privateKey).export({ format: 'pem', type: 'spki' }))
  await node.svc('device', 'enroll', '--key', `${file}.pub`, '--scope', scope)
  return { key: ['--key', file], signer }
}

/** Follows the board. `seen` returns everything that the stream has sent so far. */
function follow(socketPath: string): { seen(): string; end(): void } {
  let seen = ''
  const stream = request({ socketPath, path: '/api/v1/agent-ui/projects/demo/stream', agent: false }, (answer) => {
    answer.setEncoding('utf8').on('data', (chunk) => (seen += String(chunk)))
  }).end()
  stream.on('error', () => undefined)
  return { seen: () => seen, end: () => void stream.destroy() }
}

it('two terminals write at once and see the cards of each other, a claim is forced, and a conflict is resolved', async () => {
  const node = createNode()
  const { svc, fails } = node
  await node.start()
  const streams: { end(): void }[] = []
  try {
    const ada = await enrol(node, 'ada', 'kbd-control:demo')
    const bob = await enrol(node, 'bob', 'kbd-control:demo#claim,card,claim.force,conflict.resolve')
    const eve = await enrol(node, 'eve', 'kbd-control:demo#claim,card')
    await svc('board', 'add', ...ada.key, '--board', 'Shared', '--columns', 'To do,Done')
    const [atAda, atBob] = [follow(node.socketPath), follow(node.socketPath)]
    streams.push(atAda, atBob)
    await waitFor('both streams have begun', () =>
      [atAda, atBob].every(({ seen }) => seen().includes('STATE_SNAPSHOT')),
    )
    const write = async (name: string, key: readonly string[]): Promise<void> => {
      for (const n of [1, 2, 3]) await svc('board', 'add', ...key, `${name} ${n}`)
    }
    await Promise.all([write('Of ada', ada.key), write('Of bob', bob.key)])
    const titles = ['Of ada', 'Of bob'].flatMap((name) => [1, 2, 3].map((n) => `${name} ${n}`))
    for (const { seen } of [atAda, atBob])
      await waitFor('each sees all cards', () => titles.every((title) => seen().includes(`"${title}"`)))
    const project = async (): Promise<Project> => JSON.parse(await svc('board', 'show', '--json')) as Project
    const now = await project()
    assert.equal(
      Object.values(now.cards)
        .map(({ title }) => title)
        .sort(),
      titles,
    )
    assert.is(now.revision, 9)

    // Only a device with the verb claim.force in its scope may take over a held card.
    await svc('board', 'claim', ...ada.key, 'Of ada 1')
    assert.match(await fails('board', 'claim', ...bob.key, 'Of ada 1'), /409 claim_held/)
    assert.match(await fails('board', 'claim', ...eve.key, 'Of ada 1', '--force'), /403 signer_not_in_scope/)
    const claim = JSON.parse(await svc('board', 'claim', ...bob.key, 'Of ada 1', '--force', '--json')) as Claim
    assert.equal([claim.state, claim.deviceId, claim.generation], ['held', bob.signer.keyId, 2])

    // Two concurrent titles, as from two devices that did not see each other's commands.
    const { frontier, cards } = await project()
    const { cardId } = Object.values(cards).find(({ title }) => title === 'Of bob 1')!
    for (const [n, { signer }] of [ada, bob].entries()) {
      const key = { ...signer, sign: (message: Uint8Array) => sign(null, message, signer.privateKey) }
      const command = { type: 'card.update', cardId, title: `Title ${n}` } as const
      const envelope = await signCommand(key, { project: 'demo', command, parents: frontier.heads })
      const path = '/api/v1/kbd/projects/demo/commands'
      const headers = { 'content-type': 'application/json' }
      const reply = await sendTo(
        { socketPath: node.socketPath },
        { method: 'POST', path, headers, body: JSON.stringify(envelope) },
      )
      assert.is(reply.status, 201, reply.text)
    }
    const [conflict] = JSON.parse(await svc('board', 'conflicts', '--json')) as Conflict[]
    assert.is(conflict!.register, `card/${cardId}/title`)
    const name = conflict!.conflictId.slice(0, 12)
    assert.match(await fails('board', 'resolve', ...eve.key, name, '--value', 'x'), /403 signer_not_in_scope/)
    await svc('board', 'resolve', ...bob.key, name, '--value', 'Settled')
    const settled = await project()
    assert.equal([settled.cards[cardId]!.title, settled.conflicts], ['Settled', {}])
    for (const { seen } of [atAda, atBob]) {
      await waitFor('the conflict is reported', () => seen().includes('svc.kbd.conflict'))
      await waitFor('the resolution is reported', () => seen().includes('"Settled"'))
    }
  } finally {
    for (const stream of streams) stream.end()
    await node.stop()
  }
})

test.run()
