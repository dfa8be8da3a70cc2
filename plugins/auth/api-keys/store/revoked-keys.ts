import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { Issue, RevokedUsers } from '../../api.ts'
import { type KeyDraft, type KeyRecord, type KeyStore, subjectOf } from './key-store.ts'

/**
 * A store whose keys end with the revocation of their owner or their maker. A record carries the numbers of the
 * revocations that its node had applied, so that a key that is made while its owner is revoked on another node ends as
 * well.
 */
export function withRevokedUsers(store: KeyStore, revoked: RevokedUsers | undefined): KeyStore {
  if (revoked === undefined) return store
  const judge = (record: KeyRecord): KeyRecord => {
    if (record.revokedAtMs !== null || !isKeyRevoked(record, revoked)) return record
    return { ...record, revokedAtMs: revoked.revokedAtMs(subjectOf(record)) }
  }
  const judgeFound = (record: KeyRecord | undefined): KeyRecord | undefined =>
    record === undefined ? undefined : judge(record)
  return {
    durable: store.durable,
    get: (id) => {
      const record = store.get(id)
      return record instanceof Promise ? record.then(judgeFound) : judgeFound(record)
    },
    list: async (owner) => (await store.list(owner)).map(judge),
    hasRoom: async (draft, bounds) => {
      if (await store.hasRoom(draft, bounds)) return true
      // The store does not know that these keys are dead.
      const dead = (await store.list(draft.owner)).filter(
        (record) => record.revokedAtMs === null && isKeyRevoked(record, revoked),
      )
      for (const record of dead) await store.revoke(record.id, judge(record).revokedAtMs ?? draft.createdAtMs)
      return dead.length > 0 && (await store.hasRoom(draft, bounds))
    },
    add: (record, bounds) => store.add(record, bounds),
    revoke: (id, atMs): Awaitable<void> => store.revoke(id, atMs),
    touch: (id, atMs): Awaitable<void> => store.touch(id, atMs),
    ...(store.ending !== undefined && {
      ending: async (nowMs, untilMs) =>
        ((await store.ending?.(nowMs, untilMs)) ?? []).filter((key) => !isKeyRevoked(key, revoked)),
    }),
    ...(store.all !== undefined && {
      all: { ...store.all, page: async (...parameters) => ((await store.all?.page(...parameters)) ?? []).map(judge) },
    }),
    ...(store.onRevoked !== undefined && { onRevoked: (listener) => store.onRevoked?.(listener) }),
  }
}

/** Whether the owner or the maker of a key was revoked after the key was made. */
export function isKeyRevoked(record: Pick<KeyDraft, 'owner' | 'madeBy' | 'marks'>, revoked: RevokedUsers): boolean {
  return revoked.isRevoked(subjectOf(record), issueOf(record))
}

/** What a key says of its issue. */
export function issueOf({ marks = [0, 0] }: Pick<KeyRecord, 'marks'>): Issue {
  return { marks }
}
