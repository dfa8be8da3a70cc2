/** The runs of this process: AG-UI events, retained and streamed from any point. docs/realtime.md shows them. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { later } from '../../../core/kernel/later.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../capabilities.ts'
import { runFail } from '../errors.ts'
import type { SnapshotEntry, TopicSnapshot } from '../live/api.ts'
import { createTurn, soon } from '../streams/soon.ts'
import type { RunRecord } from './api.ts'
import { contract } from './contract.ts'
import type { RunManagerOptions } from './manager.ts'
import type { OwnRuns } from './own-runs.ts'
import { runRoutes } from './routes.ts'
import { runNumbers, runSettings } from './settings.ts'

declare const __CLUSTER_NATS__: boolean
declare const __REALTIME_RUNS_SQLITE__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.runs': true
  }
}

/** Feature `realtime.runs`. */
export const feature: FeatureValue<'realtime.runs', never, 'AgentRuns' | 'Runs' | 'UserRuns'> = defineFeature({
  id: 'realtime.runs',
  about: described({
    at: import.meta.url,
    summary: 'Runs of agents: AG-UI events, retained and streamed from any point',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.streams'],
    platform: 'web',
    contract,
  }),
  needs: { Delegation: 'optional', Live: 'optional', RunStore: 'optional', Streams: 'required' },
  provides: ['Runs', 'AgentRuns', 'UserRuns'],
  errors: runFail,
  settings: runSettings,
  async setup({ settings, clock, random, ...ctx }) {
    const live = ctx.get('Live')
    // This code is a third of a library. If a library has several files, it is one of them and is loaded during the
    // start.
    const { createRunParts, createRuns } = await later(() => import('./runs.ts'))()
    const store = ctx.get('RunStore')
    const numbers = runNumbers(settings, store?.retention)
    const delegation = ctx.get('Delegation')
    const { acting, removed, threads, written, whose } = createRunParts(() => running, clock, delegation, numbers)
    const options: RunManagerOptions = {
      clock,
      randomBytes: random.bytes,
      soon,
      turn: createTurn(clock),
      ...numbers,
      onChange: (operation, record) => {
        if (operation === 'insert') threads.began(record)
        else {
          written?.over(record)
          acting.over(record)
        }
        if (operation === 'delete') removed.add(record)
        const { tenant_id: tenant, user_id: user } = record.owner
        // Sent to the owner alone: other users of the tenant must not learn that the run exists.
        live?.publish({ tenant, user }, { topic: 'runs', identifier: record.run_id, operation, data: record })
      },
    }
    const ownRuns = createRuns(ctx.get('Streams'), ctx.log, options, threads, written)
    let running: OwnRuns = ownRuns
    let snapshot: TopicSnapshot = ({ tenant, user }) =>
      entries(ownRuns.manager.list({ user_id: user, tenant_id: tenant }))
    // The file of shared runs is in builds with a store.
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__ || __REALTIME_RUNS_SQLITE__)
      if (store !== undefined) {
        const { createSharedRuns } = await later(() => import('./shared/runs.ts'))()
        const shared = createSharedRuns(ctx.get('Streams'), ctx.log, options, store, threads, written)
        running = shared
        snapshot = async ({ tenant, user }, mark) =>
          entries(await shared.manager.snapshot({ user_id: user, tenant_id: tenant }, mark))
      }
    // Every node gets the changes from the store, and sends them to its own readers.
    live?.enroll('runs', snapshot, { local: true })
    const { manager } = running
    ctx.provide('Runs', manager)
    ctx.provide('UserRuns', manager)
    ctx.provide('AgentRuns', written)
    ctx.onStop(() => manager.close())
    const { open, openThread } = running
    return { acting, clock, manager, open, openThread, removed, whose, written }
  },
  routes: runRoutes,
})

function entries(records: readonly RunRecord[]): readonly SnapshotEntry[] {
  return records.map((record) => ({ identifier: record.run_id, data: record }))
}
