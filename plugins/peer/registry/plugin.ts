/** What a node stores about its peers. */
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from './capabilities.ts'
import { createInbox } from './inbox/inbox.ts'
import { createJoins } from './joins.ts'
import { createPairings } from './pairings.ts'
import { createPeerRegistry, failRegistry } from './peer-registry.ts'
import { createSeenPeers } from './seen.ts'
import { peerSettings } from './settings.ts'
import { createStaged } from './staged/staged.ts'

/** The pause between two sweeps of the inbox, in milliseconds. */
const SWEEP_MS = 600_000

/** Feature `peer.registry`. */
export const plugin: Plugin = definePlugin({
  name: 'peer.registry',
  feature: 'peer.registry',
  requires: ['ReceiptStore'],
  requiresLater: ['SyncShared'],
  provides: ['PeerStore'],
  settings: peerSettings,
  errors: failRegistry,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const store = ctx.use('ReceiptStore')
    const inbox = createInbox({ store, shared: ctx.useLater('SyncShared'), now: clock.now })
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
