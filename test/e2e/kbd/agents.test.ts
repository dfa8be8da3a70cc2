/**
 * The example agent of the documentation with the shipped program: several agents on one board, some of which are
 * killed or suspended.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createActions } from '../../../plugins/kbd/cli/actions.ts'
import type { BoardActions } from '../../../plugins/kbd/cli/api.ts'
import { openBoard } from '../../../plugins/kbd/cli/client.ts'
import { root } from '../../../scripts/build/paths.ts'
import { until } from '../../../scripts/until.ts'
import { withinLimit } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { withGifts } from '../../support/command-gifts.ts'
import { testManifest } from '../../support/kernels.ts'
import { unless } from '../../support/skip.ts'
import { storeParts } from '../../support/store-parts.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createNode, type TestNode } from './node.ts'

const test = suite('the example agent')
const it = unless(test, unbuilt)
const EXAMPLE = join(root, 'docs/examples/agent')

interface Token {
  readonly cardId: string
  readonly generation: number
}

interface Resource {
  readonly server: Server
  readonly newest: ReadonlyMap<string, { readonly generation: number }>
  readonly works: readonly Token[]
  readonly refused: readonly (Token & { readonly state: string })[]
}

interface Stage {
  readonly node: TestNode
  readonly resource: Resource
  readonly owner: BoardActions
  /** Starts an agent with a separate device that may claim, comment and change cards. */
  start(name: string, workMs: number): Promise<Child>
  end(): Promise<void>
}

/** A service, a resource, and the example in a separate project, as a reader of the documentation would set it up. */
async function setStage(): Promise<Stage> {
  const node = createNode()
  const origin = await node.start()
  const token = await node.svc('token', '--sub', 'robots')
  const project = join(node.folder, 'project')
  cpSync(EXAMPLE, project, { recursive: true })
  const svc = join(project, 'node_modules/svc')
  mkdirSync(svc, { recursive: true })
  writeFileSync(join(svc, 'package.json'), '{"name":"svc","type":"module","exports":{"./sign":"./sign.js"}}')
  const source = join(root, 'plugins/protocol/sign/index.ts')
  await build({ entryPoints: [source], bundle: true, format: 'esm', outfile: join(svc, 'sign.js'), logLevel: 'silent' })

  const { createResource } = (await import(join(EXAMPLE, 'resource.mjs'))) as { createResource(): Resource }
  const resource = createResource()
  await new Promise<void>((done) => resource.server.listen(0, '127.0.0.1', done))
  const { port } = resource.server.address() as AddressInfo

  const enrol = async (name: string, scope: string): Promise<void> => {
    await node.svc('device', 'keygen', '--out', `${name}.key`)
    await node.svc('device', 'enroll', '--key', `${name}.key.pub`, '--scope', scope)
  }
  await enrol('owner', 'kbd-control:demo')
  const io = withGifts({
    environment: {},
    config: undefined,
    manifest: testManifest,
    commands: [],
    storeParts,
    out: () => undefined,
    err: () => undefined,
    setting: () => null,
  })
  const place = { keyFile: join(node.folder, 'owner.key'), project: 'demo', socket: node.socketPath }
  const owner = createActions(openBoard(io, place))
  await owner.addBoard('Release', ['To do', 'Doing', 'Done'])
  const running: Child[] = []
  return {
    node,
    resource,
    owner,
    async start(name, workMs) {
      await enrol(name, 'kbd-control:demo#claim,comment,card')
      const agent = startChild(process.execPath, {
        args: ['agent.mjs', node.socketPath, join(node.folder, `${name}.key`), 'demo', origin, name],
        cwd: project,
        env: {
          ...node.env,
          SVC_TOKEN: token,
          AGENT_RESOURCE: `http://127.0.0.1:${port}`,
          AGENT_LEASE_MS: '10000',
          AGENT_WORK_MS: `${workMs}`,
        },
      })
      running.push(agent)
      await agent.waitFor(/at work/)
      return agent
    },
    async end() {
      for (const agent of running) agent.kill('SIGKILL')
      resource.server.close()
      resource.server.closeAllConnections()
      await node.stop()
    },
  }
}

/** Checks that every card is in the last column, and that each card was done once. */
async function checkDone({ owner, resource }: Stage, cards: readonly string[]): Promise<void> {
  const now = await owner.project()
  const done = owner.find.columns(now).find(({ title }) => title === 'Done')!
  assert.equal(new Set(owner.find.cards(now, done.columnId).map(({ cardId }) => cardId)), new Set(cards))
  assert.equal(resource.works.map(({ cardId }) => cardId).sort(), [...cards].sort(), 'each card once')
}

it('two agents at one board share the cards, and each card is done once', async () => {
  const stage = await setStage()
  const { owner, resource } = stage
  const cards: string[] = []
  for (let n = 0; n < 8; n++) cards.push(await owner.addCard({ title: `Card ${n}` }))
  // No agent begins before both are running.
  for (const card of cards) await owner.claim(card, { leaseMs: 600_000, agent: null })
  const agents = [await stage.start('ann', 300), await stage.start('bob', 300)]
  for (const card of cards) await owner.release(card)
  for (const agent of agents) {
    assert.is((await agent.exited).code, 0, agent.err)
    assert.match(agent.out, /: Card \d/, 'both agents did a card')
  }
  await checkDone(stage, cards)
  assert.equal(resource.refused, [])
  assert.equal(
    new Set(resource.works.map(({ generation }) => generation)),
    new Set([2]),
    'the owner had the first claim',
  )
  await stage.end()
})

it('a killed agent loses its card when the lease ends, and an agent that was suspended longer is refused', async () => {
  const stage = await setStage()
  const { owner, resource } = stage
  const cards: string[] = []
  const begun = async (name: string): Promise<Child> => {
    cards.push(await owner.addCard({ title: name }))
    const agent = await stage.start(name, 2_000)
    await until(`the beginning of ${name}`, () => resource.newest.has(cards.at(-1)!), withinLimit(180_000, 0.7))
    return agent
  }
  const killed = await begun('killed')
  killed.kill('SIGKILL')
  assert.is((await killed.exited).signal, 'SIGKILL')
  const asleep = await begun('asleep')
  asleep.kill('SIGSTOP')
  assert.equal(resource.works, [], 'neither was done')
  cards.push(await owner.addCard({ title: 'fresh' }))

  const heir = await stage.start('heir', 100)
  assert.is((await heir.exited).code, 0, heir.err)
  await checkDone(stage, cards)
  const generations = Object.fromEntries(
    resource.works.map(({ cardId, generation }) => [cards.indexOf(cardId), generation]),
  )
  assert.equal(generations, { 0: 2, 1: 2, 2: 1 }, 'two cards were taken over')

  asleep.kill('SIGCONT')
  assert.is((await asleep.exited).code, 0, asleep.err)
  // The refusal of the service or of the resource, whichever comes first.
  assert.match(asleep.err, /^asleep: asleep: ./m)
  assert.not.match(asleep.out, /asleep: asleep/, 'the agent does not report the card as done')
  await checkDone(stage, cards)

  // The resource refuses an old token, and another claim of the same generation.
  const { port } = resource.server.address() as AddressInfo
  const putWith = async (generation: number): Promise<number> => {
    const body = JSON.stringify({ claimId: 'another', generation, state: 'done' })
    return (await fetch(`http://127.0.0.1:${port}/${cards[0]}`, { method: 'PUT', body })).status
  }
  assert.equal([await putWith(1), await putWith(2)], [409, 409])
  assert.is(resource.works.length, cards.length)
  await stage.end()
})

test.run()
