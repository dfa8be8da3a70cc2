import type { Identity } from '../../../../core/http/identity.ts'
import type { KeyOwner, KeyRecord } from '../store/key-store.ts'
import type { KeyRequest } from './key-request.ts'

/** Creates, lists and revokes the keys of a caller. */
export interface KeyService {
  /**
   * Creates a key of `owner`, which is the caller or another user of its tenant; the returned text is not stored
   * anywhere.
   * @throws SvcError `forbidden` for scopes beyond the caller's, `rate_limited` if the caller has too many keys or
   * creates too many at a time, `overloaded`, `api_key_invalid` or `token_expired` if the caller's credential ended
   * after the request was admitted
   */
  create(
    owner: KeyOwner,
    caller: Identity,
    request: KeyRequest,
  ): Promise<{ readonly key: string; readonly record: KeyRecord }>
  list(owner: KeyOwner): Promise<readonly KeyRecord[]>
  /**
   * Revokes a key; a second time changes nothing.
   * @throws SvcError `not_found` for a key that is not the owner's
   */
  revoke(owner: KeyOwner, id: string): Promise<void>
}
