/** The local sync API: the engine with Node's cryptography behind its routes. */

import { homedir } from 'node:os'
import { streamHeaders } from '../../../core/http/event-stream.ts'
import { pathParam } from '../../../core/http/path-param.ts'
import { empty, json, type Reply } from '../../../core/http/reply.ts'
import { definePlugin, type Plugin, type PluginContext } from '../../../core/plugin.ts'
import { pathSettings, storageDir } from '../../../core/settings/paths.ts'
import { canonicalText } from '../../protocol/canonical.ts'
import { isAdmissibleKey } from '../../protocol/key-admission.ts'
import { fromKeyId } from '../../protocol/key-ids.ts'
import type { Live, Streams } from '../../realtime/api.ts'
import type {} from '../../telemetry/capabilities.ts'
import type { Pin } from '../api.ts'
import type {} from '../capabilities.ts'
import { createIncoming } from '../engine/admission/incoming.ts'
import { admitJson } from '../engine/admission/json-admission.ts'
import { unsignedPushSchema } from '../engine/admission/schemas.ts'
import { createSubmitUnsigned } from '../engine/admission/submit-unsigned.ts'
import { toAudited } from '../engine/audit/audited.ts'
import { onTimers, withTimeLimit } from '../engine/delivery/automation.ts'
import { createStoredAuthority } from '../engine/devices/devices.ts'
import { createDomains } from '../engine/devices/domains.ts'
import { createProjectFamilies } from '../engine/devices/project-families.ts'
import { createSyncEngine, type SyncEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/options.ts'
import { projectNames } from '../engine/store/statements.ts'
import { fail } from '../errors.ts'
import { nativeSha256 } from '../store-sqlite/native-sha256.ts'
import { readCursor } from './cursor.ts'
import { deprecationHook } from './deprecation.ts'
import { createMeasured, type Measured } from './measure.ts'
import { pushMetrics } from './metrics.ts'
import { fromNativeBase64, toNativeBase64 } from './native-base64.ts'
import { createNodePlatform } from './node-platform.ts'
import { createReady } from './readiness.ts'
import { sendReceiptEvents } from './receipt-stream.ts'
import { PUSHES_PATH, routes } from './routes.ts'
import { createRowCheck } from './row-check.ts'
import { toRunningBuild } from './running-build.ts'
import { liveSettings, syncSettings, toLimits } from './settings.ts'

/** Feature `sync.api`. */
export const plugin: Plugin = definePlugin({
  name: 'sync.api',
  feature: 'sync.api',
  requires: ['ReceiptStore', 'Streams'],
  wants: ['SyncPlatform', 'PeerTransport', 'DomainFamilies', 'Tracing', 'Live'],
  wantsLater: ['ProjectPin', 'PushAudit'],
  provides: ['Sync', 'SyncShared'],
  metrics: pushMetrics,
  settings: { ...syncSettings, ...liveSettings, 'storage.dir': pathSettings['storage.dir'] },
  routes: Object.values(routes),
  errors: fail,
  setup(ctx) {
    const { settings, clock, random, log } = ctx
    const store = ctx.use('ReceiptStore')
    const authority = createStoredAuthority(store)
    const live = ctx.find('Live')
    live?.enroll('receipts', undefined, { local: true })
    const given = ctx.find('PeerTransport')
    const transport = given && withTimeLimit(given, clock)
    const dir = storageDir(settings['storage.dir'], { environment: process.env, home: homedir })
    const platform = ctx.find('SyncPlatform') ?? createNodePlatform(dir)
    const { ed25519, ownKey, yieldLoop } = platform
    const [findPin, findAudit] = [ctx.findLater('ProjectPin'), ctx.findLater('PushAudit')]
    const pin: Pin = (ledger, project) => findPin()?.(ledger, project)
    const families = [...createProjectFamilies(store, pin), ...(ctx.find('DomainFamilies') ?? [])]
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
      ...(live !== undefined && { onReceipt: publishTo(live, settings['sync.live_tenant']) }),
    }
    const engine = createSyncEngine(options, onTimers(clock))
    const submitUnsigned = engine.entryPoint((execute) => createSubmitUnsigned(options, execute, unsignedPushSchema))
    ctx.provide('Sync', engine)
    ctx.provide('SyncShared', {
      limits: options.limits,
      sha256: nativeSha256,
      verify: ed25519.verify,
      admitJson: (bytes) => admitJson(bytes, options.limits.maxJsonDepth),
      canonicalText,
      toBase64: toNativeBase64,
      fromBase64: fromNativeBase64,
      fromKeyId,
      isAdmissibleKey,
      projectNames,
      liveTenant: settings['sync.live_tenant'],
      incoming: createIncoming({ ...options, store, verify: ed25519.verify, toBase64: toNativeBase64, pin }),
      ownKey,
    })
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

    const alive = json(200, { status: 'ok' }, { 'cache-control': 'no-store' })
    ctx.route(routes.health, () => alive)
    ctx.route(routes.build, () => json(200, toRunningBuild(ctx.manifest), noStore))
    const { profile } = ctx.manifest
    ctx.route(routes.ready, createReady({ store, authority, rows, profile, log, stopping: () => stopping }))

    const measured = createMeasured({
      clock,
      metrics: ctx.metrics,
      tracing: ctx.find('Tracing'),
      transport,
      audit: findAudit,
    })
    bindPushes(ctx, { engine, measured, submitUnsigned })
    bindReceipts(ctx, { engine, streams: ctx.use('Streams') })
  },
})

/** Binds the routes for pushes. */
function bindPushes(
  ctx: Pick<PluginContext, 'route'>,
  {
    engine,
    measured,
    submitUnsigned,
  }: { readonly engine: SyncEngine; readonly measured: Measured; readonly submitUnsigned: SyncEngine['submit'] },
): void {
  ctx.route(routes.push, async (request) => {
    const { status, receipt } = await measured(request, engine.submit)
    const location = `${PUSHES_PATH}/${receipt.pushId}`
    return json(status, receipt, status === 201 ? { location } : { 'idempotent-replayed': 'true' })
  })
  ctx.route(routes.unsigned, async (request) => {
    if (request.peer.transport !== 'unix')
      throw fail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })
    const { receipt } = await measured(request, submitUnsigned)
    return json(202, { pushId: receipt.pushId, status: receipt.localState })
  })
}

/** Binds the routes that read receipts and their events. */
function bindReceipts(
  ctx: Pick<PluginContext, 'route'>,
  { engine, streams }: { readonly engine: SyncEngine; readonly streams: Streams },
): void {
  ctx.route(routes.receipt, async (request) => json(200, await engine.receipt(pathParam(request, 'push_id')), noStore))
  ctx.route(routes.events, async (request): Promise<Reply> => {
    const pushId = pathParam(request, 'push_id')
    const cursor = readCursor(request)
    const after = cursor ?? 0
    const { events, ended } = await engine.events(pushId, after, 1)
    if (cursor !== undefined && ended && events.length === 0) return empty(204)
    const open = streams.admit(request, { name: 'receipts', log: true })
    return {
      status: 200,
      headers: streamHeaders,
      stream: (sink) => sendReceiptEvents(open(sink), engine, pushId, after),
    }
  })
}

/** Publishes receipts to the readers of the entity-change stream. */
function publishTo(live: Live, tenant: string): EngineOptions['onReceipt'] {
  return (receipt, operation) => {
    if (live.hears(tenant))
      live.publish({ tenant }, { topic: 'receipts', identifier: receipt.pushId, operation, data: receipt })
  }
}

const noStore = { 'cache-control': 'no-store' }
