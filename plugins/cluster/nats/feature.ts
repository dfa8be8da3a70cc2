/** Runs and entity streams of several nodes on NATS. */

import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { ReadinessCheck } from '../../probes/api.ts'
import type {} from '../../probes/capabilities.ts'
import type {} from '../../realtime/capabilities.ts'
import { toAccess } from './access.ts'
import { readAddress } from './address.ts'
import { contract } from './contract.ts'
import { Link } from './link.ts'
import { NatsLiveBus } from './live-bus.ts'
import { beginAppends, countAppend, natsMetrics, showRuns } from './metrics.ts'
import { NatsRunStore } from './run-store.ts'
import { requireSafe } from './server-version.ts'
import { filesOf, natsSettings, refuseNatsSettings } from './settings.ts'

/**
 * How long NATS may be away before the node is not ready, in milliseconds: a short outage must not empty the balancer.
 */
const PATIENCE_MS = 30_000

/** How long a start waits for NATS, in milliseconds. */
const START_MS = 1_000

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'cluster.nats': true
  }
}

/** Feature `cluster.nats`. */
export const feature: FeatureValue<'cluster.nats', never, 'LiveBus' | 'RunStore'> = defineFeature({
  id: 'cluster.nats',
  about: described({
    at: import.meta.url,
    summary: 'Runs and entity streams of several nodes on NATS: written and published on one, there on all',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['realtime.live', 'realtime.runs', 'probes'],
    platform: 'node',
    packages: ['@nats-io/transport-node', '@nats-io/nats-core', '@nats-io/nkeys', '@nats-io/nuid', 'tweetnacl'],
    contract,
  }),
  needs: { Readiness: 'required', Tracing: 'optional' },
  provides: ['LiveBus', 'RunStore'],
  settings: natsSettings,
  metrics: natsMetrics,
  checkSettings: (settings, all) => refuseNatsSettings(settings, all['realtime.max_event_bytes']),
  setup({ settings, metrics, clock, random, log, ...ctx }) {
    const readiness = ctx.get('Readiness')
    const reportAppends = (): void =>
      metrics.appendsUp.set({ engine: 'nats' }, store.health.problem === undefined ? 1 : 0)
    const url = settings['cluster.nats_url']?.reveal()
    const address = url === undefined ? undefined : readAddress(url)
    // `checkSettings` refuses a missing or wrong address.
    if (address === undefined) throw new Error('cluster.nats_url is not an address of NATS')
    const link: Link = new Link({
      access: toAccess(address, filesOf(settings)),
      clock,
      prepare: (nats) => {
        requireSafe(nats.info?.version, settings['cluster.replicas'])
        return store.prepare(nats)
      },
      onHere: () => {
        metrics.engineUp.set({ engine: 'nats' }, 1)
        readiness.changed()
        log.info('NATS is connected.')
        bus.renew()
        store.renew()
        reportAppends()
      },
      onAway: (problem, error) => {
        metrics.engineUp.set({ engine: 'nats' }, 0)
        reportAppends()
        readiness.changed()
        log.warn(`${problem}. Appends to runs are refused, and entity events reach only the readers of this node.`, {
          error,
        })
      },
    })
    const skipped = createSkipReport(log, (kind) => metrics.skipped.add({ kind }))
    const bus = new NatsLiveBus({
      clock,
      onSkipped: skipped,
      link,
      randomBytes: (length) => random.bytes(length),
      soon: (run) => void setImmediate(run),
      onError: (error) => log.warn('NATS did not accept entity events.', { error }),
    })
    let seen: string | undefined
    const store: NatsRunStore = new NatsRunStore({
      onSkipped: skipped,
      link,
      clock,
      randomBytes: (length) => random.bytes(length),
      replicas: settings['cluster.replicas'],
      tracing: ctx.get('Tracing'),
      onAppend: (outcome, seconds) => countAppend(metrics, outcome, seconds),
      onState: (lag, consumers, present) => {
        showRuns(metrics, lag, consumers, seen !== undefined && present !== undefined && present !== seen)
        seen = present ?? seen
      },
      onHealth: (reason) => {
        readiness.changed()
        reportAppends()
        if (reason === undefined) log.info('Appends to runs work again.')
        else log.warn('Appends to runs do not work.', { reason })
      },
      onStreamSet: (stream, settings) =>
        log.warn('A stream of NATS had other settings than nodes need.', { stream, settings }),
      onError: (error) => log.warn('NATS refused a request for a run.', { error }),
    })
    ctx.provide('LiveBus', bus)
    ctx.provide('RunStore', store)
    for (const check of checksOf(link, store)) readiness.add(check)
    ctx.onStart(() => {
      // Not before: nothing is recorded until the metrics have started.
      beginAppends(metrics)
      reportAppends()
      return link.start(START_MS)
    })
    ctx.onStopping(() => store.leave())
    ctx.onStop(() => {
      store.stop()
      bus.flush()
      return link.stop()
    })
  },
})

/** Counts each skipped message, and logs the first of each kind: `run`, `base` or `live`. */
function createSkipReport(log: Logger, count: (kind: string) => void): (subject: string) => void {
  const reported = new Set<string>()
  return (subject) => {
    const kind = subject.split('.')[1] ?? ''
    count(kind)
    if (reported.has(kind)) return
    reported.add(kind)
    log.warn('A message of NATS that no node wrote was skipped. Further ones of its kind are only counted.', {
      subject,
    })
  }
}

/** What makes a node ready: the connection, and that appends are taken. */
function checksOf(link: Link, { health }: NatsRunStore): readonly ReadinessCheck[] {
  return [
    {
      name: 'nats',
      get required() {
        return link.awayMs > PATIENCE_MS
      },
      run: () => {
        if (link.problem !== undefined) throw new Error(link.problem)
      },
    },
    {
      name: 'run_appends',
      get required() {
        // A full stream does not count, because it is full for all nodes and would make all of them not ready.
        return health.silentMs > PATIENCE_MS
      },
      run: () => {
        const { problem } = health
        if (problem !== undefined) throw new Error(problem)
      },
    },
  ]
}
