/** Pages of the keys of several owners, newest first. */
import { readNumber, readText, wrong } from '../../../../core/http/query.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import type { AllKeys, KeyOwners, KeyPlace, KeyRecord, KeyStore } from '../store/key-store.ts'

/** Most keys of a page, and those of a page whose request gives no number. */
const MAX_PAGE = 1_000
const DEFAULT_PAGE = 100

/** A page of keys. */
export interface KeyPage {
  readonly records: readonly KeyRecord[]
  /** The `before` of the next page; null on the last one. */
  readonly next: string | null
}

/**
 * The page that a request asks for by `limit` and `before`.
 * @throws SvcError `malformed_request`, `overloaded`, `not_found`
 */
export async function pageOfKeys(
  request: SvcRequest,
  store: Pick<KeyStore, 'all'>,
  owners: KeyOwners,
): Promise<KeyPage> {
  const limit = readNumber(request, 'limit', DEFAULT_PAGE, 1, MAX_PAGE)
  const keys = await allKeys(store).page(owners, limit + 1, placeOf(readText(request, 'before')))
  const records = keys.slice(0, limit)
  const last = records.at(-1)
  const next = last !== undefined && keys.length > limit ? `${last.createdAtMs}-${last.id}` : null
  return { records, next }
}

/**
 * The keys of all users. @throws SvcError `not_found` if the key store, which may be another plugin's, has no access to
 * them
 */
export function allKeys({ all }: Pick<KeyStore, 'all'>): AllKeys {
  if (all !== undefined) return all
  throw httpFail('not_found', { message: 'The key store has no list of all keys.' })
}

/** Reads a cursor: time and id of the last key of a page. */
function placeOf(text: string | undefined): KeyPlace | undefined {
  if (text === undefined) return undefined
  const [, time, id] = /^(\d{1,15})-([0-9A-Za-z]{16})$/.exec(text) ?? []
  if (id === undefined) throw wrong('before', 'the `next` of an earlier page')
  return { createdAtMs: Number(time), id }
}
