/** Chunked transfer coding (RFC 9112 section 7.1). A chunk is framed once for all streams that it is sent to. */

/** Bytes that may wait for a client before `write` returns false. One mebibyte is minutes of events. */
export const HIGH_WATER_BYTES: number = 1_048_576

/**
 * Returns `chunk` with its size line and its end. The result is kept as long as the chunk exists, so that a chunk for a
 * thousand streams is framed once.
 */
export function toFrame(chunk: Uint8Array): Buffer {
  if (chunk === lastChunk && lastFrame !== undefined) return lastFrame
  lastFrame = frames.get(chunk) ?? makeFrame(chunk)
  // Set after the frame was made: if there is no memory for it, no stream may get the frame of the chunk before.
  lastChunk = chunk
  return lastFrame
}

function makeFrame(chunk: Uint8Array): Buffer {
  const head = `${chunk.byteLength.toString(16)}\r\n`
  const frame = Buffer.allocUnsafe(head.length + chunk.byteLength + 2)
  frame.write(head, 0, 'latin1')
  frame.set(chunk, head.length)
  frame.write('\r\n', head.length + chunk.byteLength, 'latin1')
  frames.set(chunk, frame)
  return frame
}

const frames = new WeakMap<Uint8Array, Buffer>()
/** The last framed chunk: usually many streams get the same chunk one after the other. */
let lastChunk: Uint8Array | undefined
let lastFrame: Buffer | undefined
