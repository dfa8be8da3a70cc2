/**
 * The scene of docs/examples/pocket-board: a service and a backend that share nothing with the phone but HTTPS. The
 * service listens on 127.0.0.2, the backend on 127.0.0.3; the phone is a process of its own in a folder of its own,
 * with an environment of its own.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { createDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import { buildDir, distDir, root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { makePair } from '../../support/certificate.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { createNode, type TestNode } from '../kbd/node.ts'
import { sendTo } from './daemon.ts'
import { begin } from './pocket-rounds.ts'

/** The addresses of the three machines; the system gives 127.0.0.1 to the phone. */
const [SERVICE_HOST, BACKEND_HOST] = ['127.0.0.2', '127.0.0.3'] as const
const SCOPES = ['sync:push', 'kbd:read', 'kbd:write'] as const
const PROJECT = '/api/v1/kbd/projects/demo'

/** A service, a backend, and a colleague at the service. */
export interface Scene {
  readonly node: TestNode
  readonly service: string
  readonly backend: string
  /** The certificates of both. */
  readonly certificates: readonly string[]
  /** A folder for a phone, with the example and the library. */
  phone(): Phone
  /** A code for one device. */
  invite(): Promise<string>
  /** A device of the owner changes the board at the service. */
  colleague(command: Command): Promise<void>
  board(): Promise<Project>
  /** Entries of the audit chain of a kind. */
  audit(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
}

/** A folder with the example and what it imports, and the only environment that a phone gets. */
export interface Phone {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Builds a profile of the example in a folder of its own, because the test of the profile itself builds it at the same
 * time and removes it. Returns the folder of the library.
 */
export async function buildLibrary(file: 'profile.ts' | 'native.ts', name: string): Promise<string> {
  const text = readFileSync(join(root, 'docs/examples/pocket-board', file), 'utf8')
  const renamed = text.replace(/name: '[\w-]+'/, `name: '${name}'`)
  const profile = join(folderWith({ 'profile.ts': renamed }), 'profile.ts')
  const dist = folderWith()
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/build/cli.ts'), profile],
    env: { ...process.env, SVC_DIST: dist },
  })
  assert.is((await child.exited).code, 0, `${child.out}${child.err}`)
  rmSync(buildDir(name), { recursive: true, force: true })
  return join(dist, name)
}

/** Starts the service and the backend, whose page has this library. */
export async function startScene(library: string): Promise<Scene> {
  const folder = folderWith()
  const [ofService, ofBackend] = [SERVICE_HOST, BACKEND_HOST].map((host) => makePair(folder, host, `IP:${host}`)) as [
    ReturnType<typeof makePair>,
    ReturnType<typeof makePair>,
  ]
  const ports = [await freePort(), await freePort()] as const
  const [service, backend] = [`https://${SERVICE_HOST}:${ports[0]}`, `https://${BACKEND_HOST}:${ports[1]}`]
  const node = createNode({
    SVC_SYNC__REMOTE: 'true',
    SVC_SECURITY__DELEGATION: 'true',
    SVC_SERVER__HOST: SERVICE_HOST,
    SVC_SERVER__PORT: String(ports[0]),
    SVC_SERVER__TLS__CERT: ofService.crt,
    SVC_SERVER__TLS__KEY: ofService.key,
    SVC_SERVER__CORS_ORIGINS: JSON.stringify([backend]),
  })
  await node.start()
  const authorities = join(folder, 'authorities.pem')
  writeFileSync(authorities, readFileSync(ofService.crt, 'utf8') + readFileSync(ofBackend.crt, 'utf8'))
  const child = await startBackend({ node, service, authorities, library, pair: ofBackend, port: ports[1] })
  const local = async <T>(path: string, body?: unknown): Promise<T> => {
    const send = body === undefined ? {} : { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) }
    const answer = await sendTo(node, { path, ...send })
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
    return answer.json() as T
  }
  const key = await createDeviceKey()
  await node.svc('device', 'enroll', '--key', key.keyId, '--scope', 'kbd-control:demo')
  return {
    node,
    service,
    backend,
    certificates: [ofService.crt, ofBackend.crt],
    phone: () => makePhone({ library, service, backend, authorities }),
    invite: () => node.svc('device', 'invite', '--scope', 'kbd-control:demo'),
    async colleague(command) {
      const { frontier } = await local<Project>(PROJECT)
      const body = await signCommand(key, { project: 'demo', command, parents: frontier.heads })
      await local(`${PROJECT}/commands`, body)
    },
    board: () => local<Project>(PROJECT),
    audit: async (kind) =>
      (await local<{ entries: Readonly<Record<string, unknown>>[] }>(`/api/v1/audit?kind=${kind}&limit=1000`)).entries,
    async stop() {
      await child.stop('SIGKILL')
      await node.stop()
    },
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

/** How a backend is started. */
interface BackendOptions {
  readonly node: TestNode
  readonly service: string
  readonly authorities: string
  readonly library: string
  readonly pair: ReturnType<typeof makePair>
  readonly port: number
}

async function startBackend({ node, service, authorities, library, pair, port }: BackendOptions): Promise<Child> {
  const scopes = ['svc:act', ...SCOPES].flatMap((scope) => ['--scope', scope])
  const key = await node.svc('key', 'create', '--user', 'shop', ...scopes)
  const child = startChild(process.execPath, {
    args: ['pocket-board/backend.mjs'],
    cwd: exampleFolder(library),
    env: {
      PATH: '',
      NODE_EXTRA_CA_CERTS: authorities,
      SVC_URL: service,
      SHOP_KEY: key,
      TOKEN_SCOPE: SCOPES.join(' '),
      CERT: pair.crt,
      KEY: pair.key,
      HOST: BACKEND_HOST,
      PORT: String(port),
    },
  })
  await child.waitFor(/Listening\./, WAIT_MS)
  return child
}

/** A folder with the examples that the app imports, and its packages; `library` is the folder of a built profile. */
function exampleFolder(library: string): string {
  const folder = folderWith()
  for (const name of ['pocket-board', 'browser-login', 'hosts'])
    cpSync(join(root, 'docs/examples', name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules/pocket-board'), { recursive: true })
  symlinkSync(distDir('npm'), join(folder, 'node_modules/svc'))
  // What the backend serves to a page.
  symlinkSync(distDir('npm'), join(folder, 'svc'))
  symlinkSync(library, join(folder, 'board'))
  symlinkSync(join(library, 'index.mjs'), join(folder, 'node_modules/pocket-board/index.mjs'))
  const manifest = { name: 'pocket-board', type: 'module', exports: './index.mjs' }
  writeFileSync(join(folder, 'node_modules/pocket-board/package.json'), JSON.stringify(manifest))
  return folder
}

/** Where a phone finds the service. */
interface PhoneOptions {
  readonly library: string
  readonly service: string
  readonly backend: string
  readonly authorities: string
}

function makePhone({ library, service, backend, authorities }: PhoneOptions): Phone {
  const folder = exampleFolder(library)
  const own = join(folder, 'authorities.pem')
  cpSync(authorities, own)
  const env = { HOME: folder, PATH: '', NODE_EXTRA_CA_CERTS: own, SERVICE: service, BACKEND: backend }
  return { folder, env }
}

/** The titles of all cards, in order. */
export const titles = ({ cards }: Project): readonly (string | null)[] =>
  Object.values(cards)
    .map(({ title }) => title)
    .sort()

/** Checks that each card is on the board once, and that each round has one push, all by the user of the phone. */
export async function checkNothingIsLost(
  scene: Scene,
  { rounds, colleagues }: { readonly rounds: readonly number[]; readonly colleagues: readonly number[] },
): Promise<void> {
  const cards = [...rounds.map((n) => `phone ${n}`), ...colleagues.map((n) => `colleague ${n}`)].sort()
  assert.equal(titles(await scene.board()), cards)
  assert.is((await scene.audit('command')).length, cards.length + begin.length)
  const pushes = await scene.audit('push')
  assert.equal([...new Set(pushes.map(({ user, outcome }) => `${user} ${outcome}`))], ['ada ok'])
  assert.is(pushes.length, rounds.length)
  assert.is((await scene.audit('enrolment')).filter(({ user }) => user === 'ada').length, 1)
  const refusals = await scene.audit('refusal')
  assert.ok(
    refusals.some(({ outcome }) => outcome === 'frontier_mismatch'),
    JSON.stringify(refusals),
  )
}
