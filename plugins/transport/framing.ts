/** Chunked transfer coding (RFC 9112 section 7.1), framed once for all the streams that a chunk goes to. */

/** Bytes a stream may fall behind before its sink says so. One mebibyte holds minutes of events. */
export const HIGH_WATER_BYTES: number = 1_048_576

/**
 * `chunk` with its size line and its end. The result is kept as long as the chunk lives, so that a chunk for a thousand
 * streams is framed once.
 */
export function toFrame(chunk: Uint8Array): Buffer {
  if (chunk === lastChunk) return lastFrame!
  lastFrame = frames.get(chunk) ?? makeFrame(chunk)
  // Behind the frame: where there is no memory for one, nobody gets the frame of another chunk.
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
/** Mostly a thousand streams get one chunk after each other. */
let lastChunk: Uint8Array | undefined
let lastFrame: Buffer | undefined
