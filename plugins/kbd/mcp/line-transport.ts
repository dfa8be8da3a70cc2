/**
 * Lines of JSON-RPC on standard input and output (MCP, "stdio"). The transport of the SDK does not answer a malformed
 * line.
 */
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../../../core/is-object.ts'
import { toJsonText } from '../../../core/printable.ts'

/** Most bytes of a line. A text of 256 KiB fits, even if every character is escaped. */
export const MAX_LINE_BYTES = 2_097_152

const LINE_FEED = 10

/** A transport over two streams. A line that is no message is answered with the error of JSON-RPC 2.0, section 5.1. */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #input: Readable
  readonly #output: Writable
  #pieces: Buffer[] = []
  #bytes = 0
  /** Set until the end of a line that is too long. The rest of the line is not kept. */
  #isTooLong = false

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
      const line = Buffer.concat(this.#pieces).toString('utf8')
      const isTooLong = this.#isTooLong
      this.#pieces = []
      this.#bytes = 0
      this.#isTooLong = false
      if (isTooLong) this.#refuse(null, ErrorCode.InvalidRequest, `A line has at most ${MAX_LINE_BYTES} bytes.`)
      else if (line.trim() !== '') this.#read(line)
    }
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > MAX_LINE_BYTES) {
      this.#pieces = []
      this.#isTooLong = true
    } else this.#pieces.push(piece)
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
