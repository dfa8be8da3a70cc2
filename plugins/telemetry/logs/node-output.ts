/**
 * Standard output that never blocks the event loop.
 *
 * `process.stdout` of Node is asynchronous for pipes and sockets only. It writes synchronously to files and terminals,
 * so that Ctrl-S would stop the service. A blocking write in the thread pool does not help: a blocked thread prevents
 * the process from exiting.
 */
import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { ChunkOutput } from './line-buffer.ts'

/** An output that can also write synchronously before the process exits. */
export interface NodeOutput extends ChunkOutput {
  /** Whether the output is a terminal. */
  readonly terminal: boolean
  /** Writes synchronously, as much as possible within `patienceMs`. Never throws. */
  writeNow(text: string, patienceMs: number): void
}

/** Opens standard output, depending on whether it is a terminal, a file, a pipe or a socket. */
export function openStandardOutput(): NodeOutput {
  const terminal = isatty(STDOUT)
  const writeNow = (text: string, patienceMs: number): void => writeAll(STDOUT, text, patienceMs)
  if (terminal) {
    const fd = reopenWithoutBlocking()
    if (fd !== undefined) return { terminal, writeNow, write: (chunk, done) => writeSome(fd, Buffer.from(chunk), done) }
  } else if (fstatSync(STDOUT).isFile()) {
    return { terminal, writeNow, write: (chunk, done) => writeWhole(STDOUT, Buffer.from(chunk), done) }
  }
  const stream = process.stdout
  // Without a listener an EPIPE, which means that the reader is gone, would end the service.
  stream.on('error', () => undefined)
  return { terminal, writeNow, write: (chunk, done) => void stream.write(chunk, done) }
}

const STDOUT = 1
/** Pause before writing again to a terminal that accepts no data. */
const RETRY_MS = 20
/** Pause before writing again to a file after an error, such as a full disk. */
const FULL_MS = 1_000

/** Opens the terminal again, because O_NONBLOCK on the shared file description would affect the shell too. */
function reopenWithoutBlocking(): number | undefined {
  let fd: number | undefined
  try {
    fd = openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    if (isatty(fd)) return fd
  } catch {
    // The terminal belongs to another user, or the file does not exist. The stream is used instead.
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
 * Writes all bytes to a file. After an error, such as a full disk, the write is repeated, because a partly written line
 * cannot be removed. The queue in front of the file is bounded and reports dropped lines.
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
