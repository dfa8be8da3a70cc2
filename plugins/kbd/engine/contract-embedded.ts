/** The contract of boards in a library: the same as on a node, over the bytes of a host. */
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519'
import canonicalize from 'canonicalize'
import { type Case, type Library, same } from '../../../core/testing/contract.ts'
import type { EmbeddedBoards } from './embedded-boards.ts'

interface Engine {
  readonly sync: { submit(bytes: Uint8Array): Promise<{ status: number; receipt: Readonly<Record<string, unknown>> }> }
  close(): Promise<void>
}

const BOARD = '11111111-2222-4333-8444-555555555556'
const DOMAIN = 'kbd-control:demo'

/** A host in memory with one device, and requests that the device signs. */
async function createRig({ exports, asset }: Library) {
  const secret = utils.randomSecretKey()
  const publicKey = await getPublicKeyAsync(secret)
  const signerKeyId = `ed25519:${Array.from(publicKey, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const sign = async (members: Readonly<Record<string, unknown>>): Promise<Uint8Array> => {
    const request = { domain: DOMAIN, issuedAtMs: Date.now(), signerKeyId, ...members }
    const signature = await signAsync(new TextEncoder().encode(canonicalize(request)), secret)
    return new TextEncoder().encode(JSON.stringify({ ...request, signature: btoa(String.fromCharCode(...signature)) }))
  }
  let saved: Uint8Array | null = null
  const host = {
    sqlWasm: asset('sql-wasm.wasm'),
    persistence: { load: () => saved, save: (bytes: Uint8Array) => void (saved = bytes) },
    identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
    devices: {
      get: (keyId: string) =>
        keyId === signerKeyId ? { keyId, scopes: [DOMAIN], status: 'active', expiresAtMs: null } : null,
    },
    projects: { has: (domain: string) => domain === DOMAIN },
    frontier: () => null,
    apply: () => {},
    now: () => Date.now(),
    log: () => {},
  }
  const { createEmbedded, createBoards } = exports as {
    createEmbedded(options: { host: typeof host }): Promise<Engine>
    createBoards(engine: Engine): EmbeddedBoards
  }
  return {
    start: () => createEmbedded({ host }),
    boardsOf: (engine: Engine) => createBoards(engine),
    create: (title: string) =>
      sign({
        schemaVersion: '2',
        commandId: crypto.randomUUID(),
        expectedFrontier: { heads: [] },
        concurrency: 'merge',
        command: { type: 'board.create', boardId: BOARD, title },
      }),
    push: (expectedFrontier: unknown = null) =>
      sign({ schemaVersion: '1.7', requestId: crypto.randomUUID(), targetEndpointIds: [], expectedFrontier }),
  }
}

const needs = ['sync.store-sqljs']

/** The cases of a library that has boards. */
export const embeddedCases: readonly Case[] = [
  {
    name: 'in a library a command is 201, again 200, is found by the next engine on the saved bytes, and pushes pin it',
    needs,
    use: async (library) => {
      const rig = await createRig(library)
      const engine = await rig.start()
      const body = await rig.create('Pocket')
      const first = await rig.boardsOf(engine).enter('demo', body)
      same('entered', [first.status, first.revision], [201, 1])
      await engine.close()
      const next = await rig.start()
      const boards = rig.boardsOf(next)
      same('again', (await boards.enter('demo', body)).status, 200)
      const { frontier, boards: map } = await boards.read((reads) => reads.snapshot('demo'))
      same('board', [frontier, map[BOARD]?.title], [first.frontier, 'Pocket'])
      const { status, receipt } = await next.sync.submit(await rig.push(frontier))
      same('push', [status, receipt['frontier'], receipt['revision']], [201, frontier, 1])
      same('elsewhere', await codeOf(next.sync.submit(await rig.push({ heads: [] }))), '409 frontier_mismatch')
      same('audit', await boards.audit((chain) => chain.list(0, 9).map(({ kind }) => kind)), [
        'command',
        'push',
        'refusal',
      ])
      await next.close()
    },
  },
  {
    name: 'in a library a push of a project with commands waits for its boards',
    needs,
    use: async (library) => {
      const rig = await createRig(library)
      const engine = await rig.start()
      await rig.boardsOf(engine).enter('demo', await rig.create('Pocket'))
      await engine.close()
      const next = await rig.start()
      same('before', await codeOf(next.sync.submit(await rig.push())), '503 envelope_preparation_failed')
      rig.boardsOf(next)
      same('after', (await next.sync.submit(await rig.push())).status, 201)
      await next.close()
    },
  },
]

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'taken',
    ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
  )
}
