/** Fills the store of a program, of this or an older version, through its commands and its surfaces. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createDeviceKey, signCommand, signPush } from '../../../plugins/protocol/sign/index.ts'
import type { Command } from '../../../plugins/protocol/sign/shapes.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { secret, tokenFor } from '../../conformance/caller.ts'
import { sendTo } from '../../e2e/sync/daemon.ts'
import { type Child, startChild } from '../child.ts'

/** The secret key of the device that signs the contents of these stores. */
const deviceSecret: Uint8Array = new Uint8Array(32).fill(7)
/** The id of the open run in these stores. It belongs to `ada`. */
export const RUN = 'an-old-run'
/** The events of the run in these stores. */
export const EVENTS: readonly object[] = [
  { type: 'RUN_STARTED', threadId: 't', runId: RUN },
  { type: 'CUSTOM', name: 'old', value: 1 },
]
/** The card in these stores, and its text. */
export const CARD = '33333333-2222-4333-8444-000000000003'
export const TEXT = 'The text of the card.'
const BOARD = '33333333-2222-4333-8444-000000000001'
const COLUMN = '33333333-2222-4333-8444-000000000002'
const COMMENT = '33333333-2222-4333-8444-000000000004'

/** The contents that the program has acknowledged. */
export interface Known {
  /** The id of the push, and its receipt. */
  readonly push: string
  readonly receipt: unknown
  readonly frontier: unknown
  /** An API key of `ada`, if the program stores keys. */
  readonly key?: string
  /** The record of the run, if the program stores runs. */
  readonly run?: unknown
  /** A user who is revoked, if the program stores revocations. */
  readonly revoked?: string
}

/** A program that runs in a folder. */
export interface Running {
  readonly child: Child
  readonly socketPath: string
  readonly origin: string
}

/**
 * The environment with which a program stores everything that it can store. It depends on the settings that the program
 * has.
 */
export async function environmentOf(program: string, folder: string): Promise<NodeJS.ProcessEnv> {
  const env = {
    HOME: folder,
    PATH: process.env['PATH'],
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: join(folder, 'run', 's.sock'),
    SVC_SECURITY__JWT_SECRET: secret,
    SVC_SERVER__PORT: String(await freePort()),
  }
  const { out: settings } = await svc(program, env, 'print-config')
  const keeps = (setting: string): boolean => settings.includes(setting)
  return {
    ...env,
    ...(keeps('security.key_store') && { SVC_SECURITY__KEY_STORE: 'sqlite', SVC_SECURITY__KEY_MAX_DAYS: '3650' }),
    ...(keeps('realtime.run_store') && { SVC_REALTIME__RUN_STORE: 'sqlite' }),
    ...(keeps('security.max_revocations') && { SVC_SECURITY__DELEGATION: 'true' }),
    ...(keeps('peer.listen') && { SVC_PEER__LISTEN: `127.0.0.1:${await freePort()}` }),
  }
}

/** Runs a command of a program. @throws Error with the output if the command fails */
export async function svc(
  program: string,
  env: NodeJS.ProcessEnv,
  ...words: readonly string[]
): Promise<{ readonly out: string; readonly err: string }> {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program, ...words],
    env,
  })
  const { code } = await child.exited
  if (code !== 0) throw new Error(`svc ${words.join(' ')}: ${code}\n${child.out}${child.err}`)
  return { out: child.out, err: child.err }
}

/** Starts a program on the store in its folder. */
export async function start(program: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const child = startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', program], env })
  const port = env['SVC_SERVER__PORT']!
  await child.waitFor(new RegExp(`:${port}`))
  await child.waitFor(/"socket":"/)
  return { child, socketPath: env['SVC_SYNC__SOCKET_PATH']!, origin: `http://127.0.0.1:${port}` }
}

/** Sends a request to the runtime surface as `ada`. @throws Error if the status is not 2xx */
export async function askRuntime(origin: string, path: string, body?: unknown): Promise<string> {
  const token = tokenFor({ user: 'ada', scopes: ['svc:users:revoke'] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${origin}${path}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}

/**
 * Signs a command on the current frontier of the project, and sends the command. @throws Error if the command is
 * refused
 */
export async function enter(socketPath: string, command: Command, parents?: readonly string[]): Promise<void> {
  const key = await createDeviceKey(deviceSecret)
  const project = await sendTo({ socketPath }, { path: '/api/v1/kbd/projects/demo' })
  const { frontier } = project.json() as { frontier?: { heads: string[] } }
  const envelope = await signCommand(key, { project: 'demo', command, parents: parents ?? frontier?.heads ?? [] })
  await post(socketPath, '/api/v1/kbd/projects/demo/commands', envelope)
}

async function post(socketPath: string, path: string, value: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await sendTo({ socketPath }, { method: 'POST', path, headers, body: JSON.stringify(value) })
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
  return text
}

/**
 * Fills the store of a program in a folder with one entry of each kind that the program stores, and stops the program.
 */
export async function fillStore(program: string, folder: string): Promise<Known> {
  const env = await environmentOf(program, folder)
  const key = await createDeviceKey(deviceSecret)
  await svc(program, env, 'device', 'enroll', '--key', key.keyId, '--scope', 'kbd-control:demo', '--label', 'old')
  const running = await start(program, env)
  await fillBoard(running)
  const receipt = await push(running)
  const { frontier } = (await sendTo(running, { path: '/api/v1/kbd/projects/demo' })).json()
  if (env['SVC_PEER__LISTEN'] !== undefined) await fillPeers(program, env)
  const kept = await fillRuntime(running, env)
  await running.child.stop()
  return { push: receipt.pushId, receipt, frontier, ...kept }
}

/** Adds a peer, and an open pairing if the program supports pairings. */
async function fillPeers(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const peer = (await createDeviceKey(new Uint8Array(32).fill(8))).keyId.replace('ed25519:', '')
  await svc(program, env, 'peer', 'add', peer, '--address', '192.0.2.7:8420', '--label', 'lamp', '--project', 'demo')
  const { out: help } = await svc(program, env, 'peer', '--help')
  if (help.includes('pair')) await svc(program, env, 'peer', 'pair', '--project', 'demo')
}

/** Adds a board with a card, its text, a redacted comment, a claim and a conflict. */
async function fillBoard({ socketPath }: Running): Promise<void> {
  const bodyHash = await text(socketPath, TEXT)
  const comment = await text(socketPath, 'This goes away.')
  await enter(socketPath, { type: 'board.create', boardId: BOARD, title: 'Plans' })
  await enter(socketPath, { type: 'column.create', columnId: COLUMN, boardId: BOARD, title: 'Doing', rank: 'V' })
  const place = { boardId: BOARD, columnId: COLUMN, rank: 'V' }
  await enter(socketPath, { type: 'card.create', cardId: CARD, title: 'An old card', ...place, bodyHash })
  await enter(socketPath, { type: 'comment.add', commentId: COMMENT, cardId: CARD, bodyHash: comment })
  await enter(socketPath, { type: 'comment.redact', commentId: COMMENT })
  const leaseMs = 60_000
  await enter(socketPath, { type: 'claim.acquire', claimId: BOARD, cardId: CARD, agent: 'ada', leaseMs })
  const { frontier } = (await sendTo({ socketPath }, { path: '/api/v1/kbd/projects/demo' })).json() as {
    frontier: { heads: string[] }
  } & object
  for (const title of ['One title', 'Another title'])
    await enter(socketPath, { type: 'card.update', cardId: CARD, title }, frontier.heads)
}

async function text(socketPath: string, body: string): Promise<string> {
  const hash = createHash('sha256').update(body).digest('hex')
  const path = `/api/v1/kbd/content/${hash}`
  const headers = { 'content-type': 'application/octet-stream' }
  const { status } = await sendTo({ socketPath }, { method: 'PUT', path, headers, body })
  if (status >= 300) throw new Error(`${path}: ${status}`)
  return hash
}

async function push({ socketPath }: Running): Promise<{ readonly pushId: string }> {
  const signed = await signPush(await createDeviceKey(deviceSecret), { domain: 'kbd-control:demo' })
  const { pushId } = JSON.parse(await post(socketPath, '/api/v2/sync/pushes', signed)) as { pushId: string }
  return JSON.parse((await sendTo({ socketPath }, { path: `/api/v2/sync/pushes/${pushId}` })).text) as {
    pushId: string
  }
}

/** Adds an API key, an open run and the revocation of a user, if the program stores them. */
async function fillRuntime({ origin }: Running, env: NodeJS.ProcessEnv): Promise<Partial<Known>> {
  const kept: { key?: string; run?: unknown; revoked?: string } = {}
  if (env['SVC_SECURITY__KEY_STORE'] !== undefined) {
    // The key expires after ten years, so that the dumped store stays usable.
    const created = await askRuntime(origin, '/api/svc/auth/keys', { name: 'old', expires_in: 3_650 * 86_400 })
    kept.key = (JSON.parse(created) as { key: string }).key
  }
  if (env['SVC_REALTIME__RUN_STORE'] !== undefined) {
    await askRuntime(origin, '/api/svc/runs', { run_id: RUN })
    kept.run = JSON.parse(await askRuntime(origin, `/api/svc/runs/${RUN}/events`, EVENTS))
  }
  if (env['SVC_SECURITY__DELEGATION'] !== undefined) {
    await askRuntime(origin, '/api/svc/auth/revocations', { user_id: 'eve' })
    kept.revoked = 'eve'
  }
  return kept
}
