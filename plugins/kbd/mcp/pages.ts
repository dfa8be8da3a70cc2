/** Answers in pages. An agent reads a page as a whole, so the size of a page is limited. */
import { CommandRefusal } from '../../../core/declare/command.ts'
import { cutText } from '../../../core/kernel/printable.ts'

/** Most characters of JSON in a page. A thing that is longer comes alone. */
export const PAGE_CHARS = 131_072
/** Most characters of one text. A longer text is cut; the service has the whole text under its hash. */
const TEXT_CHARS = 65_536

/** Some things, and the cursor of the next page; null at the end. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** The room that is left on a page. */
export interface Room {
  /** Adds a thing if it still fits. Returns whether it does; the first thing always fits. */
  takes(thing: unknown): boolean
}

/** Makes the room of an empty page. */
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

/** The things after a cursor, which is the id of the last thing of the page before. */
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

/** Cuts a text that is too long for a page. */
export function cut(text: string): string {
  if (text.length <= TEXT_CHARS) return text
  return `${cutText(text, TEXT_CHARS)}… (cut: the text has ${text.length} characters)`
}
