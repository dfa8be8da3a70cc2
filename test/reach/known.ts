/** Cells that are not green, each with its cause. A red cell that is not listed here fails the run. */
import type { Cell } from './cells.ts'
import type { Runtime } from './runtimes/runtime.ts'

interface Known {
  readonly runtime: string
  readonly cell: string
  readonly cause: string
}

const known: readonly Known[] = []

/** Why a cell is red; undefined if that is not known. */
export function causeOf({ title }: Runtime, { id }: Cell): string | undefined {
  return known.find(({ runtime, cell }) => runtime === title && cell === id)?.cause
}
