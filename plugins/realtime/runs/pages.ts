/** Lists of runs in pages: newest first, in an order that is the same on every node. */

import { readNumber, readText, readWord, wrong } from '../../../core/http/query.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { decodeBase64url, encodeBase64url } from '../../../core/kernel/base64url.ts'
import { strictUtf8 } from '../../../core/kernel/bytes.ts'
import type { RunRecord, RunStatus, RunsPage, RunsQuery } from './api.ts'
import { idForm, isId } from './ids.ts'

/** Most runs of a page, and those of a page whose request gives no number. */
const MAX_PAGE = 200
const DEFAULT_PAGE = 100

const statuses: readonly RunStatus[] = ['running', 'finished', 'failed', 'cancelled']

/** The place of a run in every list. No two runs that exist at the same time have the same one. */
type Position = readonly [createdAtMs: number, tenant: string | null, user: string | null, runId: string]

/**
 * Reads the parameters of a list. Without `limit` and `before` the list is whole if `mayBeWhole`.
 * @throws SvcError `malformed_request`
 */
export function readRunsQuery(request: SvcRequest, mayBeWhole: boolean): RunsQuery {
  const status = readWord(request, 'status', statuses)
  const thread_id = readText(request, 'thread_id')
  const before = readText(request, 'before')
  const isWhole = mayBeWhole && before === undefined
  const limit = readNumber(request, 'limit', isWhole ? undefined : DEFAULT_PAGE, 1, MAX_PAGE)
  return {
    ...(status !== undefined && { status }),
    ...(thread_id !== undefined && { thread_id: readThreadId(thread_id) }),
    ...(limit !== undefined && { limit }),
    ...(before !== undefined && { before }),
  }
}

/** Checks the id of a thread. @throws SvcError `malformed_request` */
export function readThreadId(text: string): string {
  if (!isId(text)) throw wrong('thread_id', idForm)
  return text
}

/**
 * One page of runs. A cursor is the position of the last run of a page. The run itself may be gone when the cursor is
 * used, and the next page can come from another node.
 * @throws SvcError `malformed_request`
 */
export function pageOf(
  runs: readonly RunRecord[],
  { status, thread_id, run_id, limit = Infinity, before }: RunsQuery,
): RunsPage {
  const position = before === undefined ? undefined : readCursor(before)
  const matches = runs
    .filter(
      (run) =>
        (status === undefined || run.status === status) &&
        (thread_id === undefined || run.thread_id === thread_id) &&
        (run_id === undefined || run.run_id === run_id) &&
        (position === undefined || compare(positionOf(run), position) < 0),
    )
    .sort((one, other) => compare(positionOf(other), positionOf(one)))
  const page = matches.slice(0, limit)
  const last = page.at(-1)
  return { runs: page, next: last === undefined || matches.length === page.length ? null : cursorOf(positionOf(last)) }
}

function positionOf({ created_at_ms, owner: { tenant_id, user_id }, run_id }: RunRecord): Position {
  return [created_at_ms, tenant_id, user_id, run_id]
}

/**
 * Negative if the first position is the older one. Null is before every text; texts compare by their UTF-16 code units.
 */
function compare(one: Position, other: Position): number {
  for (const [at, value] of one.entries()) {
    const against = other[at]
    if (value === against || against === undefined) continue
    return against === null || (value !== null && value > against) ? 1 : -1
  }
  return 0
}

function cursorOf(position: Position): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(position)))
}

function readCursor(text: string): Position {
  const position = parsePosition(text)
  if (position === undefined || cursorOf(position) !== text) throw wrong('before', 'the `next` of an earlier page')
  return position
}

function parsePosition(text: string): Position | undefined {
  let value: unknown
  try {
    value = JSON.parse(strictUtf8.decode(decodeBase64url(text) ?? undefined))
  } catch {
    return undefined
  }
  return isPosition(value) ? value : undefined
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [createdAtMs, tenant, user, runId] = value as readonly unknown[]
  const isName = (one: unknown): boolean => one === null || typeof one === 'string'
  return Number.isSafeInteger(createdAtMs) && isName(tenant) && isName(user) && typeof runId === 'string' && isId(runId)
}
