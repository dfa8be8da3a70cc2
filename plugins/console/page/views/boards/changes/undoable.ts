/** The changes that can be undone at the moment: each of them for ten seconds. */
import { type Signal, signal } from '@preact/signals'
import type { Command } from '../state.ts'

/** A change that can be taken back. */
export interface Undoable {
  readonly project: string
  /** The change in words. */
  readonly words: string
  readonly commands: readonly Command[]
  /** The commands that take the change back. */
  readonly inverse: readonly Command[]
}

/** A change with the end of its time. */
export interface TimedUndoable extends Undoable {
  /** The end of its time, on the clock of `performance.now()`, in milliseconds. */
  readonly untilMs: number
}

/** How long a change can be undone, in milliseconds. */
const UNDO_MS = 10_000

/** The changes that can be undone, the newest last. */
export const undoables: Signal<readonly TimedUndoable[]> = signal([])

/** Adds a change, and removes it at the end of its time. */
export function noteUndoable(change: Undoable): void {
  const timed = { ...change, untilMs: performance.now() + UNDO_MS }
  undoables.value = [...undoables.value, timed]
  setTimeout(() => dropUndoable(timed), UNDO_MS)
}

/** Removes a change that is being undone, or whose time has ended. */
export function dropUndoable(change: TimedUndoable): void {
  undoables.value = undoables.value.filter((other) => other !== change)
}
