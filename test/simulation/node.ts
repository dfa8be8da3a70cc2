/** A node of the simulation: the real plugins on a simulated medium, network and clock. */
import { isSvcError } from '../../core/declare/errors.ts'
import { definePlugin, type Plugin } from '../../core/declare/plugin.ts'
import type { Reply } from '../../core/http/reply.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { feature as kbdApi } from '../../plugins/kbd/api/feature.ts'
import { feature as kbdAudit } from '../../plugins/kbd/audit/feature.ts'
import type { Exchange, PeerAnswer, PeerConnection } from '../../plugins/peer/api.ts'
import type {} from '../../plugins/peer/capabilities.ts'
import { feature as peerCore } from '../../plugins/peer/core/feature.ts'
import { feature as peerRegistry } from '../../plugins/peer/registry/feature.ts'
import { feature as streams } from '../../plugins/realtime/streams/feature.ts'
import { feature as syncApi } from '../../plugins/sync/api/feature.ts'
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

/** 2026-11-01T00:00:00Z: the start time of the clocks of all nodes. */
export const START_MS = 1_793_491_200_000

/** The parts of a node. */
export interface NodeParts {
  readonly name: string
  readonly world: World
  readonly network: Network
  readonly chance: Chance
  readonly disk: Disk
  readonly verifier: Ed25519Verifier
  /** Settings by full key. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Called with each log record of level `error`, because a run must not have any. */
  readonly failed: (message: string, error: unknown) => void
  /** Called with each answer to another node before the answer is sent. */
  readonly answered: (answer: PeerAnswer, from: string) => void
  readonly asks: (to: string, exchange: Exchange) => void
  /** Changes the messages of the node, if its owner is dishonest. */
  readonly tamper?: Tamper | undefined
  /** Replaces the store that the plugins get. */
  readonly store?: (store: ReceiptStore) => ReceiptStore
}

/** Changes the requests and answers of a node. */
export interface Tamper {
  asked?(to: string, exchange: Exchange): Exchange
  answered?(from: string, exchange: Exchange, answer: PeerAnswer): PeerAnswer
}

/** A node. */
export interface SimulatedNode {
  readonly name: string
  readonly key: SimulatedKey
  readonly disk: Disk
  /** The error of the node's clock, in milliseconds. */
  skewMs: number
  /**
   * Whether the clock was ever off by more than minutes, so that pushes of the node may be stale or settled for others.
   */
  isWild: boolean
  /** Whether the node runs the former version from its next start: with the former schema and without peers. */
  isFormer: boolean
  readonly isUp: boolean
  /** The kernel of the node. Throws while the node is down. */
  readonly kernel: Kernel
  /** Unix time by the node's clock, in milliseconds. */
  now(): number
  start(): Promise<void>
  /** Simulates a loss of power. */
  crash(): void
  /** Sends a request of a local caller. Resolves with undefined if the node crashed before it answered. */
  ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Answer | undefined>
}

/** An answer to a local caller. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const TIMEOUT_MS = 2_000

/** Creates a node, which is down. */
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
    isWild: false,
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
      const ownLife: Life = { timers: new Set(), isOver: false, kernel: undefined as never }
      const kernel = compose(
        node.isFormer ? [machineOf(ownLife), ...FORMER] : [machineOf(ownLife), linkOf(ownLife), ...FORMER, ...SHIPPED],
        {
          given: parts.settings,
          environment: environmentOf(node, world, parts.chance.fork(`life ${lives++}`), ownLife),
          log: {
            enabled: (level) => level === 'error' || level === 'warn',
            write({ level, message, fields }) {
              if (ownLife.isOver) return
              world.tell(`${name} says ${message} ${codeOf(fields?.['error'])}`)
              if (level === 'error') parts.failed(message, fields?.['error'])
            },
          },
        },
      )
      Object.assign(ownLife, { kernel })
      await kernel.start()
      life = ownLife
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
      const ownLife = life
      if (ownLife === undefined) return undefined
      const octets = body instanceof Uint8Array
      const reply = await ownLife.kernel.surface('local').handle(
        makeRequest(path, {
          method,
          peer: { transport: 'in-process', address: '' },
          headers: { 'content-type': octets ? 'application/octet-stream' : 'application/json' },
          ...(body !== undefined && { body: octets ? body : JSON.stringify(body) }),
        }),
      )
      if (ownLife.isOver) return undefined
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
      const ownLife = life!
      if (node.isFormer) throw failure('version', 'what answers is no peer of this version.')
      const connection = connectionOf(from)
      const peers = ownLife.kernel.capability('Peers')
      if (!(await peers.admit(connection))) throw failure('not_listed', 'it closed the connection.')
      const { method, path, headers, body } = exchange
      const request = makeRequest(path, { method, headers, peer: connection, ...(body !== undefined && { body }) })
      const reply = await ownLife.kernel.surface('peer').handle(request)
      peers.left(connection)
      // If the node has crashed meanwhile, its answer is not sent.
      if (ownLife.isOver) return never
      const answer = { status: reply.status, headers: reply.headers ?? {}, body: bytesOf(reply) }
      parts.answered(answer, from)
      return parts.tamper?.answered?.(from, exchange, answer) ?? answer
    },
  })
  return node

  /** The platform below the plugins. */
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

  /** The link to other nodes. The address of a peer entry begins with the name of a node. */
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

/** A promise that never settles, for calls of a crashed process. */
const never: Promise<never> = new Promise(() => undefined)

/** Boards and the local entry point: the plugins of the version before peers. */
const FORMER: readonly Plugin[] = [streams, syncApi, kbdApi, kbdAudit]
/** The plugins that were added since then, without those that open sockets. */
const SHIPPED: readonly Plugin[] = [peerRegistry, peerCore]

function bytesOf({ body }: Reply): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
}

function codeOf(error: unknown): string {
  return isSvcError(error) ? error.code : ''
}
