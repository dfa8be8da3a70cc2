/** Boards on the local surface. */
import { setImmediate } from 'node:timers/promises'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../capabilities.ts'
import { createBoards } from '../engine/boards.ts'
import { createSnapshots } from '../engine/reads/snapshots.ts'
import { fail } from '../errors.ts'
import { contract } from './contract.ts'
import { createImport } from './import.ts'
import { createGauges, createMeasure } from './measure.ts'
import { kbdMetrics } from './metrics.ts'
import { createReadHandlers } from './read-handlers.ts'
import { boardRoutes } from './routes.ts'
import { kbdSettings, toKbdLimits } from './settings.ts'
import { createStatus } from './status.ts'
import { createWriteHandlers } from './write-handlers.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.api': true
  }
}

/** Milliseconds between two searches for texts whose grace time is over. */
const SWEEP_MS = 600_000
/** Milliseconds before the first search, so that it does not slow the start. */
const FIRST_SWEEP_MS = 1_000

/** Feature `kbd.api`. */
export const feature: FeatureValue<'kbd.api', never, 'BoardHandlers' | 'Boards' | 'ProjectPin' | 'PushAudit'> =
  defineFeature({
    id: 'kbd.api',
    about: described({
      at: import.meta.url,
      summary: 'Boards on the local surface',
      stability: 'experimental',
      since: '0.1.0',
      requires: ['kbd.engine', 'sync.api'],
      platform: 'node',
      storePart: () => import('./store-part.ts'),
      contract,
    }),
    needs: { PeerOverviews: 'optional later', ReceiptStore: 'required', SyncShared: 'required', Tracing: 'optional' },
    provides: ['BoardHandlers', 'Boards', 'ProjectPin', 'PushAudit'],
    settings: kbdSettings,
    metrics: kbdMetrics,
    errors: fail,
    setup(ctx) {
      const { settings, metrics, clock, log, manifest } = ctx
      const [store, shared] = [ctx.get('ReceiptStore'), ctx.get('SyncShared')]
      const limits = toKbdLimits(settings, shared.limits)
      const failed = (error: unknown): void => log.warn('Work on boards failed.', { error })
      const { enabled } = metrics.heads
      const folded = enabled ? (ms: number): void => metrics.foldSeconds.observe({}, ms / 1_000) : undefined
      const storeBoards = createBoards({
        store,
        shared,
        limits,
        clock,
        yieldLoop: () => setImmediate(),
        failed,
        folded,
        refusalQuietMs: settings['kbd.refusal_quiet_ms'],
      })
      const snapshot = createSnapshots({
        boards: storeBoards,
        monotonic: clock.monotonic,
        yieldLoop: () => setImmediate(),
        maxBytes: settings['kbd.snapshot_cache_bytes'],
      })
      const boards = { ...storeBoards, snapshot }
      ctx.provide('Boards', boards)
      ctx.provide('ProjectPin', boards.pin)
      ctx.provide('PushAudit', boards.refused)
      const gauges = enabled ? createGauges({ boards, metrics, pause: () => setImmediate(), failed }) : undefined
      if (gauges !== undefined) boards.watch(gauges.applied)

      let timer: unknown
      let sweeping: Promise<void> | undefined
      const sweep = (): void => {
        sweeping = boards.sweep().catch(failed)
        timer = clock.setTimeout(sweep, SWEEP_MS)
      }
      let reading: Promise<void> | undefined
      ctx.onStart(() => {
        timer = clock.setTimeout(sweep, FIRST_SWEEP_MS)
        // The start does not wait for this, so that the listeners open at once even with many projects.
        reading = gauges?.start().catch(failed)
      })
      ctx.onStop(async () => {
        clock.clearTimeout(timer)
        gauges?.stop()
        await Promise.all([sweeping, reading])
      })

      const parts = {
        boards,
        now: clock.now,
        hash: (text: string) => shared.sha256(new TextEncoder().encode(text)),
      }
      const handlers = {
        ...createReadHandlers(parts),
        ...createWriteHandlers({
          boards,
          measured: createMeasure({ metrics, tracing: ctx.get('Tracing'), monotonic: clock.monotonic }),
          importBoards: createImport({
            boards,
            shared,
            maxContentBytes: limits.maxContentBytes,
            monotonic: clock.monotonic,
            yieldLoop: () => setImmediate(),
          }),
        }),
        ...createStatus({
          store,
          boards,
          version: manifest.version,
          profile: manifest.profile,
          shared,
          peers: ctx.get('PeerOverviews'),
        }),
      }
      ctx.provide('BoardHandlers', handlers)
      return { handlers }
    },
    routes: boardRoutes,
  })
