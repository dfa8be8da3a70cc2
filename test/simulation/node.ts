/** A node of the simulation: the plugins that ship, on a medium, a net and a clock that are not the machine's. */
import { isSvcError } from '../../core/errors.ts'
import type { Reply } from '../../core/http/reply.ts'
import type { Kernel } from '../../core/kernel.ts'
import { definePlugin, type Plugin } from '../../core/plugin.ts'
import { plugin as kbdApi } from '../../plugins/kbd/api/plugin.ts'
import { plugin as kbdAudit } from '../../plugins/kbd/audit/plugin.ts'
import type { Exchange, PeerAnswer, PeerConnection } from '../../plugins/peer/api.ts'
import type {} from '../../plugins/peer/capabilities.ts'
import { plugin as peerCore } from '../../plugins/peer/core/plugin.ts'
import { plugin as peerRegistry } from '../../plugins/peer/registry/plugin.ts'
import { plugin as streams } from '../../plugins/realtime/streams/plugin.ts'
import { plugin as syncApi } from '../../plugins/sync/api/plugin.ts'
import type { Ed25519Verifier } from '../../plugins/sync/api.ts'
import type {} from '../../plugins/sync/capabilities.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import { compose } from '../support/kernels.ts'
import { makeRequest } from '../support/requests.ts'
import type { Chance } from './chance.ts'
import type { Disk } from './disk.ts'
import { keyOf, type SimulatedKey } from './keys.ts'
import { environmentOf, type Life } from './life.ts'
import { failure, type Network } from './network.ts'
import type { World } from './world.ts'

/** 2026-11-01T00:00:00Z: where the clocks of all nodes begin. */
const START_MS = 1_793_491_200_000

/** What a node is made of. */
export interface NodeParts {
  readonly name: string
  readonly world: World
  readonly network: Network
  readonly chance: Chance
  readonly disk: Disk
  readonly verifier: Ed25519Verifier
  /** Settings by full key. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Hears of what should never be logged: an error that nobody foresaw. */
  readonly failed: (message: string, error: unknown) => void
  /** Hears of each answer to another node, and of each request to one, before it leaves. */
  readonly answered: (answer: PeerAnswer, from: string) => void
  readonly asks: (to: string, exchange: Exchange) => void
  /** What leaves and enters this node on its way to others, where somebody holds it who is not honest. */
  readonly tamper?: Tamper | undefined
  /** What the plugins get in the place of their store. */
  readonly store?: (store: ReceiptStore) => ReceiptStore
}

/** Changes what a node asks and answers. */
export interface Tamper {
  asked?(to: string, exchange: Exchange): Exchange
  answered?(from: string, exchange: Exchange, answer: PeerAnswer): PeerAnswer
}

/** A node. */
export interface SimulatedNode {
  readonly name: string
  readonly key: SimulatedKey
  readonly disk: Disk
  /** Milliseconds by which its clock is wrong. */
  skewMs: number
  /** From its next start on it is of the former version: its store is of the schema of then, and it knows of no peers. */
  isFormer: boolean
  readonly isUp: boolean
  /** Its kernel; throws while it is down. */
  readonly kernel: Kernel
  /** Unix time by its own clock. */
  now(): number
  start(): Promise<void>
  /** Power is lost. */
  crash(): void
  /** A request of somebody on this machine; undefined where the node was gone before it answered. */
  ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Answer | undefined>
}

/** An answer to somebody on the machine. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const TIMEOUT_MS = 2_000

/** Makes a node, down. */
export function createNode(parts: NodeParts): SimulatedNode {
  const { name, world, network, disk } = parts
  const key = keyOf(name)
  let life: Life | undefined
  let lives = 0

  const connectionOf = (from: string): PeerConnection => ({
    transport: 'peer',
    address: from,
    endpointId: keyOf(from).endpointId,
    bytesRead: 0,
    destroy: () => undefined,
  })

  const node: SimulatedNode = {
    name,
    key,
    disk,
    skewMs: 0,
    isFormer: false,
    get isUp() {
      return life !== undefined
    },
    get kernel() {
      if (life === undefined) throw new Error(`${name} is down`)
      return life.kernel
    },
    now: () => START_MS + Math.floor(world.nowMs + node.skewMs),
    async start() {
      const mine: Life = { timers: new Set(), isOver: false, kernel: undefined as never }
      const kernel = compose(
        node.isFormer ? [machineOf(mine), ...FORMER] : [machineOf(mine), linkOf(mine), ...FORMER, ...SHIPPED],
        {
          given: parts.settings,
          environment: environmentOf(node, world, parts.chance.fork(`life ${lives++}`), mine),
          log: {
            enabled: (level) => level === 'error' || level === 'warn',
            write({ level, message, fields }) {
              if (mine.isOver) return
              world.tell(`${name} says ${message} ${codeOf(fields?.['error'])}`)
              if (level === 'error') parts.failed(message, fields?.['error'])
            },
          },
        },
      )
      Object.assign(mine, { kernel })
      await kernel.start()
      life = mine
      world.tell(`${name} is up`)
    },
    crash() {
      if (life === undefined) return
      world.tell(`${name} is down`)
      life.isOver = true
      for (const timer of life.timers) world.cancel(timer)
      life = undefined
      disk.crash()
    },
    async ask(method, path, body) {
      const mine = life
      if (mine === undefined) return undefined
      const octets = body instanceof Uint8Array
      const reply = await mine.kernel.surface('local').handle(
        makeRequest(path, {
          method,
          peer: { transport: 'in-process', address: '' },
          headers: { 'content-type': octets ? 'application/octet-stream' : 'application/json' },
          ...(body !== undefined && { body: octets ? body : JSON.stringify(body) }),
        }),
      )
      if (mine.isOver) return undefined
      const bytes = bytesOf(reply)
      const isJson = reply.headers?.['content-type'] === 'application/json' && bytes.length > 0
      return { status: reply.status, body: isJson ? (JSON.parse(Buffer.from(bytes).toString()) as Answer['body']) : {} }
    },
  }

  network.join({
    name,
    get isUp() {
      return node.isUp
    },
    async serve(from, exchange) {
      const mine = life!
      if (node.isFormer) throw failure('version', 'what answers is no peer of this version.')
      const connection = connectionOf(from)
      const peers = mine.kernel.capability('Peers')
      if (!(await peers.admit(connection))) throw failure('not_listed', 'it closed the connection.')
      const { method, path, headers, body } = exchange
      const request = makeRequest(path, { method, headers, peer: connection, ...(body !== undefined && { body }) })
      const reply = await mine.kernel.surface('peer').handle(request)
      peers.left(connection)
      // What a machine without power would have answered is not sent.
      if (mine.isOver) return never
      const answer = { status: reply.status, headers: reply.headers ?? {}, body: bytesOf(reply) }
      parts.answered(answer, from)
      return parts.tamper?.answered?.(from, exchange, answer) ?? answer
    },
  })
  return node

  /** The machine below the plugins. */
  function machineOf(own: Life): Plugin {
    return definePlugin({
      name: 'simulation.machine',
      feature: 'simulation.machine',
      provides: ['ReceiptStore', 'SyncPlatform'],
      async setup(ctx) {
        const opened = await disk.open(node.isFormer)
        const store = parts.store?.(opened) ?? opened
        const yieldLoop = (): Promise<void> => (own.isOver ? never : world.pause(0))
        ctx.provide('ReceiptStore', store)
        ctx.provide('SyncPlatform', { ed25519: parts.verifier, ownKey: () => key, yieldLoop })
        ctx.guard('local', () => ({ kind: 'local', user: null, tenant: null, scopes: [], credential: null }))
        ctx.onStop(() => store.close())
      },
    })
  }

  /** The way to others: the address of an entry begins with the name of a node. */
  function linkOf(own: Life): Plugin {
    return definePlugin({
      name: 'simulation.link',
      feature: 'simulation.link',
      requires: ['Peers'],
      setup: (ctx) =>
        ctx.use('Peers').addLink({
          name: 'simulation',
          reaches: ({ addresses }) => addresses.length > 0,
          exchange({ addresses }, exchange) {
            if (own.isOver) return never
            const to = addresses[0]!.split(':')[0]!
            parts.asks(to, exchange)
            return network.exchange(name, to, parts.tamper?.asked?.(to, exchange) ?? exchange, TIMEOUT_MS)
          },
        }),
    })
  }
}

/** What a process that is gone waits for. */
const never: Promise<never> = new Promise(() => undefined)

/** Boards and the local entry point, as they were before there were peers. */
const FORMER: readonly Plugin[] = [streams, syncApi, kbdApi, kbdAudit]
/** What has come since; all of it but what opens sockets. */
const SHIPPED: readonly Plugin[] = [peerRegistry, peerCore]

function bytesOf({ body }: Reply): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
}

function codeOf(error: unknown): string {
  return isSvcError(error) ? error.code : ''
}
