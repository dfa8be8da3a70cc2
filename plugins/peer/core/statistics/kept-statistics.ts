/** Keeps what was seen of the peers in the store, so that a restart does not lose it. */
import type { Clock } from '../../../../core/kernel/environment.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import type { SeenPeer, SeenPeers } from '../../registry/capabilities.ts'
import type { PeerStatistics } from './peer-statistics.ts'

/** Longest time that something that was seen is only in memory, in milliseconds. A peer is seen many times a minute. */
const SAVE_MS = 10_000

/** What the keeper needs. */
export interface KeeperParts {
  readonly seen: SeenPeers
  readonly statistics: PeerStatistics
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly log: Logger
}

/** Keeps the statistics of one process. */
export interface Keeper {
  /**
   * Reads what an earlier process has kept, and saves changes from now on. Does not reject: the node works without it.
   */
  start(): Promise<void>
  /** Saves the last changes. */
  stop(): Promise<void>
  /** What an earlier process has seen of a peer. */
  before(endpointId: string): SeenPeer | undefined
}

/** Creates the keeper. */
export function createKeeper({ seen, statistics, clock, log }: KeeperParts): Keeper {
  const pastPeers = new Map<string, SeenPeer>()
  let timer: unknown
  let saving: Promise<void> = Promise.resolve()
  const save = async (): Promise<void> => {
    const changed = statistics.takeChanged().flatMap((endpointId): SeenPeer[] => {
      const { lastSeenAtMs, heads } = statistics.of(endpointId)
      const past = pastPeers.get(endpointId)
      const atMs = lastSeenAtMs ?? past?.lastSeenAtMs
      return atMs === undefined
        ? []
        : [{ endpointId, lastSeenAtMs: atMs, heads: { ...past?.heads, ...Object.fromEntries(heads) } }]
    })
    if (changed.length === 0) return
    try {
      await seen.save(changed)
    } catch (error) {
      log.warn('When peers were last seen could not be stored.', { error })
    }
  }
  const again = (): void => {
    timer = clock.setTimeout(() => {
      saving = save()
      again()
    }, SAVE_MS)
  }
  return {
    async start() {
      try {
        for (const peer of await seen.list()) pastPeers.set(peer.endpointId, peer)
      } catch (error) {
        log.warn('When peers were last seen could not be read.', { error })
      }
      again()
    },
    async stop() {
      clock.clearTimeout(timer)
      await saving
      await save()
    },
    before: (endpointId) => pastPeers.get(endpointId),
  }
}
