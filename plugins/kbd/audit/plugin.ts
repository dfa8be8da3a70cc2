/** The audit chain on the local surface, and its checkpoints. */
import { setImmediate } from 'node:timers/promises'
import { documented } from '../../../core/documented.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer } from '../../../core/settings/kinds.ts'
import type {} from '../../sync/capabilities.ts'
import { fail } from '../errors.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createAuditHandlers } from './handlers.ts'

const list: RouteSpec = {
  surface: 'local',
  method: 'GET',
  path: '/api/v1/audit',
  summary: documented('Entries of the audit chain, in order.'),
}
const verify: RouteSpec = {
  ...list,
  path: '/api/v1/audit/verify',
  summary: documented('Walks the whole audit chain and compares every hash.'),
}

/** Feature `kbd.audit`. */
export const plugin: Plugin = definePlugin({
  name: 'kbd.audit',
  feature: 'kbd.audit',
  requires: ['ReceiptStore', 'SyncShared'],
  settings: {
    'kbd.checkpoint_entries': integer({
      default: 1_000,
      min: 1,
      summary: documented('Entries of the audit chain after which its head is signed.'),
    }),
    'kbd.checkpoint_ms': integer({
      default: 60_000,
      min: 1,
      unit: 'ms',
      summary: documented('Time after which the head of the audit chain is signed if there are new entries.'),
    }),
  },
  routes: [list, verify],
  errors: fail,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const [store, shared] = [ctx.use('ReceiptStore'), ctx.use('SyncShared')]
    const checkpoints = createCheckpoints({
      everyEntries: settings['kbd.checkpoint_entries'],
      everyMs: settings['kbd.checkpoint_ms'],
      store,
      shared,
      clock,
      key: shared.ownKey,
      yieldLoop: () => setImmediate(),
      failed: (error) => log.warn('The audit chain was not signed.', { error }),
    })
    let isStarted = false
    ctx.onStart(() => {
      isStarted = true
      checkpoints.start()
    })
    ctx.onStop(() => (isStarted ? checkpoints.stop() : undefined))

    const handlers = createAuditHandlers(store, checkpoints)
    ctx.route(list, handlers.audit)
    ctx.route(verify, handlers.verify)
  },
})
