/** The sync engine as a library: function calls instead of routes, over a host instead of a platform. */

import type { Registry } from '../../../core/declare/manifest.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { systemRandom } from '../../../core/kernel/environment.ts'
import { fromKeyId, isAdmissibleKey } from '../../protocol/keys.ts'
import type { Authority, DomainFamily, Failure, PeerState, PeerTransport, PushReceipt, ReceiptEvent } from '../api.ts'
import type { Submission } from '../engine/admission/admitted.ts'
import { malformed } from '../engine/admission/push-request.ts'
import type { Submit } from '../engine/admission/submit-push.ts'
import { createDomains } from '../engine/devices/domains.ts'
import { createSyncEngine, type SyncEngine } from '../engine/engine.ts'
import { Undecided } from '../engine/execution/applications.ts'
import { defaultLimits, type EngineLimits, type EngineOptions } from '../engine/options.ts'
import { createFeed, type ReceiptFeed } from '../engine/receipts/feed.ts'
import { createRetention } from '../engine/receipts/retention.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { fail } from '../errors.ts'
import {
  createEmbeddedParts,
  createPortableCrypto,
  type PortableCrypto,
  toAudited,
  withPins,
} from './embedded-parts.ts'
import { createHostWords, failHost, type StoreHints } from './errors.ts'
import type { CallbackHost } from './host.ts'
import { createHostCalls, type HostCalls } from './host-calls.ts'
import { isBytes } from './host-values.ts'

/** The options that every embedded engine has. */
export interface StartOptions {
  readonly host: CallbackHost
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>
}

/** The store of an embedded engine, opened with the callbacks of its host. */
export type OpenHostStore = (
  calls: HostCalls,
  cryptography: PortableCrypto,
  parts: Registry<Plugin>['storeParts'],
) => Promise<ReceiptStore>

/**
 * The calls of an embedded engine. A refusal rejects with an `SvcError` that has the `status` and `code` of the server.
 */
export interface EmbeddedSync {
  /**
   * Takes the bytes of a signed push request. Status 200 means that the push was seen before; the receipt is that of
   * the first time.
   */
  submit(bytes: Uint8Array): Promise<Submission>
  receipt(pushId: string): Promise<PushReceipt>
  /** Events after a sequence, as they come. Ends once no event can follow. */
  events(pushId: string, after?: number): AsyncIterableIterator<ReceiptEvent>
  /** Records the state that a peer has confirmed to the host. */
  recordPeer(pushId: string, endpointId: string, state: PeerState, failure?: Failure | null): Promise<PushReceipt>
  /** Tries once more to deliver a push. The engine by itself tries only after `submit`. */
  deliver(pushId: string): Promise<PushReceipt>
}

/** An embedded engine. */
export interface Embedded {
  readonly sync: EmbeddedSync
  /** For the library of a feature that works over this engine, such as `createBoards`; no other code needs it. */
  readonly parts?: object
  /** Ends open feeds, lets running work finish and closes the store. */
  close(): Promise<void>
}

/** Starts an engine on a store. The options have been checked with `missingIn`. */
export async function startEmbedded(
  { storeParts }: Registry<Plugin>,
  options: StartOptions,
  openStore: OpenHostStore,
  storeHints: StoreHints,
): Promise<Embedded> {
  const throwInHostWords = createHostWords(storeHints)
  const { host } = options
  const limits = { ...defaultLimits, ...options.limits }
  const calls = createHostCalls(host)
  const cryptography = createPortableCrypto()
  const store = await openStore(calls, cryptography, storeParts).catch(throwInHostWords)
  const authority = createHostAuthority(calls)
  /** Every call first asks the host for the identity of the caller. */
  const asCaller: AsCaller = (work) =>
    calls.enter(async () => {
      if (closing !== undefined) throw fail('receipt_store_unavailable', { message: 'The engine is closed.' })
      if ((await calls.identity()) === null) throw fail('credential_missing')
      return work().catch(throwInHostWords)
    })
  const families = [hostFamily(calls, 'kbd-control', true), hostFamily(calls, 'kbd-content', false)]
  const embed = storeParts.find((part) => part.embed !== undefined)?.embed
  const added = embed?.(createEmbeddedParts({ store, cryptography, limits, authority, calls, asCaller }))
  const parts: EngineOptions = {
    store,
    ...cryptography,
    authority,
    domains: createDomains(added === undefined ? families : families.map((one) => withPins(one, store, added.pin))),
    now: calls.now,
    limits,
    log: { log: (level, message, fields) => calls.log({ level, target: 'svc::sync', message, fields }) },
    yieldLoop: calls.yieldLoop,
    uuid: systemRandom.uuid,
    transport: host.deliver === undefined ? undefined : createHostTransport(calls),
  }
  const engine = createSyncEngine(parts)
  const retain = createRetention(parts)
  await retain()
  const feeds = new Set<ReceiptFeed>()
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    for (const feed of feeds) await feed.return()
    await engine.stop()
    await calls.idle()
    await store.close()
    calls.forget()
  }
  return {
    sync: createCalls(
      {
        ...engine,
        submit: withRetention(added === undefined ? engine.submit : toAudited(engine.submit, added.refused), retain),
      },
      asCaller,
      limits,
      feeds,
    ),
    ...(added !== undefined && { parts: added.parts }),
    async close() {
      calls.outside()
      return (closing ??= end())
    },
  }
}

/** The same submission; it removes old receipts first, if that is due. */
function withRetention(submit: Submit, retain: () => Promise<void>): Submit {
  return async (body, onStage) => {
    await retain()
    return submit(body, onStage)
  }
}

type AsCaller = <T>(work: () => Promise<T>) => Promise<T>

/** The calls. Their arguments are checked as the server checks requests. */
function createCalls(
  engine: SyncEngine,
  asCaller: AsCaller,
  { maxBodyBytes }: EngineLimits,
  feeds: Set<ReceiptFeed>,
): EmbeddedSync {
  return {
    submit: (bytes) =>
      asCaller(async () => {
        if (!isBytes(bytes)) throw malformed('a Uint8Array')
        // A copy, because the caller may change the bytes meanwhile.
        return engine.submit(bytes.slice(0, maxBodyBytes + 1))
      }),
    receipt: (pushId) => asCaller(() => engine.receipt(toId(pushId))),
    recordPeer: (pushId, endpointId, state, failure) =>
      asCaller(async () => {
        if (!PEER_STATES.includes(state)) throw malformed('state')
        const told = failure == null ? undefined : readFailure(failure)
        const { targets } = await engine.receipt(toId(pushId))
        if (!targets.includes(endpointId))
          throw fail('target_invalid', { message: 'This endpoint is no target of the push.' })
        return engine.recordPeer(pushId, endpointId, state, told)
      }),
    deliver: (pushId) => asCaller(() => engine.deliver(toId(pushId))),
    events(pushId, after = 0) {
      const guarded = {
        watch: engine.watch,
        events: (id: string, from: number) =>
          asCaller(async () => {
            if (!Number.isSafeInteger(from) || from < 0) throw malformed('after')
            return engine.events(id, from)
          }),
      }
      const feed = createFeed(guarded, toId(pushId), after)
      feeds.add(feed)
      const end = feed.return.bind(feed)
      feed.return = () => {
        feeds.delete(feed)
        return end()
      }
      return feed
    },
  }
}

/** Fewest days that receipts are kept, unless for ever. */
const LEAST_RETENTION_DAYS = 8
const PEER_STATES: readonly PeerState[] = ['received', 'applied', 'rejected']
/** Longest text of a failure that a host may report, in characters; it stays in the receipt. */
const MAX_FAILURE_TEXT = 1_024

function readFailure(failure: Failure): Failure {
  const { code, message, retryable } = (failure ?? {}) as Failure
  const isShort = (text: unknown): boolean => typeof text === 'string' && text.length <= MAX_FAILURE_TEXT
  if (!isShort(code) || !isShort(message) || typeof retryable !== 'boolean') throw malformed('failure')
  return { code, message, retryable }
}

/** A value that is no text is no id of a push. */
function toId(pushId: unknown): string {
  return typeof pushId === 'string' ? pushId : ''
}

/** The devices of a host were enrolled elsewhere, so that each key is checked here once. */
function createHostAuthority(calls: HostCalls): Authority {
  const admitted = new Set<string>()
  return {
    async device(keyId) {
      const device = await calls.device(keyId)
      if (device === undefined || admitted.has(keyId)) return device
      const key = fromKeyId(keyId)
      if (key === undefined || !isAdmissibleKey(key)) return undefined
      admitted.add(keyId)
      return device
    },
  }
}

function hostFamily(calls: HostCalls, name: string, takesFrontier: boolean): DomainFamily {
  return {
    name,
    takesFrontier,
    exists: calls.exists,
    prepare: (envelope) => envelope,
    application: {
      kind: 'hosted',
      frontier: (domain) => calls.frontier(domain).catch(unprepared),
      apply: (domain, envelope) => calls.apply(domain, envelope).catch(unprepared),
    },
  }
}

/** A failure of the host is the error that the server gives if a family fails. */
function unprepared(cause: unknown): never {
  const failed = (error: unknown): Error =>
    fail('envelope_preparation_failed', { cause: error, headers: { 'retry-after': '1' } })
  throw cause instanceof Undecided ? new Undecided(failed(cause.error), cause.settled) : failed(cause)
}

function createHostTransport(calls: HostCalls): PeerTransport {
  return {
    async deliver(envelope, endpointId) {
      await calls.deliver(envelope, endpointId)
      return undefined
    },
  }
}

/** The functions that every host must have, as paths. */
const CALLBACKS = 'identity devices.get projects.has frontier apply now log'.split(' ')

/** Returns the member of a host at a path, such as `devices.get`. */
export function memberOf(options: unknown, path: string): unknown {
  const start = (options as { host?: unknown } | undefined)?.host
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], start)
}

/**
 * Throws `ERR_HOST_INCOMPLETE` with everything that is missing or wrong. `paths` are those of the functions that the
 * store needs, `more` what else it lacks.
 */
export function checkOptions(options: unknown, paths: readonly string[], more: readonly string[]): void {
  const { limits } = (options ?? {}) as { limits?: Record<string, unknown> }
  const at = (path: string): unknown => memberOf(options, path)
  const missing = [...paths, ...CALLBACKS].filter((path) => typeof at(path) !== 'function').map((path) => `${path}()`)
  const optional = ['deliver', ...(at('timers') === undefined ? [] : ['timers.setTimeout', 'timers.clearTimeout'])]
  for (const path of optional)
    if (typeof at(path) !== 'function' && (path !== 'deliver' || at(path) !== undefined)) missing.push(`${path}()`)
  missing.push(...more)
  const { retentionDays = 0, ...others } = { timeoutMs: at('timeoutMs') ?? 1, ...limits }
  for (const [name, value] of Object.entries(others))
    if (!Number.isSafeInteger(value) || (value as number) < 1 || !(name === 'timeoutMs' || name in defaultLimits))
      missing.push(`${name} (a positive integer of the known limits)`)
  // A peer may ask about a push for 7 days, so its receipt is kept for longer.
  if (!Number.isSafeInteger(retentionDays) || (retentionDays !== 0 && retentionDays < LEAST_RETENTION_DAYS))
    missing.push(`retentionDays (0, or an integer of at least ${LEAST_RETENTION_DAYS})`)
  if (missing.length > 0)
    throw failHost('ERR_HOST_INCOMPLETE', {
      message: `The host must give: ${missing.join(', ')}.`,
      details: { missing },
    })
}
