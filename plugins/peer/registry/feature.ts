/** What a node stores about its peers. */

import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from './capabilities.ts'
import { contract } from './contract.ts'
import { createInbox } from './inbox/inbox.ts'
import { createJoins } from './joins.ts'
import { createPairings } from './pairings.ts'
import { createPeerRegistry, failRegistry } from './peer-registry.ts'
import { createSeenPeers } from './seen.ts'
import { peerSettings } from './settings.ts'
import { createStaged } from './staged/staged.ts'

/** The pause between two sweeps of the inbox, in milliseconds. */
const SWEEP_MS = 600_000

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'peer.registry': true
  }
}

/** Feature `peer.registry`. */
export const feature: FeatureValue<'peer.registry', never, 'PeerStore'> = defineFeature({
  id: 'peer.registry',
  about: described({
    at: import.meta.url,
    summary:
      'The peer registry: the entries of the owner, the pushes of peers and the acknowledgement of each; the command svc peer',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['sync.api', 'kbd.engine'],
    platform: 'node',
    storePart: () => import('./store-part.ts'),
    commands: () => import('./commands/commands.ts'),
    libraries: ['protocol'],
    contract,
  }),
  needs: { ReceiptStore: 'required', SyncShared: 'later' },
  provides: ['PeerStore'],
  settings: peerSettings,
  errors: failRegistry,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const store = ctx.get('ReceiptStore')
    const inbox = createInbox({ store, shared: ctx.get('SyncShared'), now: clock.now })
    const registry = createPeerRegistry(store, settings['peer.peers'], clock.now)
    ctx.onReload((reloaded) => registry.set(reloaded['peer.peers']))
    ctx.provide('PeerStore', {
      registry,
      inbox,
      pairings: createPairings(store, clock.now),
      joins: createJoins(store),
      seen: createSeenPeers(store, registry),
      staged: createStaged(store, settings['peer.staged_bytes'], clock.now),
    })
    let timer: unknown
    let sweeping: Promise<void> | undefined
    const sweep = (): void => {
      sweeping = inbox.sweep().catch((error: unknown) => log.warn('Pushes of peers were not swept.', { error }))
      timer = clock.setTimeout(sweep, SWEEP_MS)
    }
    ctx.onStart(() => void (timer = clock.setTimeout(sweep, SWEEP_MS)))
    ctx.onStop(async () => {
      clock.clearTimeout(timer)
      await sweeping
    })
  },
})
