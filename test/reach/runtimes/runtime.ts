/** A runtime that the entries are tried on. */
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'

/** One row of the table. */
export interface Runtime {
  /** As the table names it. */
  readonly title: string
  /** Its version; `present` where the platform has none of its own. */
  readonly version: string
  /** Why it cannot be tried on this machine; undefined if it can. */
  readonly absent: string | undefined
  /** Whether its version is pinned, so that the table must have the same. */
  readonly isPinned: boolean
  /** Why an entry is not for this runtime; undefined if the entry is tried. */
  left(cell: Cell): string | undefined
  /** Runs the suite of an entry. */
  run(cell: Cell, project: Project): Promise<readonly StepResult[]>
}

/** Begins the line with the results of a process. */
export const MARK = 'reach '

/** The results in the output of a process. */
export function resultsIn(output: string): readonly StepResult[] {
  const line = output.split('\n').find((one) => one.startsWith(MARK))
  if (line === undefined) throw new Error(`no results: ${output.trim().slice(0, 2_000) || 'no output'}`)
  return JSON.parse(line.slice(MARK.length)) as readonly StepResult[]
}
