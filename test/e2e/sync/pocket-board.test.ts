/**
 * The board of docs/examples/pocket-board, built and proved as a profile, and run in a bare realm with only its host.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope, Project } from '../../../plugins/kbd/api.ts'
import type { EmbeddedBoards } from '../../../plugins/kbd/engine/embedded-boards.ts'
import type { Entered } from '../../../plugins/kbd/engine/engine.ts'
import { createDeviceKey } from '../../../plugins/protocol/sign/index.ts'
import type { EmbeddedSync } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import { buildDir, distDir, root } from '../../../scripts/build/paths.ts'
import { createBareRealm, loadInBareRealm } from '../../support/bare-realm.ts'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'
import { startDaemon } from './daemon.ts'

const name = 'pocket-board'
const profile = join(root, 'docs/examples/pocket-board/profile.ts')
const library = join(distDir(name), 'index.mjs')

interface Pocket {
  readonly keyId: string
  readonly boards: EmbeddedBoards
  readonly sync: EmbeddedSync
  close(): Promise<void>
  show(): Promise<Project>
  change(command: Command, over?: Readonly<Record<string, unknown>>): Promise<Entered>
  take(envelopes: readonly unknown[]): Promise<Awaited<ReturnType<EmbeddedBoards['admit']>>>
  push(targets?: readonly string[]): ReturnType<EmbeddedSync['submit']>
}
type Open = (options: Readonly<Record<string, unknown>>) => Promise<Pocket>

/** A storage medium that may be full. */
interface Medium {
  saved: Uint8Array | null
  full: boolean
  readonly delivered: string[]
}

const [BOARD, QUEUE, DOING, CARD, OTHER] = [1, 2, 3, 4, 5].map(uuidOf) as [string, string, string, string, string]
const place = (columnId: string, rank = 'V') => ({ boardId: BOARD, columnId, rank })
const secrets = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)] as const
const keyIds = await Promise.all(secrets.map(async (secret) => (await createDeviceKey(secret)).keyId))

const sign = join(distDir('npm'), 'sign.js')
let realm: Context
let open: Open

async function run(script: string): Promise<{ code: number | null; output: string }> {
  const child = startChild(process.execPath, { args: [join(root, script), profile] })
  const { code } = await child.exited
  return { code, output: `${child.out}\n${child.err}` }
}

/** Opens a device with a medium. The device trusts the other device. */
function openOn(medium: Medium, device = 0, over: Readonly<Record<string, unknown>> = {}): Promise<Pocket> {
  const platform = {
    sqlWasm: new Uint8Array(readFileSync(join(distDir(name), 'sql-wasm.wasm'))),
    persistence: {
      load: () => medium.saved,
      save: async (bytes: Uint8Array) => {
        if (medium.full) throw new Error('the medium is full')
        medium.saved = bytes
      },
    },
    now: () => Date.now(),
    log: () => {},
    deliver: (envelope: { pushId: string }, endpointId: string) =>
      void medium.delivered.push(`${envelope.pushId} ${endpointId}`),
    ...over,
  }
  return open({ platform, project: 'demo', secret: secrets[device], others: keyIds })
}

const empty = (): Medium => ({ saved: null, full: false, delivered: [] })

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'taken',
    (error: { status?: number; code?: string }) => `${error.status} ${error.code}`,
  )
}

/** All commands of a device, in the form that another device accepts. */
async function all(pocket: Pocket): Promise<readonly CommandEnvelope[]> {
  const page = await pocket.boards.read((reads) => reads.commands('demo', undefined, 1_000))
  return page!.commands.map(({ envelope }) => envelope)
}

async function exchange(one: Pocket, other: Pocket): Promise<void> {
  const [ones, others] = [await all(one), await all(other)]
  await one.take(others)
  await other.take(ones)
}

/** Creates a board with two columns and a card. */
async function begin(pocket: Pocket): Promise<void> {
  await pocket.change({ type: 'board.create', boardId: BOARD, title: 'Release 1' })
  await pocket.change({ type: 'column.create', columnId: QUEUE, boardId: BOARD, title: 'To do', rank: 'A' })
  await pocket.change({ type: 'column.create', columnId: DOING, boardId: BOARD, title: 'Doing', rank: 'B' })
  await pocket.change({ type: 'card.create', cardId: CARD, title: 'Write the notes', ...place(QUEUE) })
}

test.after(() => {
  for (const folder of [buildDir(name), distDir(name)]) rmSync(folder, { recursive: true, force: true })
  rmSync(join(root, '.build/conformance', `${name}.json`), { force: true })
})

test('the profile is built and proved: it contains boards but not their routes, and needs no other module', async () => {
  const { code, output } = await run('scripts/build/cli.ts')
  assert.is(code, 0, output)
  const { bundles } = JSON.parse(readFileSync(join(distDir(name), 'proof.json'), 'utf8')) as {
    bundles: {
      in: Record<string, { bytes: number }>
      out: Record<string, { bytes: number; positive: { bytes: number } }>
      builtins: { used: string[] }
      externals: { used: string[] }
    }[]
  }
  assert.is(bundles.length, 1)
  const [{ in: present, out, builtins, externals }] = bundles as [(typeof bundles)[number]]
  assert.ok(present['feature:kbd.engine']!.bytes > 20_000)
  for (const absent of ['kbd.api', 'kbd.agent-ui', 'sync.api', 'sync.store-sqlite']) {
    assert.is(out[absent]!.bytes, 0, absent)
    assert.ok(out[absent]!.positive.bytes > 0, absent)
  }
  same([builtins.used, externals.used], [[], []])
})

test('the contracts of the features of the profile hold in a bare realm', async () => {
  const { code, output } = await run('test/conformance/one.ts')
  assert.is(code, 0, output)
  const counts = JSON.parse(readFileSync(join(root, '.build/conformance', `${name}.json`), 'utf8')) as Record<
    string,
    { passed: number; failed: number }
  >
  assert.ok(counts['library, bare realm']!.passed >= 15)
})

const withSign = existsSync(sign) ? undefined : 'make package has not been run'
const it = unless(test, withSign)

it('two devices share a board with claims and a conflict, and have the same state', async () => {
  realm = createBareRealm()
  open = (
    await loadInBareRealm(join(root, 'docs/examples/pocket-board/pocket.mjs'), realm, {
      'pocket-board': library,
      'svc/sign': sign,
    })
  )['openPocket'] as Open
  const before = Object.getOwnPropertyNames(realm)
  const [one, other] = [await openOn(empty(), 0), await openOn(empty(), 1)]
  await begin(one)
  await exchange(one, other)
  same(await other.show(), await one.show())

  const claim = { type: 'claim.acquire', cardId: CARD, agent: 'ada', leaseMs: 60_000 } as const
  await one.change({ ...claim, claimId: uuidOf(10) })
  await exchange(one, other)
  assert.is(await codeOf(other.change({ ...claim, claimId: uuidOf(11) })), '409 claim_held')
  const held = await other.boards.read((reads) => reads.claims('demo', 'held', Date.now()))
  same(
    held.map(({ agent, deviceId, generation }) => [agent, deviceId, generation]),
    [['ada', one.keyId, 1]],
  )

  await one.change({ type: 'card.update', cardId: CARD, title: 'Write all notes' })
  await other.change({ type: 'card.update', cardId: CARD, title: 'Write no notes' })
  await exchange(one, other)
  const seen = await one.show()
  same(await other.show(), seen)
  const [conflict, ...more] = Object.values(seen.conflicts)
  assert.is(more.length, 0)
  same(
    [conflict!.kind, conflict!.candidates.map(({ value }) => value).sort()],
    ['field', ['Write all notes', 'Write no notes']],
  )
  const candidates = conflict!.candidates.map(({ id }) => id).sort()
  await other.change({
    type: 'conflict.resolve',
    conflictId: conflict!.conflictId,
    register: conflict!.register,
    candidates,
    choose: { id: candidates[0]! },
  })
  await exchange(one, other)
  same((await one.show()).conflicts, {})
  same(await other.show(), await one.show())
  await Promise.all([one.close(), other.close()])
  same(Object.getOwnPropertyNames(realm), before, 'no global was added')
})

it('acknowledged commands, receipts and the audit chain are kept after a restart of the device', async () => {
  const medium = empty()
  const first = await openOn(medium)
  await begin(first)
  const target = keyIds[1]!.slice('ed25519:'.length)
  const { status, receipt } = await first.push([target])
  const project = await first.show()
  same([status, receipt.frontier, receipt.revision], [201, project.frontier, 4])
  for (let turn = 0; turn < 1_000 && medium.delivered.length === 0; turn++) await first.sync.receipt(receipt.pushId)
  same(medium.delivered, [`${receipt.pushId} ${target}`])
  await first.close()

  const next = await openOn(medium)
  same(await next.show(), project)
  same((await next.sync.receipt(receipt.pushId)).frontier, project.frontier)
  await next.change({ type: 'card.move', cardId: CARD, ...place(DOING) })
  const verdict = await next.boards.audit((chain) => chain.verify())
  same([verdict.ok, verdict.count], [true, 6])
  same(
    (await next.boards.audit((chain) => chain.list(0, 10))).map(({ kind, actor }) => `${kind} ${actor === next.keyId}`),
    ['command true', 'command true', 'command true', 'command true', 'push true', 'command true'],
  )
  await next.close()

  const bytes = medium.saved!
  medium.saved = bytes.slice(0, bytes.length - 4_096)
  assert.match(await codeOf(openOn(medium)), 'store_damaged')
  assert.is(medium.saved.length, bytes.length - 4_096, 'the damaged bytes are not overwritten')
})

it('commands of unknown signers and changed commands are refused', async () => {
  const pocket = await openOn(empty())
  await begin(pocket)
  const [rootCommand, ...rest] = await all(pocket)
  const before = await pocket.show()
  const other = await openOn(empty(), 1)
  const forged = { ...rootCommand!, command: { ...rootCommand!.command, title: 'Release 2' } }
  assert.is(await codeOf(other.take([forged])), '401 signature_invalid')
  assert.is(await codeOf(other.take([{ ...rootCommand!, more: 1 }])), '400 malformed_request')
  assert.is(await codeOf(other.boards.admit('else', bytesOf([rootCommand]))), '404 scope_not_found')
  assert.is(await codeOf(other.boards.admit('demo', '[]' as never)), '400 malformed_request')
  assert.is(await codeOf(other.boards.admit('demo', bytesOf({}))), '400 malformed_request')
  assert.is(await codeOf(other.boards.admit('demo', new Uint8Array(262_145))), '413 payload_too_large')
  const { accepted, refusal } = await other.take(rest)
  same([accepted, (refusal!.error as { code?: string }).code], [0, 'frontier_unknown'])
  assert.is((await other.take([rootCommand, ...rest])).accepted, 4)
  const stranger = await open({
    platform: {
      sqlWasm: new Uint8Array(readFileSync(join(distDir(name), 'sql-wasm.wasm'))),
      persistence: { load: () => null, save: () => {} },
      now: Date.now,
      log: () => {},
    },
    project: 'demo',
    secret: new Uint8Array(32).fill(3),
  })
  assert.is(await codeOf(stranger.take([rootCommand])), '403 signer_unknown')
  same(await pocket.show(), before)
  assert.is(await codeOf(pocket.boards.enter('demo', { length: 1 } as never)), '400 malformed_request')
  assert.is(await codeOf(pocket.change({ type: 'card.update', cardId: OTHER, title: 'x' })), '404 entity_not_found')
  await Promise.all([pocket.close(), other.close(), stranger.close()])
  assert.is(await codeOf(pocket.show()), '503 receipt_store_unavailable')
})

it('a service accepts the commands of a device, and has the same board', async () => {
  const daemon = await startDaemon()
  try {
    const pocket = await openOn(empty())
    await daemon.enrol({ publicKey: Buffer.from(pocket.keyId.slice('ed25519:'.length), 'hex') } as never, [
      'kbd-control:demo',
    ])
    await begin(pocket)
    const headers = { 'content-type': 'application/json' }
    for (const envelope of await all(pocket)) {
      const path = '/api/v1/kbd/projects/demo/commands'
      assert.is((await daemon.send({ method: 'POST', path, headers, body: JSON.stringify(envelope) })).status, 201)
    }
    const there = await daemon.send({ path: '/api/v1/kbd/projects/demo' })
    same(there.json(), await pocket.show())
    await pocket.close()
  } finally {
    await daemon.stop()
  }
})

/** Compares values as JSON, because values from the realm have the prototypes of that realm. */
function same(actual: unknown, expected: unknown, message?: string): void {
  assert.equal(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)), message)
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

test.run()
