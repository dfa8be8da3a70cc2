/** The local sync API: the engine with Node's cryptography behind its routes. */

import { homedir } from 'node:os'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { pathSettings, storageDir } from '../../../core/kernel/settings/paths.ts'
import { canonicalText } from '../../protocol/canonical.ts'
import { fromKeyId, isAdmissibleKey } from '../../protocol/keys.ts'
import type { Live } from '../../realtime/live/api.ts'
import type { Pin } from '../api.ts'
import type { PushOwner, SyncPlatform, SyncShared } from '../capabilities.ts'
import { createIncoming } from '../engine/admission/incoming.ts'
import { admitJson } from '../engine/admission/json-admission.ts'
import { unsignedPushSchema } from '../engine/admission/schemas.ts'
import { createSubmitUnsigned } from '../engine/admission/submit-unsigned.ts'
import { toAudited } from '../engine/audit/audited.ts'
import { onTimers, withTimeLimit } from '../engine/delivery/automation.ts'
import { createStoredAuthority } from '../engine/devices/devices.ts'
import { createDomains } from '../engine/devices/domains.ts'
import { createProjectFamilies } from '../engine/devices/project-families.ts'
import { createSyncEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/options.ts'
import { projectNames } from '../engine/store/statements.ts'
import { fail } from '../errors.ts'
import { nativeSha256 } from '../store-sqlite/native-sha256.ts'
import { contract } from './contract.ts'
import { createMeasured, pushMetrics } from './measure.ts'
import { createNodePlatform, fromNativeBase64, toNativeBase64 } from './node-platform.ts'
import { deprecationHook } from './paths.ts'
import { createPushHandlers } from './push-handlers.ts'
import { createReport, readyReply } from './readiness.ts'
import { type SyncState, syncRoutes, toRunningBuild } from './routes.ts'
import { createRowCheck } from './row-check.ts'
import { liveSettings, syncSettings, toLimits } from './settings.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.api': true
  }
}

/** Feature `sync.api`. */
export const feature: FeatureValue<'sync.api', never, 'LocalReadiness' | 'PushHandlers' | 'Sync' | 'SyncShared'> =
  defineFeature({
    id: 'sync.api',
    about: described({
      at: import.meta.url,
      summary: 'The local sync API, and the commands svc device, svc push, svc socket and svc store',
      stability: 'stable',
      since: '0.1.0',
      requires: ['sync.engine', 'sync.store-sqlite', 'transport.unix', 'realtime.streams'],
      platform: 'node',
      commands: () => import('./commands/commands.ts'),
      libraries: ['protocol'],
      packages: ['@noble/hashes'],
      contract,
    }),
    needs: {
      DomainFamilies: 'optional',
      Live: 'optional',
      PeerTransport: 'optional',
      ProjectPin: 'optional later',
      PushAudit: 'optional later',
      ReceiptStore: 'required',
      RemoteCallers: 'optional later',
      Streams: 'required',
      SyncPlatform: 'optional',
      Tracing: 'optional',
    },
    provides: ['LocalReadiness', 'PushHandlers', 'Sync', 'SyncShared'],
    metrics: pushMetrics,
    settings: { ...syncSettings, ...liveSettings, 'storage.dir': pathSettings['storage.dir'] },
    errors: fail,
    setup(ctx): SyncState {
      const { settings, clock, random, log } = ctx
      const store = ctx.get('ReceiptStore')
      const authority = createStoredAuthority(store)
      const live = ctx.get('Live')
      live?.enroll('receipts', undefined, { local: true })
      const peerTransport = ctx.get('PeerTransport')
      const transport = peerTransport && withTimeLimit(peerTransport, clock)
      const dir = storageDir(settings['storage.dir'], { environment: process.env, home: homedir })
      const platform = ctx.get('SyncPlatform') ?? createNodePlatform(dir)
      const { ed25519, ownKey, yieldLoop } = platform
      const [findPin, findAudit, findRemote] = [ctx.get('ProjectPin'), ctx.get('PushAudit'), ctx.get('RemoteCallers')]
      const ownerOf: Audiences['ownerOf'] = async (pushId) => findRemote()?.ownerOf(pushId)
      const pin: Pin = (ledger, project) => findPin()?.(ledger, project)
      const families = [...createProjectFamilies(store, pin), ...(ctx.get('DomainFamilies') ?? [])]
      const options: EngineOptions = {
        store,
        authority,
        domains: createDomains(families.map((family) => toAudited(family, clock.now))),
        sha256: nativeSha256,
        ed25519,
        now: clock.now,
        limits: toLimits(settings),
        log,
        yieldLoop,
        uuid: random.uuid,
        transport,
        ownId: () => ownKey().endpointId,
        ...(live !== undefined && { onReceipt: publishTo(live, { tenant: settings['sync.live_tenant'], ownerOf }) }),
      }
      const engine = createSyncEngine(options, onTimers(clock))
      const submitUnsigned = engine.entryPoint((execute) => createSubmitUnsigned(options, execute, unsignedPushSchema))
      ctx.provide('Sync', engine)
      ctx.provide('SyncShared', toShared(options, platform, pin, settings['sync.live_tenant']))
      for (const name of ['local', 'peer'] as const) ctx.hook(name, deprecationHook)
      const rows = createRowCheck(store, { clock, log })
      ctx.onStart(async () => {
        await platform.start?.(store)
        engine.start()
        rows.start()
      })
      let stopping = false
      ctx.onStopping(() => {
        stopping = true
      })
      ctx.onStop(() => {
        rows.stop()
        return engine.stop()
      })

      const measured = createMeasured({
        clock,
        metrics: ctx.metrics,
        tracing: ctx.get('Tracing'),
        transport,
        audit: findAudit,
      })
      const handlers = createPushHandlers({ engine, measured, streams: ctx.get('Streams') })
      ctx.provide('PushHandlers', handlers)
      const { profile } = ctx.manifest
      const report = createReport({ store, authority, rows, log, stopping: () => stopping })
      ctx.provide('LocalReadiness', report)
      return {
        build: toRunningBuild(ctx.manifest),
        handlers,
        pushUnsigned: (request) => measured(request, submitUnsigned),
        ready: () => readyReply(profile, report),
      }
    },
    routes: syncRoutes,
  })

/** Who sees receipts on the entity-change stream. */
interface Audiences {
  readonly tenant: string
  /** The user who handed in a push over the network; undefined for any other push. */
  readonly ownerOf: (pushId: string) => Promise<PushOwner | undefined>
}

/**
 * Publishes receipts to the readers of the entity-change stream: those of the owner of this node to the whole tenant,
 * those of a user to that user alone. If the store cannot be read, the receipt is published to nobody.
 */
function publishTo(live: Live, { tenant, ownerOf }: Audiences): EngineOptions['onReceipt'] {
  return async (receipt, operation) => {
    const event = { topic: 'receipts', identifier: receipt.pushId, operation, data: receipt }
    const audience = (await ownerOf(receipt.pushId)) ?? { tenant }
    if (live.hears(audience.tenant)) live.publish(audience, event)
  }
}

/** What other entry points for signed bytes share with this one. */
function toShared(options: EngineOptions, { ed25519, ownKey }: SyncPlatform, pin: Pin, liveTenant: string): SyncShared {
  const { limits } = options
  return {
    limits,
    sha256: nativeSha256,
    verify: ed25519.verify,
    admitJson: (bytes) => admitJson(bytes, limits.maxJsonDepth),
    canonicalText,
    toBase64: toNativeBase64,
    fromBase64: fromNativeBase64,
    fromKeyId,
    isAdmissibleKey,
    projectNames,
    liveTenant,
    incoming: createIncoming({ ...options, verify: ed25519.verify, toBase64: toNativeBase64, pin }),
    ownKey,
  }
}
