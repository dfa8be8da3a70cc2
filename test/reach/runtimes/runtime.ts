/** A runtime on which the entries are tested. */
import type { Child } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'

/** One row of the table. */
export interface Runtime {
  /** The title in the table. */
  readonly title: string
  /** The version of the runtime. */
  readonly version: string
  /** The reason why the runtime cannot be tested on this machine. Undefined if it can. */
  readonly absent: string | undefined
  /** Whether the version is pinned. If so, the table must have the same version. */
  readonly isPinned: boolean
  /** The reason why an entry does not support this runtime. Returns undefined if the entry is tested. */
  left(cell: Cell): string | undefined
  /** Runs the suite of an entry. */
  run(cell: Cell, project: Project): Promise<readonly StepResult[]>
}

/** The beginning of the output line with the results of a process. */
export const MARK = 'reach '

/** The results in the output of a process that ends. */
export async function resultsOf(child: Child): Promise<readonly StepResult[]> {
  const { code, signal } = await child.exited
  const output = `${child.out}\n${child.err}`
  const line = output.split('\n').find((candidate) => candidate.startsWith(MARK))
  if (line === undefined)
    throw new Error(`no results, ended with ${signal ?? code}: ${output.trim().slice(0, 2_000) || 'no output'}`)
  return JSON.parse(line.slice(MARK.length)) as readonly StepResult[]
}
