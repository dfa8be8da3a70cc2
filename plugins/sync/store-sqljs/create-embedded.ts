/** The sync engine as a library: function calls instead of routes, over a host instead of a platform. */
import { systemRandom } from '../../../core/environment.ts'
import type { Registry } from '../../../core/manifest.ts'
import type { Plugin } from '../../../core/plugin.ts'
import { isAdmissibleKey } from '../../protocol/key-admission.ts'
import { fromKeyId } from '../../protocol/key-ids.ts'
import type { Authority, DomainFamily, Failure, PeerState, PeerTransport, PushReceipt, ReceiptEvent } from '../api.ts'
import type { Submission } from '../engine/admission/admitted.ts'
import { malformed } from '../engine/admission/push-request.ts'
import { createDomains } from '../engine/devices/domains.ts'
import { createSyncEngine, type SyncEngine } from '../engine/engine.ts'
import { Undecided } from '../engine/execution/undecided.ts'
import { defaultLimits, type EngineLimits } from '../engine/options.ts'
import { createFeed, type ReceiptFeed } from '../engine/receipts/feed.ts'
import { fail } from '../errors.ts'
import { openBytesStore } from './bytes-store.ts'
import { createEmbeddedParts, toAudited, withPins } from './embedded-parts.ts'
import { failHost } from './errors.ts'
import type { EmbeddedHost } from './host.ts'
import { createHostCalls, type HostCalls } from './host-calls.ts'
import { isBytes } from './host-values.ts'
import { throwInHostWords } from './host-words.ts'
import { createPortableCrypto } from './portable-crypto.ts'

/** What an embedded engine is made from. */
export interface EmbeddedOptions {
  readonly host: EmbeddedHost
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>
}

/** The calls of an embedded engine. A refusal rejects with an `SvcError` that has the `status` and `code` of the server. */
export interface EmbeddedSync {
  /** Takes the bytes of a signed push request. Status 200 means that the push was seen before; the receipt is that of the first time. */
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

/**
 * Starts an engine on the bytes that the host has saved. Rejects with `ERR_HOST_INCOMPLETE` and everything that the host lacks,
 * with `ERR_SQL_WASM`, with `receipt_store_unavailable` if the host cannot load, or with `store_damaged`, `store_newer` or
 * `store_foreign` if the bytes are no store of this version or an older one. Nothing is saved then.
 */
export async function createEmbedded({ storeParts }: Registry<Plugin>, options: EmbeddedOptions): Promise<Embedded> {
  checkOptions(options)
  const { host } = options
  const limits = { ...defaultLimits, ...options.limits }
  const calls = createHostCalls(host)
  const cryptography = createPortableCrypto()
  const store = await openBytesStore(calls, host.sqlWasm, cryptography.sha256, storeParts).catch(throwInHostWords)
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
  const engine = createSyncEngine({
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
  })
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
      added === undefined ? engine : { ...engine, submit: toAudited(engine.submit, added.refused) },
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

const PEER_STATES: readonly PeerState[] = ['received', 'applied', 'rejected']
/** Longest text of a failure that a host may report, in characters; it stays in the receipt. */
const MAX_FAILURE_TEXT = 1_024

function readFailure(given: Failure): Failure {
  const { code, message, retryable } = (given ?? {}) as Failure
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

/** The functions that a host must have, as paths. */
const CALLBACKS = 'persistence.load persistence.save identity devices.get projects.has frontier apply now log'.split(
  ' ',
)

/** Throws `ERR_HOST_INCOMPLETE` with everything that is missing or wrong. */
function checkOptions(options: EmbeddedOptions | undefined): void {
  const { host, limits } = (options ?? {}) as { host?: Record<string, unknown>; limits?: Record<string, unknown> }
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], host)
  const missing = CALLBACKS.filter((path) => typeof at(path) !== 'function').map((path) => `${path}()`)
  const optional = ['deliver', ...(at('timers') === undefined ? [] : ['timers.setTimeout', 'timers.clearTimeout'])]
  for (const path of optional)
    if (typeof at(path) !== 'function' && (path !== 'deliver' || at(path) !== undefined)) missing.push(`${path}()`)
  if (typeof at('sqlWasm') !== 'object' || at('sqlWasm') === null)
    missing.push('sqlWasm (sql-wasm.wasm: bytes or module)')
  const numbers = { timeoutMs: at('timeoutMs') ?? 1, ...limits }
  for (const [name, value] of Object.entries(numbers))
    if (!Number.isSafeInteger(value) || (value as number) < 1 || !(name === 'timeoutMs' || name in defaultLimits))
      missing.push(`${name} (a positive integer of the known limits)`)
  if (missing.length > 0)
    throw failHost('ERR_HOST_INCOMPLETE', {
      message: `The host must give: ${missing.join(', ')}.`,
      details: { missing },
    })
}
