/** A receipt stays readable: what is written into it leaves room for what its peers may still say, within 256 KiB. */
import type { Failure, ReceiptEvent } from '../../api.ts'
import type { LedgerReads, StoredPush } from '../store/api.ts'
import { receiptOf } from './receipts.ts'

/** Bytes of a receipt as JSON, at most. */
const MAX_RECEIPT_BYTES = 262_144
/** For the words about a failure: in what peers sign, and in what is told of deliveries. */
const MAX_CODE_BYTES = 64
const MAX_MESSAGE_BYTES = 256

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/** The longest that each can be without a failure's text; a test measures them on one that has every member. */
const EVENT_BYTES = 165
const RECORD_BYTES = 560
/** For the events of this node that may still come, with a failure's code. */
const OWN_BYTES = 512
const NO_TEXT: Failure = { code: '', message: '', retryable: false }

/** Bytes that may be written now beside what a target's words take at least, while every target can still say its own. */
export function spareBytes(ledger: LedgerReads, push: StoredPush): number {
  let wanted = OWN_BYTES + bytesOf(receiptOf(push, [])) + ledger.eventBytes(push.no)
  for (const target of push.targets) {
    const record = push.perPeer[target]
    if (record === undefined) wanted += 2 * EVENT_BYTES + RECORD_BYTES
    else if (record.state === 'received')
      wanted += EVENT_BYTES + Math.max(RECORD_BYTES - bytesOf({ [target]: record }), 0)
  }
  return MAX_RECEIPT_BYTES - wanted
}

/** Bytes of an event in a receipt. */
export function eventBytes(event: Omit<ReceiptEvent, 'sequence'>): number {
  return bytesOf({ sequence: 99_999, ...event }) + 1
}

/** Bytes that a failure's texts add to a record or an event, and its other members to an event. */
export function failureBytes(failure: Failure): { readonly text: number; readonly whole: number } {
  const whole = bytesOf({ failure })
  return { text: whole - bytesOf({ failure: NO_TEXT }), whole }
}

/** A failure without control characters and lone surrogates, within the bounds of what peers sign. */
export function tidyFailure({ code, message, retryable }: Failure): Failure {
  return { code: cut(plain(code), MAX_CODE_BYTES), message: cut(plain(message), MAX_MESSAGE_BYTES), retryable }
}

/** Whether a failure is as a peer may sign it. */
export function isTidy(failure: Failure): boolean {
  const { code, message } = tidyFailure(failure)
  return code === failure.code && message === failure.message
}

/** A failure whose texts take `room` bytes more than empty ones, at most: the message is cut first, then the code. */
export function shorten(failure: Failure, room: number): Failure {
  let { code, message } = failure
  while (message !== '' && failureBytes({ ...failure, code, message }).text > room)
    message = cut(message, message.length >> 1)
  while (code !== '' && failureBytes({ ...failure, code, message }).text > room) code = cut(code, code.length >> 1)
  return { ...failure, code, message }
}

function plain(text: string): string {
  return decoder.decode(encoder.encode(text)).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
}

/** The beginning of a text in so many bytes of UTF-8, at a whole character. */
function cut(text: string, bytes: number): string {
  let end = Math.min(text.length, bytes)
  while (encoder.encode(text.slice(0, end)).length > bytes) end--
  const last = text.charCodeAt(end - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end)
}
