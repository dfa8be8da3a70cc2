/** Creates the parts of the feature from its settings. */

import type { SettingsOf } from '../../../core/declare/settings.ts'
import { clientAddress, networkOf, toIsTrusted } from '../../../core/http/client-address.ts'
import type { Clock, Random } from '../../../core/kernel/environment.ts'
import { type Awaitable, shareOf } from '../../../core/kernel/values.ts'
import type { ApiKeys } from '../api.ts'
import { createHashQueue, type HashQueue } from './hashing/hash-queue.ts'
import type { CreateHasher, KeyHasher } from './hashing/hasher.ts'
import type { KeyService } from './managing/api.ts'
import type { KeyServiceOptions } from './managing/key-service.ts'
import type { keySettings } from './settings.ts'
import { isLive, type KeyRecord, type KeyStore } from './store/key-store.ts'
import { createFailureLimit } from './verifying/failure-limit.ts'
import { createKeyVerifier, type KeyVerifier } from './verifying/key-verifier.ts'

type KeySettings = SettingsOf<typeof keySettings>

/** What the feature takes from a platform. */
export interface KeysPlatform {
  readonly createHasher: CreateHasher
  /** How many hashes the hasher runs at a time, at most. */
  readonly maxParallel: number
}

/** A hasher and the queue in front of it. */
export interface Hashing {
  readonly hasher: KeyHasher
  readonly queue: HashQueue
}

/** Creates the hasher of a platform and its queue. */
export function createHashing(settings: KeySettings, platform: KeysPlatform, random: Random): Hashing {
  const cost = {
    memoryKiB: settings['security.argon2_memory_kib'],
    iterations: settings['security.argon2_iterations'],
    parallelism: settings['security.argon2_parallelism'],
  }
  const limits = {
    // Read at each hash and not at start: counting the cores reads files.
    get parallel() {
      return Math.min(settings['security.argon2_concurrency'], platform.maxParallel)
    },
    waiting: settings['security.argon2_waiting'],
  }
  return { hasher: platform.createHasher(cost, random.bytes), queue: createHashQueue(limits) }
}

/** Creates the verifier. `onTouchFailed` is called when a store could not note a use. */
export function createVerifier(
  settings: KeySettings,
  parts: Hashing & { readonly store: KeyStore; readonly clock: Clock; readonly random: Random },
  onTouchFailed: (error: unknown) => void,
): KeyVerifier {
  const isTrusted = toIsTrusted(settings['server.trusted_proxies'])
  const limit = createFailureLimit({
    limit: settings['security.failed_key_limit'],
    windowMs: settings['security.failed_key_window_seconds'] * 1000,
    maxWatched: settings['security.failed_key_addresses'],
    monotonic: parts.clock.monotonic,
  })
  return createKeyVerifier({
    ...parts,
    limit,
    draw: parts.random.bytes,
    networkOf: (request) => networkOf(clientAddress(request, isTrusted)),
    cacheMs: settings['security.key_cache_seconds'] * 1000,
    cacheEntries: settings['security.key_cache_entries'],
    onTouchFailed,
  })
}

const DAY_MS = 86_400_000

/** Returns the limits of creating and keeping keys. */
export function toLimits(settings: KeySettings): Pick<KeyServiceOptions, 'bounds' | 'maxMaking' | 'maxLifeMs'> {
  return {
    bounds: {
      maxKeys: settings['security.max_keys'],
      maxKeysPerTenant: shareOf(settings['security.max_keys'], settings['security.keys_tenant_share']),
      maxKeysPerOwner: settings['security.max_keys_per_owner'],
      maxBytesPerOwner: settings['security.max_key_bytes_per_owner'],
    },
    maxMaking: settings['security.max_keys_in_the_making'],
    maxLifeMs: settings['security.key_max_days'] * DAY_MS,
  }
}

/** Creates the capability that other features use. `now` returns Unix milliseconds. */
export function createApiKeys(
  store: KeyStore,
  service: KeyService,
  verify: KeyVerifier['verify'],
  now: () => number,
): ApiKeys {
  const liveOrNull = (record: KeyRecord | undefined): KeyRecord | null =>
    record !== undefined && isLive(record, now()) ? record : null
  const live = (id: string): Awaitable<KeyRecord | null> => {
    const record = store.get(id)
    return record instanceof Promise ? record.then(liveOrNull) : liveOrNull(record)
  }
  return { verify, live, service, store }
}
