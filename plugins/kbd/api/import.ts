/** Boards from a file: judged like a peer's, and whole: nothing is taken of a file in which a line is wrong. */
import { isSvcError, SvcError } from '../../../core/errors.ts'
import { isObject } from '../../../core/is-object.ts'
import type { SyncDoor } from '../../sync/capabilities.ts'
import type { Boards } from '../capabilities.ts'
import type { ReadCommand } from '../engine/commands/envelope.ts'
import { fail } from '../errors.ts'

/** What an import brought. */
export interface Imported {
  /** Commands that were new. */
  readonly commands: number
  /** Texts that were new. */
  readonly content: number
}

/** Lines that are looked at before others have their turn. */
const SLICE = 64

interface Line {
  readonly line: number
  readonly command?: ReadCommand
  readonly content?: { readonly sha256: string; readonly bytes: Uint8Array }
}

/** Makes the door for files. A refusal has the number of its line, counted from 1, as `error.line`. */
export function createImport(
  boards: Boards,
  door: SyncDoor,
  yieldLoop: () => Promise<void>,
): (bytes: Uint8Array) => Promise<Imported> {
  const readLine = async (bytes: Uint8Array, line: number): Promise<Line> => {
    const value = door.admitJson(bytes)
    if (isObject(value) && Object.keys(value).length === 1 && 'command' in value)
      return { line, command: await boards.engine.prove(value['command']) }
    if (!isObject(value) || Object.keys(value).length !== 2) throw fail('malformed_request')
    const { content, sha256 } = value
    const text = typeof content === 'string' ? door.fromBase64(content) : undefined
    if (text === undefined || typeof sha256 !== 'string') throw fail('malformed_request')
    if (door.sha256(text) !== sha256) throw fail('content_mismatch')
    return { line, content: { sha256, bytes: text } }
  }

  return async (bytes) => {
    const read: Line[] = []
    let line = 0
    for (const part of lines(bytes)) {
      line++
      if (part.length > 0) read.push(await atLine(line, () => readLine(part, line)))
      if (line % SLICE === 0) await yieldLoop()
    }
    const byProject = new Map<string, { readonly command: ReadCommand; readonly line: number }[]>()
    for (const { command, line } of read) {
      if (command === undefined) continue
      const known = byProject.get(command.project) ?? []
      byProject.set(command.project, known)
      known.push({ command, line })
    }
    for (const [project, [first]] of byProject)
      if (!(await boards.exists(project))) throw withLine(fail('scope_not_found'), first!.line)

    const imported = { commands: 0, content: 0 }
    for (const [project, given] of byProject) {
      const set = given.map(({ command }) => command)
      const lineOf = (index: unknown): number => given[typeof index === 'number' ? index : 0]!.line
      try {
        const { applied, refusal } = await boards.engine.admit(project, set)
        imported.commands += applied.length
        if (refusal !== undefined) throw withLine(refusal.error, lineOf(refusal.index))
      } catch (error) {
        if (!isSvcError(error) || error.details?.['line'] !== undefined) throw error
        throw withLine(error, lineOf(error.details?.['index']))
      }
    }
    for (const { content, line } of read) {
      if (content === undefined) continue
      const isNew = await atLine(line, () => boards.putContent(content.sha256, content.bytes))
      if (isNew) imported.content++
    }
    return imported
  }
}

async function atLine<T>(line: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw withLine(error, line)
  }
}

/** A refusal that says where; anything else stays what it is. */
function withLine(error: unknown, line: number): unknown {
  if (!isSvcError(error) || error.status >= 500) return error
  const { code, status, message, hint, headers } = error
  const given = { message, details: { ...error.details, line }, ...(hint && { hint }), ...(headers && { headers }) }
  return new SvcError(code, { status, message }, given)
}

/** Lines of UTF-8 by line feed; the last one need not have one. */
function* lines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    yield bytes.subarray(start, end)
    start = end + 1
  }
}
