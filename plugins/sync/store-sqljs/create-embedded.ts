/** The sync engine as a library: function calls instead of routes, over a host instead of a platform. */
import { systemRandom } from '../../../core/environment.ts'
import type { Registry } from '../../../core/manifest.ts'
import type { Plugin } from '../../../core/plugin.ts'
import type { Authority, DomainFamily, Failure, PeerState, PeerTransport, PushReceipt, ReceiptEvent } from '../api.ts'
import { createDomains } from '../engine/domains.ts'
import { createSyncEngine, type SyncEngine } from '../engine/engine.ts'
import type { Submission } from '../engine/execute.ts'
import { createFeed } from '../engine/feed.ts'
import { isAdmissibleKey } from '../engine/key-admission.ts'
import { fromKeyId } from '../engine/key-ids.ts'
import { defaultLimits, type EngineLimits } from '../engine/options.ts'
import { fail } from '../errors.ts'
import { openBytesStore } from './bytes-store.ts'
import type { EmbeddedHost } from './host.ts'
import { createPortableCrypto } from './portable-crypto.ts'

/** What an embedded engine is made from. */
export interface EmbeddedOptions {
  readonly host: EmbeddedHost
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>
}

/** The calls of an embedded engine. A refusal rejects with an `SvcError` that has `status` and `code` as on the server. */
export interface EmbeddedSync {
  /** Takes the bytes of a signed push request. 200: seen before, and the receipt is the one of then. */
  submit(bytes: Uint8Array): Promise<Submission>
  receipt(pushId: string): Promise<PushReceipt>
  /** Events after a sequence as they come; ends when nothing can follow. */
  events(pushId: string, after?: number): AsyncIterableIterator<ReceiptEvent>
  /** Writes what a peer has confirmed, on the host's word. */
  recordPeer(pushId: string, endpointId: string, state: PeerState, failure?: Failure): Promise<PushReceipt>
  /** Tries once more to hand over what a push still has to send: the engine does so by itself only after `submit`. */
  deliver(pushId: string): Promise<PushReceipt>
}

/** An embedded engine. */
export interface Embedded {
  readonly sync: EmbeddedSync
  /** Ends open feeds, lets running work finish and closes the store. */
  close(): Promise<void>
}

/**
 * Starts an engine on what the host has saved. Rejects with `store_damaged`, `store_newer` or `store_foreign` where those
 * bytes are not a store of this version or an older one; nothing is saved then.
 */
export async function createEmbedded(
  _registry: Registry<Plugin>,
  { host, limits }: EmbeddedOptions,
): Promise<Embedded> {
  const [store, crypto] = await Promise.all([openBytesStore(host), createPortableCrypto()])
  const engine = createSyncEngine({
    store,
    ...crypto,
    authority: createHostAuthority(host),
    domains: createDomains([hostFamily(host, 'kbd-control', true), hostFamily(host, 'kbd-content', false)]),
    now: () => host.now(),
    limits: { ...defaultLimits, ...limits },
    log: {
      log: (level, message, fields) => host.log({ timeMs: host.now(), level, target: 'svc::sync', message, fields }),
    },
    yieldLoop,
    uuid: systemRandom.uuid,
    transport: createHostTransport(host),
  })
  const feeds = new Set<AsyncIterableIterator<ReceiptEvent>>()
  return {
    sync: guard(host, engine, feeds),
    async close() {
      for (const feed of feeds) await feed.return?.()
      await engine.stop()
      await store.close()
    },
  }
}

/** Every call asks first who is calling. */
function guard(host: EmbeddedHost, engine: SyncEngine, feeds: Set<AsyncIterableIterator<ReceiptEvent>>): EmbeddedSync {
  const asCaller = async <T>(work: () => Promise<T>): Promise<T> => {
    if ((await host.identity()) === null) throw fail('credential_missing')
    return work()
  }
  return {
    submit: (bytes) => asCaller(() => engine.submit(bytes)),
    receipt: (pushId) => asCaller(() => engine.receipt(pushId)),
    recordPeer: (pushId, endpointId, state, failure) =>
      asCaller(() => engine.recordPeer(pushId, endpointId, state, failure)),
    deliver: (pushId) => asCaller(() => engine.deliver(pushId)),
    events(pushId, after = 0) {
      const guarded = {
        watch: engine.watch,
        events: (id: string, from: number) => asCaller(() => engine.events(id, from)),
      }
      const feed = createFeed(guarded, pushId, after)
      feeds.add(feed)
      const end = feed.return!.bind(feed)
      feed.return = () => {
        feeds.delete(feed)
        return end()
      }
      return feed
    },
  }
}

/** A host's devices were enrolled elsewhere, so their keys are put to the rule here, each once. */
function createHostAuthority(host: EmbeddedHost): Authority {
  const admitted = new Set<string>()
  return {
    async device(keyId) {
      const device = (await host.devices.get(keyId)) ?? undefined
      if (device === undefined || admitted.has(keyId)) return device
      const key = fromKeyId(keyId)
      if (key === undefined || !isAdmissibleKey(key)) return undefined
      admitted.add(keyId)
      return device
    },
  }
}

function hostFamily(host: EmbeddedHost, name: string, takesFrontier: boolean): DomainFamily {
  return {
    name,
    takesFrontier,
    exists: (domain) => host.projects.has(domain),
    prepare: (envelope) => envelope,
    application: {
      kind: 'hosted',
      frontier: (domain) => host.frontier(domain),
      apply: (domain, envelope) => host.apply(domain, envelope),
    },
  }
}

function createHostTransport(host: EmbeddedHost): PeerTransport | undefined {
  if (host.deliver === undefined) return undefined
  return {
    async deliver(envelope, endpointId) {
      await host.deliver!(envelope, endpointId)
      return undefined
    },
  }
}

/** A host without timers has nothing that could run in between. */
async function yieldLoop(): Promise<void> {
  if (typeof setTimeout === 'function') await new Promise<void>((resolve) => setTimeout(resolve, 0))
}
