/**
 * Lines of JSON-RPC on standard input and output (MCP, "stdio"). The transport of the SDK does not answer a malformed
 * line.
 */
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { toJsonText } from '../../../core/kernel/printable.ts'
import { isObject } from '../../../core/kernel/values.ts'

/** Most bytes of a line. A text of 256 KiB fits, even if every character is escaped. */
export const MAX_LINE_BYTES = 2_097_152

const LINE_FEED = 10
/** Bytes of each end of a too long line, in which its id is found. */
const END_BYTES = 1_024

/** A transport over two streams. A line that is no message is answered with the error of JSON-RPC 2.0, section 5.1. */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #input: Readable
  readonly #output: Writable
  #pieces: Buffer[] = []
  #bytes = 0
  /** The beginning of a line that is too long. Of its rest, only the end is kept. */
  #head: string | undefined

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#take)
    this.#input.on('error', this.#failed)
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#take)
    this.#input.off('error', this.#failed)
    this.#input.pause()
    this.onclose?.()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message)
  }

  #write(value: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${toJsonText(value)}\n`)) resolve()
      else this.#output.once('drain', resolve)
    })
  }

  readonly #failed = (error: Error): void => this.onerror?.(error)

  readonly #take = (chunk: Buffer): void => {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, from)
      this.#keep(chunk.subarray(from, end < 0 ? chunk.length : end))
      if (end < 0) return
      from = end + 1
      const bytes = Buffer.concat(this.#pieces)
      const head = this.#head
      this.#pieces = []
      this.#bytes = 0
      this.#head = undefined
      if (head !== undefined)
        this.#refuse(
          idAtEnds(head, bytes.toString('latin1')),
          ErrorCode.InvalidRequest,
          `A line has at most ${MAX_LINE_BYTES} bytes.`,
        )
      else this.#decode(bytes)
    }
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    this.#pieces.push(piece)
    if (this.#bytes <= MAX_LINE_BYTES) return
    const buffer = Buffer.concat(this.#pieces)
    this.#head ??= buffer.toString('latin1', 0, END_BYTES)
    // A copy, because a part of the buffer would keep all of it.
    this.#pieces = [Buffer.from(buffer.subarray(-END_BYTES))]
  }

  #decode(bytes: Buffer): void {
    let line: string
    try {
      line = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      const text = bytes.toString('latin1')
      this.#refuse(idAtEnds(text, text), ErrorCode.ParseError, 'The line is not UTF-8.')
      return
    }
    if (line.trim() !== '') this.#read(line)
  }

  #read(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#refuse(null, ErrorCode.ParseError, 'The line is not JSON.')
      return
    }
    const { success, data } = JSONRPCMessageSchema.safeParse(value)
    if (success) this.onmessage?.(data)
    else this.#refuse(idOf(value), ErrorCode.InvalidRequest, 'The line is no message of JSON-RPC 2.0.')
  }

  #refuse(id: string | number | null, code: ErrorCode, message: string): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } })
  }
}

/** The id of a request. Returns null if there is none. */
function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? value['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[\x20\x21\x23-\x5b\x5d-\x7e]*")`
const ID_AT_START = new RegExp(String.raw`^\s*\{(?:\s*"\w{1,64}"\s*:\s*(?:"[^"\\]*"|\d+)\s*,)*?\s*${ID}\s*,`)
const ID_AT_END = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`)

/**
 * The id of a request that cannot be parsed, if it is one of the first members or the last one, as in the messages of
 * all common clients. Null if there is none.
 */
function idAtEnds(start: string, end: string): string | number | null {
  const [, id] = ID_AT_START.exec(start) ?? ID_AT_END.exec(end) ?? []
  return id === undefined ? null : (JSON.parse(id) as string | number)
}
