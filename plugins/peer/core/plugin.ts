/** The surface between peers, and what this node asks of them. */
import { json } from '../../../core/http/reply.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import { isObject } from '../../../core/is-object.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../../kbd/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import type { PeerTransport } from '../../sync/api.ts'
import type { PeerEntry } from '../api.ts'
import type {} from '../registry/capabilities.ts'
import type {} from '../../telemetry/capabilities.ts'
import type { PeerLink } from '../api.ts'
import type {} from '../capabilities.ts'
import { fail } from '../errors.ts'
import { createAdvance } from './advance.ts'
import { createDeliver } from './deliver.ts'
import { createAsking, PeerRefusal } from './exchange.ts'
import { createFaults } from './faults.ts'
import { createFigures } from './figures.ts'
import { createPeerGuard } from './guard.ts'
import { createPull } from './pull.ts'
import { createReceive } from './receive.ts'
import { routes } from './routes.ts'
import { peerCoreSettings } from './settings.ts'
import { createTallies } from './tallies.ts'
import { createTell } from './tell.ts'
import { createBodyReader } from './wire.ts'
import { createHear } from './words.ts'

/** Pushes whose traces are remembered; after a restart, or behind so many others, a delivery begins one of its own. */
const MAX_TRACES = 4_096

/** Feature `peer.core`. */
export const plugin: Plugin = definePlugin({
  name: 'peer.core',
  feature: 'peer.core',
  requires: ['Sync', 'SyncDoor', 'ReceiptStore', 'PeerDesk', 'Boards'],
  wants: ['Telemetry', 'Tracing'],
  provides: ['Peers'],
  settings: peerCoreSettings,
  routes: Object.values(routes),
  errors: fail,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const [sync, door, store] = [ctx.use('Sync'), ctx.use('SyncDoor'), ctx.use('ReceiptStore')]
    const [desk, boards] = [ctx.use('PeerDesk'), ctx.use('Boards')]
    const [telemetry, tracing] = [ctx.find('Telemetry'), ctx.find('Tracing')]
    const { book } = desk
    const links: PeerLink[] = []
    const linkTo = (entry: PeerEntry): PeerLink | undefined => links.find((link) => link.reaches(entry))
    const tallies = createTallies(settings['peer.bytes_per_minute'], clock)
    const maxBodyBytes = settings['peer.max_body_bytes']
    const maxConnections = settings['peer.max_connections']
    const timeoutMs = settings['peer.request_timeout_ms']

    const faults = createFaults(store, clock)
    const { guard, hook } = createPeerGuard({
      faults,
      book,
      tallies,
      maxExchanges: settings['peer.max_exchanges'],
      answered: (status, bytes) => telemetry?.peerExchange('in', status < 400 ? 'ok' : 'refused', bytes),
    })
    ctx.guard('peer', guard)
    ctx.hook('peer', hook)

    const hear = createHear({
      sync,
      boards,
      tallies,
      faults,
      count: (state) => telemetry?.peerWord(state),
    })
    const asking = createAsking({
      linkTo,
      tallies,
      tracing,
      ownId: () => door.ownKey().endpointId,
      parse: door.admitJson,
      wait: (ms) => new Promise((done) => void clock.setTimeout(done, ms)),
      told: (outcome, bytes) => telemetry?.peerExchange('out', outcome, bytes),
    })
    const traces = new Map<string, TraceContext>()
    const traceOf = (pushId: string): TraceContext | undefined => traces.get(pushId)
    const transport: PeerTransport = {
      untilLastWord: true,
      deliver: createDeliver({
        book,
        asking,
        boards,
        tallies,
        hear,
        faults,
        traceOf,
        maxBodyBytes,
      }),
      traced(pushId, trace) {
        if (traces.size >= MAX_TRACES) traces.delete(traces.keys().next().value!)
        traces.set(pushId, trace)
      },
      figures: createFigures({
        book,
        boards,
        tallies,
        transport: (entry) => (linkTo(entry) ?? links[0])?.name ?? 'none',
      }),
    }
    door.carryBy(transport)

    const advance = createAdvance(boards, desk)
    const tell = createTell({
      desk,
      asking,
      advance,
      later: () => new Promise((done) => void clock.setTimeout(done, 0)),
      failed: (peer, error) => log.info('A push of a peer still waits, or its word was not taken.', { peer, error }),
    })
    const receive = createReceive({
      boards,
      desk,
      advance,
      tell,
      door,
      tallies,
      hear,
      maxBodyBytes,
      now: clock.now,
      readBody: createBodyReader(clock, timeoutMs, tallies.spend),
      unnamedContentBytes: settings['peer.unnamed_content_bytes'],
    })
    for (const [name, handler] of Object.entries(receive)) {
      ctx.route(routes[name as keyof typeof receive], async (request) => {
        try {
          return await handler(request)
        } catch (error) {
          await faults.refused(request.identity.user!, request.params['project'] ?? null, error)
          throw error
        }
      })
    }

    const pull = createPull({ asking, boards, door, tallies, faults })
    ctx.route(routes.pull, async (request) => {
      const body = door.admitJson(await request.body())
      const project = isObject(body) && Object.keys(body).length === 1 ? body['project'] : undefined
      if (typeof project !== 'string') throw fail('malformed_request')
      const entry = await book.find(request.params['peer']!).catch(() => undefined)
      if (entry === undefined) throw fail('peer_not_found')
      if (!(await boards.exists(project))) throw fail('scope_not_found')
      try {
        const pulled = await pull(entry, project)
        tell.ripen(project)
        return json(200, pulled)
      } catch (error) {
        if (!(error instanceof PeerRefusal)) throw error
        throw fail('peer_delivery_failed', { message: error.message, details: { peerCode: error.code } })
      }
    })

    ctx.provide('Peers', {
      maxConnections,
      limits: {
        headerTimeoutMs: timeoutMs,
        // A body may take as long as it makes progress, which is watched where it is read.
        bodyTimeoutMs: Math.max(timeoutMs, (maxBodyBytes / MIN_BYTES_PER_SECOND) * 1_000),
        idleTimeoutMs: settings['peer.idle_timeout_ms'],
      },
      addLink: (link) => void links.push(link),
      async admit(connection) {
        const id = connection.endpointId
        if ((await book.entry(id)) === undefined) {
          await faults.stranger(id)
          return false
        }
        const { connections } = tallies.of(id)
        if (connections.size >= maxConnections) return false
        connections.add(connection)
        telemetry?.peerConnections(1)
        return true
      },
      left(connection) {
        if (tallies.of(connection.endpointId).connections.delete(connection)) telemetry?.peerConnections(-1)
      },
    })

    const everyMs = settings['peer.pull_interval_ms']
    let timer: unknown
    let pulling: Promise<void> | undefined
    let stopped = false
    const pullAll = async (): Promise<void> => {
      for (const entry of await book.list()) {
        for (const project of entry.projects) {
          if (stopped) return
          if (!asking.reaches(entry) || !(await boards.exists(project))) continue
          const pulled = await pull(entry, project).catch((error: unknown) =>
            log.info('A peer was not asked.', { peer: entry.endpointId, project, error }),
          )
          if (pulled) tell.ripen(project)
        }
      }
    }
    const turn = (): void => {
      pulling = pullAll()
        .catch((error: unknown) => log.warn('Peers were not asked.', { error }))
        .finally(() => {
          if (!stopped) timer = clock.setTimeout(turn, everyMs)
        })
    }
    ctx.onReady(() => {
      if (everyMs > 0) timer = clock.setTimeout(turn, everyMs)
    })
    ctx.onStop(async () => {
      stopped = true
      clock.clearTimeout(timer)
      await pulling
      await tell.idle()
    })
  },
})

/** The slowest body that is still read to its end. */
const MIN_BYTES_PER_SECOND = 1_024
