/**
 * Standard output as something that never blocks the event loop.
 *
 * Node's own `process.stdout` does that for pipes and sockets only: it writes to a file synchronously, and to a terminal
 * too, so that Ctrl-S would stop the service. A blocking write in the thread pool is no way out either: a thread that
 * hangs in it keeps the process from exiting.
 */
import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { ChunkOutput } from './line-buffer.ts'

/** An output that can also write the last words of a process that is about to die. */
export interface NodeOutput extends ChunkOutput {
  /** Whether a person with a terminal reads it. */
  readonly terminal: boolean
  /** Writes at once, as much as goes within `patienceMs`. Never throws. */
  writeNow(text: string, patienceMs: number): void
}

/** Standard output, by the means that fits what it is. */
export function openStandardOutput(): NodeOutput {
  const terminal = isatty(STDOUT)
  const writeNow = (text: string, patienceMs: number): void => writeAll(STDOUT, text, patienceMs)
  if (terminal) {
    const own = reopenWithoutBlocking()
    if (own !== undefined)
      return { terminal, writeNow, write: (chunk, done) => writeSome(own, Buffer.from(chunk), done) }
  } else if (fstatSync(STDOUT).isFile()) {
    return { terminal, writeNow, write: (chunk, done) => writeWhole(STDOUT, Buffer.from(chunk), done) }
  }
  const stream = process.stdout
  // Without a listener the end of the reader (EPIPE) would end the service.
  stream.on('error', () => undefined)
  return { terminal, writeNow, write: (chunk, done) => void stream.write(chunk, done) }
}

const STDOUT = 1
/** How long to wait before asking a full terminal again. */
const RETRY_MS = 20
/** How long to wait before a file is tried again that takes nothing, such as one on a full disk. */
const FULL_MS = 1_000

/** A description of our own, so that not blocking does not spread to the shell that shares the terminal. */
function reopenWithoutBlocking(): number | undefined {
  let fd: number | undefined
  try {
    fd = openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    if (isatty(fd)) return fd
  } catch {
    // Not our terminal (another user's, or no such file): the stream is good enough.
  }
  if (fd !== undefined) closeSync(fd)
  return undefined
}

function writeSome(fd: number, bytes: Uint8Array, done: (error?: Error | null) => void): void {
  write(fd, bytes, (error, written) => {
    if (error?.code === 'EAGAIN') setTimeout(writeSome, RETRY_MS, fd, bytes, done)
    else if (error) done(error)
    else if (written < bytes.length) writeSome(fd, bytes.subarray(written), done)
    else done()
  })
}

/**
 * Writes to a file until it has taken all: an error, such as that of a full disk, is waited out, because what has been
 * written of a line cannot be taken back. The queue in front of it is bounded, and says what it had to drop.
 */
function writeWhole(fd: number, bytes: Uint8Array, done: () => void): void {
  write(fd, bytes, (error, written) => {
    if (error) setTimeout(writeWhole, FULL_MS, fd, bytes, done).unref()
    else if (written < bytes.length) writeWhole(fd, bytes.subarray(written), done)
    else done()
  })
}

function writeAll(fd: number, text: string, patienceMs: number): void {
  let bytes: Uint8Array = Buffer.from(text)
  const until = performance.now() + patienceMs
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const full = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      if (!full || performance.now() > until) return
    }
  }
}
