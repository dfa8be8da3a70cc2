/** What the palette lists, and what it says below its list. */
import { addressOfRun, type Run } from '../views/runs/run-record.ts'

/** A place of the page to go to, or a command to copy. */
export type Target = {
  readonly kind: 'view' | 'run' | 'card' | 'push' | 'copy'
  /** Differs from the keys of all other targets of the kind. */
  readonly key: string
  readonly title: string
  readonly detail: string
} & ({ readonly to: string } | { readonly copy: string })

/** A run for a reader who has chosen a user. Runs of several users may have the same id. */
export function runTarget(run: Run, user: string): Target {
  const { run_id, status, thread_id, owner } = run
  const by = user === '*' && owner !== undefined ? owner.user_id : undefined
  return {
    kind: 'run',
    key: by === undefined ? run_id : `${run_id} ${by}`,
    title: run_id,
    detail: `${status}, thread ${thread_id}${by === undefined ? '' : `, by ${by}`}`,
    to: addressOfRun(run, user),
  }
}

/** What the note is about. */
export interface PaletteState {
  /** Number of targets in the list, and of all that were found. */
  readonly listedCount: number
  readonly matchCount: number
  /** Whether something is still read. */
  readonly isReading: boolean
  /** What could not be read. */
  readonly notRead: readonly string[]
}

/** The note in words. Nothing is said to be absent that was not read. */
export function noteInWords({ listedCount, matchCount, isReading, notRead }: PaletteState): string {
  const gaps = notRead.length === 0 ? '' : ` Not read: ${notRead.join(', ')}.`
  if (matchCount === 0) return isReading ? 'Nothing found so far.' : `Nothing found.${gaps}`
  const cut = listedCount < matchCount ? `These are the first ${listedCount} of ${matchCount}. ` : ''
  return `${cut}Enter goes there, or copies the command.${isReading ? '' : gaps}`
}
