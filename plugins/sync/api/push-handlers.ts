/**
 * The handlers of signed pushes and their receipts. The local surface and the runtime surface (`sync.remote`) answer by
 * these alone, so that both have the same checks, codes and bytes.
 */
import { empty, json, streamHeaders } from '../../../core/http/reply.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import type { Streams } from '../../realtime/streams/api.ts'
import type { PushHandlers } from '../capabilities.ts'
import { malformed } from '../engine/admission/push-request.ts'
import type { SyncEngine } from '../engine/engine.ts'
import type { Measured } from './measure.ts'
import { PUSHES_PATH } from './paths.ts'
import { sendReceiptEvents } from './receipt-stream.ts'

/** The parts of the handlers. */
export interface PushHandlerParts {
  readonly engine: SyncEngine
  readonly measured: Measured
  readonly streams: Streams
}

/** Creates the handlers. */
export function createPushHandlers({ engine, measured, streams }: PushHandlerParts): PushHandlers {
  return {
    async push(request, caller) {
      const { status, receipt } = await measured(request, engine.submit, caller)
      const location = `${PUSHES_PATH}/${receipt.pushId}`
      return json(status, receipt, status === 201 ? { location } : { 'idempotent-replayed': 'true' })
    },
    receipt: async (request) => json(200, await engine.receipt(pathParam(request, 'push_id')), noStore),
    async events(request) {
      const pushId = pathParam(request, 'push_id')
      const cursor = readCursor(request)
      const after = cursor ?? 0
      const { events, ended } = await engine.events(pushId, after, 1)
      if (cursor !== undefined && ended && events.length === 0) return empty(204)
      const open = streams.admit(request, { name: 'receipts', log: true })
      return {
        status: 200,
        headers: streamHeaders,
        stream: (sink) => sendReceiptEvents(open(sink), engine, pushId, after),
      }
    },
  }
}

const noStore = { 'cache-control': 'no-store' }

/**
 * The position of a request: the header `Last-Event-ID`, or else `after` of the query; undefined if there is neither.
 * Throws `malformed_request` for anything but a non-negative decimal integer.
 */
export function readCursor(request: SvcRequest): number | undefined {
  const text = request.header('last-event-id') ?? request.queryParam('after')
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw malformed('after')
  // No sequence is that large. A larger number is after the last event.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}
