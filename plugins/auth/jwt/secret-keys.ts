import type { Awaitable } from '../../../core/kernel/values.ts'
import type { HmacKey } from '../crypto/provider.ts'
import type { CompactJws } from '../token/compact-jws.ts'

/** A secret that verifies tokens. */
export interface SecretKey {
  /**
   * Names the secret in the credentials of its tokens. It is a number of the process, so it reveals nothing of the
   * secret.
   */
  readonly id: string
  readonly key: HmacKey
}

/** The secrets that verify tokens now. */
export interface SecretKeys {
  all(): readonly SecretKey[]
  /** Replaces the secrets. Returns the ids of those that are gone. A secret that is added again has a new id. */
  replace(secrets: readonly Uint8Array<ArrayBuffer>[]): readonly string[]
}

/**
 * Creates the set. `toKey` is called at the first use of a secret, because the crypto provider is there only after the
 * start.
 */
export function createSecretKeys(
  family: string,
  toKey: (secret: Uint8Array<ArrayBuffer>) => HmacKey,
  secrets: readonly Uint8Array<ArrayBuffer>[],
): SecretKeys {
  let made = 0
  let entries = new Map<string, { readonly id: string; readonly secret: Uint8Array<ArrayBuffer> }>()
  let keys: readonly SecretKey[] | undefined
  const replace = (next: readonly Uint8Array<ArrayBuffer>[]): readonly string[] => {
    const before = entries
    entries = new Map(
      next.map((secret) => {
        const text = String.fromCharCode(...secret)
        return [text, before.get(text) ?? { id: `${family}:${++made}`, secret }] as const
      }),
    )
    keys = undefined
    return [...before].flatMap(([text, { id }]) => (entries.has(text) ? [] : id))
  }
  replace(secrets)
  return {
    all: () => (keys ??= [...entries.values()].map(({ id, secret }) => ({ id, key: toKey(secret) }))),
    replace,
  }
}

/** The first of the keys, from `at` on, whose MAC a token has; undefined if there is none. */
export function findSigner(keys: readonly SecretKey[], jws: CompactJws, at = 0): Awaitable<SecretKey | undefined> {
  const tried = keys[at]
  if (tried === undefined) return undefined
  const next = (isSigner: boolean): Awaitable<SecretKey | undefined> =>
    isSigner ? tried : findSigner(keys, jws, at + 1)
  const verified = tried.key.verify(jws)
  return verified instanceof Promise ? verified.then(next) : next(verified)
}
