/**
 * Imports exported boards. Commands pass the checks for commands of a peer. Of each project, all commands are added or
 * none.
 */

import { isSvcError, SvcError } from '../../../core/declare/errors.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject, sizeFault } from '../../../core/kernel/values.ts'
import type { SyncShared } from '../../sync/capabilities.ts'
import type { Boards } from '../capabilities.ts'
import { namedText } from '../engine/commands/commands.ts'
import type { ReadCommand } from '../engine/commands/envelope.ts'
import { fail } from '../errors.ts'

/** The result of an import. */
export interface Imported {
  /** The number of new commands. */
  readonly commands: number
  /** The number of new texts. */
  readonly content: number
}

/** The parts of an import. */
export interface ImportParts {
  readonly boards: Boards
  readonly shared: SyncShared
  /** Largest text of a card or comment, in bytes. A line may be longer than 512 KiB only if this limit needs it. */
  readonly maxContentBytes: number
  readonly monotonic: () => number
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
}

/** Imports a file. `read` returns its bytes, and is called only if no other import runs. */
export type Import = (read: () => Promise<Uint8Array>) => Promise<Imported>

/**
 * Lowest limit of the bytes of a line. Parsing a longer line would block other work. A text of 256 KiB in base64 fits.
 */
const MAX_LINE_BYTES = 512 * 1024
/** Milliseconds of reading before other work of the event loop goes on. */
const TURN_MS = 10

interface Line {
  readonly line: number
  readonly command?: ReadCommand
  readonly content?: { readonly sha256: string; readonly bytes: Uint8Array }
}

/** Commands of one project, with their lines. */
type Entries = readonly { readonly command: ReadCommand; readonly line: number }[]

/**
 * Makes the import of a node. One import runs at a time; another one throws `overloaded`. A refusal has the number of
 * its line, counted from 1, as `error.line`.
 */
export function createImport(parts: ImportParts): Import {
  let isRunning = false
  return async (read) => {
    if (isRunning) throw httpFail('overloaded')
    isRunning = true
    try {
      return await importLines(parts, await readLines(parts, await read()))
    } finally {
      isRunning = false
    }
  }
}

/** Reads every line and verifies its command or text. Equal lines are read once. */
async function readLines(parts: ImportParts, bytes: Uint8Array): Promise<readonly Line[]> {
  const { shared, monotonic, yieldLoop } = parts
  const maxLineBytes = Math.max(MAX_LINE_BYTES, Math.ceil(parts.maxContentBytes / 3) * 4 + 1_024)
  const read: Line[] = []
  const seen = new Set<string>()
  let line = 0
  let untilMs = monotonic() + TURN_MS
  for (const part of lines(bytes)) {
    line++
    if (part.length > maxLineBytes)
      throw withLine(fail('payload_too_large', { message: sizeFault('A line', maxLineBytes, part.length) }), line)
    const hash = part.length === 0 ? undefined : shared.sha256(part)
    if (hash !== undefined && !seen.has(hash)) {
      seen.add(hash)
      const number = line
      read.push(await atLine(number, () => readLine(parts, part, number)))
    }
    if (monotonic() < untilMs) continue
    await yieldLoop()
    untilMs = monotonic() + TURN_MS
  }
  return read
}

async function readLine({ boards, shared }: ImportParts, bytes: Uint8Array, line: number): Promise<Line> {
  const value = shared.admitJson(bytes)
  if (isObject(value) && Object.keys(value).length === 1 && 'command' in value)
    return { line, command: await boards.engine.prove(value['command']) }
  if (!isObject(value) || Object.keys(value).length !== 2) throw fail('malformed_request')
  const { content, sha256 } = value
  const text = typeof content === 'string' ? shared.fromBase64(content) : undefined
  if (text === undefined || typeof sha256 !== 'string') throw fail('malformed_request')
  if (shared.sha256(text) !== sha256) throw fail('content_mismatch')
  return { line, content: { sha256, bytes: text } }
}

async function importLines({ boards }: ImportParts, read: readonly Line[]): Promise<Imported> {
  const byProject = new Map<string, { readonly command: ReadCommand; readonly line: number }[]>()
  /** By the hash of a text, the projects whose commands in this file name the text. */
  const naming = new Map<string, Set<string>>()
  for (const { command, line } of read) {
    if (command === undefined) continue
    const entries = byProject.get(command.project) ?? []
    byProject.set(command.project, entries)
    entries.push({ command, line })
    const hash = namedText(command.envelope.command)
    if (hash !== undefined) naming.set(hash, (naming.get(hash) ?? new Set()).add(command.project))
  }
  for (const [project, entries] of byProject)
    if (!(await boards.exists(project))) throw withLine(fail('scope_not_found'), lineOf(entries, 0))
  let commands = 0
  for (const [project, entries] of byProject) commands += await importProject(boards, project, entries)
  let content = 0
  for (const { content: text, line } of read) {
    if (text === undefined) continue
    const from = { projects: [...(naming.get(text.sha256) ?? [])] }
    if (await atLine(line, () => boards.putContent(text.sha256, text.bytes, from))) content++
  }
  return { commands, content }
}

/** Adds the commands of one project. Returns the number of new commands. */
async function importProject(boards: Boards, project: string, entries: Entries): Promise<number> {
  const set = entries.map(({ command }) => command)
  try {
    const { added, refusal } = await boards.engine.admit(project, set, undefined, { isWhole: true })
    if (refusal !== undefined) throw withLine(refusal.error, lineOf(entries, refusal.index))
    return added
  } catch (error) {
    if (!isSvcError(error) || error.details?.['line'] !== undefined) throw error
    throw withLine(error, lineOf(entries, error.details?.['index']))
  }
}

function lineOf(entries: Entries, index: unknown): number {
  return entries[typeof index === 'number' ? index : 0]?.line ?? 1
}

async function atLine<T>(line: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw withLine(error, line)
  }
}

/** Adds the number of the line to a refusal. Returns any other error unchanged. */
function withLine(error: unknown, line: number): unknown {
  if (!isSvcError(error) || error.status >= 500) return error
  const { code, status, message, hint, headers } = error
  const options = { message, details: { ...error.details, line }, ...(hint && { hint }), ...(headers && { headers }) }
  return new SvcError(code, { status, message }, options)
}

/** The lines, which line feeds separate. The last line may be without one. */
function* lines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(10, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    yield bytes.subarray(start, end)
    start = end + 1
  }
}
