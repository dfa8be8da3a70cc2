/** Runs cells on a runtime, each in a new project. */
import { join } from 'node:path'
import { type Cell, cells, type Outcome } from './cells.ts'
import { causeOf } from './known.ts'
import { makeProject } from './project.ts'
import type { Runtime } from './runtimes/runtime.ts'
import type { StepResult } from './suite/runner.ts'
import type { Row } from './table.ts'

/** Runs the chosen cells on a runtime, in folders below `folder`. */
export async function runRow(runtime: Runtime, folder: string, chosen: readonly Cell[] = cells): Promise<Row> {
  const outcomes = new Map<string, Outcome>()
  for (const cell of chosen) outcomes.set(cell.id, await runCell(runtime, cell, join(folder, cell.id)))
  return { runtime, outcomes }
}

async function runCell(runtime: Runtime, cell: Cell, folder: string): Promise<Outcome> {
  const reason = runtime.absent ?? runtime.left(cell)
  if (reason !== undefined) return { left: reason }
  let results: readonly StepResult[]
  try {
    results = await runtime.run(cell, makeProject(folder))
  } catch (error) {
    results = [{ name: 'starts', problem: error instanceof Error ? error.message : String(error) }]
  }
  const failed = results.filter(({ problem }) => problem !== undefined)
  return {
    passed: results.length - failed.length,
    of: results.length,
    problems: failed.map(({ name, problem }) => `${name}: ${problem}`),
  }
}

/** The first problem of each failing cell of a row without a known cause. */
export function surprises({ runtime, outcomes }: Row): readonly string[] {
  return cells.flatMap((cell) => {
    const outcome = outcomes.get(cell.id)
    if (outcome === undefined || 'left' in outcome || causeOf(runtime, cell) !== undefined) return []
    return outcome.problems
      .slice(0, 1)
      .map((problem) => `${runtime.title} ${runtime.version}, ${cell.title}: ${problem}`)
  })
}
