/** Answers in pages: an agent reads each of them whole, so that none may be larger than it can take. */
import { CommandRefusal } from '../../../core/command.ts'

/** Characters of JSON in a page; one thing that is larger comes alone. */
export const PAGE_CHARS = 131_072
/** Characters of one text. What is cut off is in the content of the service, by its hash. */
const TEXT_CHARS = 65_536

/** Some things, and the cursor of those that follow; null at the end. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** A page with room that is left. */
export interface Room {
  /** Whether a thing still fits; the first one always does. */
  takes(thing: unknown): boolean
}

/** Opens an empty page. */
export function createRoom(): Room {
  let used = 0
  return {
    takes(thing) {
      const chars = JSON.stringify(thing).length
      if (used > 0 && used + chars > PAGE_CHARS) return false
      used += chars
      return true
    },
  }
}

/** The things behind a cursor, which is the id of the last one of the page before. */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  idOf: (thing: T) => string,
  room: Room = createRoom(),
): Page<T> {
  const first = cursor === undefined ? 0 : all.findIndex((thing) => idOf(thing) === cursor) + 1
  if (cursor !== undefined && first === 0) throw unknownCursor()
  const items: T[] = []
  for (const thing of all.slice(first)) {
    if (!room.takes(thing)) return { items, nextCursor: idOf(items.at(-1)!) }
    items.push(thing)
  }
  return { items, nextCursor: null }
}

/** The refusal of a cursor that names nothing. */
export function unknownCursor(): CommandRefusal {
  return new CommandRefusal('input_invalid', 'The cursor names nothing that is there now: begin without it.')
}

/** A text that is not longer than a page takes. */
export function cut(text: string): string {
  if (text.length <= TEXT_CHARS) return text
  return `${text.slice(0, TEXT_CHARS)}… (cut: the text has ${text.length} characters)`
}
