import type { ExchangeSecret } from '../api.ts'
import type { HmacKey } from '../crypto/provider.ts'
import type { ExchangeKey } from './exchange-tokens.ts'

/** The secrets of exchange tokens, imported. */
export interface ExchangeRing {
  /** The first one signs, all of them verify. */
  all(): readonly [ExchangeKey, ...ExchangeKey[]]
  /** Replaces the secrets. Returns the ids of those that are gone. A secret that is added again has a new id. */
  replace(secrets: readonly [ExchangeSecret, ...ExchangeSecret[]]): readonly string[]
}

/**
 * Creates the ring. `first` and `toKey` are called at the first use of a secret: some platforms have no random numbers
 * before a request, and the crypto provider is there only after the start.
 */
export function createExchangeRing(
  first: () => readonly [ExchangeSecret, ...ExchangeSecret[]],
  toKey: (secret: Uint8Array<ArrayBuffer>) => HmacKey,
): ExchangeRing {
  let made = 0
  let secrets: readonly (ExchangeSecret & { readonly id: string })[] = []
  let keys: readonly ExchangeKey[] | undefined
  const replace = (next: readonly ExchangeSecret[]): readonly string[] => {
    const before = secrets
    secrets = next.map((one) => before.find(({ kid }) => kid === one.kid) ?? { ...one, id: `exchange:${++made}` })
    keys = undefined
    return before.flatMap(({ kid, id }) => (secrets.some((one) => one.kid === kid) ? [] : id))
  }
  return {
    all: () => {
      if (secrets.length === 0) replace(first())
      keys ??= secrets.map(({ kid, id, bytes }) => ({ kid, narrowKid: `${kid}.2`, id, key: toKey(bytes) }))
      return keys as readonly [ExchangeKey, ...ExchangeKey[]]
    },
    replace,
  }
}
