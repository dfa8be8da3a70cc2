/** Keeps receipts within 256 KiB. What is written into a receipt leaves space for the later statements of its peers. */
import type { Failure, ReceiptEvent } from '../../api.ts'
import type { LedgerReads, StoredPush } from '../store/api.ts'
import { receiptOf } from './receipts.ts'

/** Most bytes of a receipt as JSON. */
const MAX_RECEIPT_BYTES = 262_144
/** Most bytes of the texts of a failure, in acknowledgements and in events about deliveries. */
const MAX_CODE_BYTES = 64
const MAX_MESSAGE_BYTES = 256

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/**
 * Most bytes of an event and of the record of a peer, without the texts of a failure. A test measures them with every
 * member set.
 */
const EVENT_BYTES = 165
const RECORD_BYTES = 560
/** Bytes for later events of this node, with the code of a failure. */
const OWN_BYTES = 512
const NO_TEXT: Failure = { code: '', message: '', retryable: false }

/**
 * Bytes that may be written now, in addition to the shortest statement of a target, with space left for a statement of
 * each other target.
 */
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

/** Bytes of a failure: `text` for its texts alone, `whole` for the whole member. */
export function failureBytes(failure: Failure): { readonly text: number; readonly whole: number } {
  const whole = bytesOf({ failure })
  return { text: whole - bytesOf({ failure: NO_TEXT }), whole }
}

/** A failure without control characters and lone surrogates, within the limits of an acknowledgement. */
export function tidyFailure({ code, message, retryable }: Failure): Failure {
  return { code: cut(plain(code), MAX_CODE_BYTES), message: cut(plain(message), MAX_MESSAGE_BYTES), retryable }
}

/** Whether a failure is within those limits. */
export function isTidy(failure: Failure): boolean {
  const { code, message } = tidyFailure(failure)
  return code === failure.code && message === failure.message
}

/** Shortens the texts of a failure to `room` bytes: the message first, then the code. */
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

/** The beginning of a text, at most `bytes` bytes of UTF-8, without a part of a character. */
function cut(text: string, bytes: number): string {
  let end = Math.min(text.length, bytes)
  while (encoder.encode(text.slice(0, end)).length > bytes) end--
  const last = text.charCodeAt(end - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end)
}
