/** The audit chain on the local surface, and its checkpoints. */
import { setImmediate } from 'node:timers/promises'
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { deprecated, integer } from '../../../core/declare/settings.ts'
import type {} from '../../sync/capabilities.ts'
import { fail } from '../errors.ts'
import { listAnswers, listParameters, verifyAnswers } from './answers.ts'
import { createCheckpoints } from './checkpoints.ts'
import { contract } from './contract.ts'
import { createAuditHandlers } from './handlers.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.audit': true
  }
}

/**
 * Feature `kbd.audit`. The store keeps the chain in every build. This feature lists it, verifies it and signs its head.
 */
export const feature: FeatureValue<'kbd.audit'> = defineFeature({
  id: 'kbd.audit',
  about: described({
    at: import.meta.url,
    summary: 'The audit chain: listed, verified, its head signed by the node; the command svc audit',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['kbd.api', 'sync.api'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract,
  }),
  needs: { ReceiptStore: 'required', SyncShared: 'required' },
  settings: {
    'kbd.checkpoint_entries': deprecated(
      integer({
        default: 1_000,
        min: 1,
        summary: documented('Entries of the audit chain after which its head is signed.'),
      }),
      documented('Each signature covers all earlier entries, so 1000 entries need one.'),
    ),
    'kbd.checkpoint_ms': deprecated(
      integer({
        default: 60_000,
        min: 1,
        unit: 'ms',
        summary: documented('Time after which the head of the audit chain is signed if there are new entries.'),
      }),
      documented('New entries are signed within a minute, so a minute of entries is unsigned at most.'),
    ),
  },
  errors: fail,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const [store, shared] = [ctx.get('ReceiptStore'), ctx.get('SyncShared')]
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
    return createAuditHandlers(store, checkpoints)
  },
  routes: (route) => [
    route('local GET /api/v1/audit', {
      about: described({
        id: 'audit',
        summary: 'Entries of the audit chain, in order.',
        parameters: listParameters,
        answers: listAnswers,
      }),
      handler: ({ request }, { audit }) => audit(request),
    }),
    route('local GET /api/v1/audit/verify', {
      about: described({
        id: 'auditVerify',
        summary: 'Walks the whole audit chain and compares every hash.',
        answers: verifyAnswers,
      }),
      handler: ({ request }, { verify }) => verify(request),
    }),
  ],
})
