/** Counts operations and errors, and the errors that a fault excuses. */

/** A fault. While it lasts, it excuses errors of matching kinds in operations at the same time. */
export interface Fault {
  readonly name: string
  readonly excuses: RegExp
}

/** An error with a kind, by which it is counted: a status with a code, or an error code. */
export class Wrong extends Error {
  readonly kind: string

  constructor(kind: string, message: string = kind) {
    super(message)
    this.kind = kind
  }
}

interface Window extends Fault {
  readonly fromMs: number
  untilMs: number
}

interface Row {
  operations: number
  readonly excused: Map<string, number>
  readonly faults: Map<string, number>
}

/** Counts for all kinds of operations. */
export interface Tally {
  /** Runs an operation and counts it. Resolves with undefined if the operation failed. */
  count<T>(name: string, operation: () => Promise<T>): Promise<T | undefined>
  /** Opens a window in which errors are excused. The returned function closes the window after `graceMs`. */
  excuse(fault: Fault, graceMs: number): () => void
  /** The number of errors that no fault excused. */
  readonly faults: number
  table(): string
}

/** Creates a tally. */
export function createTally(): Tally {
  const rows = new Map<string, Row>()
  const windows: Window[] = []
  const rowOf = (name: string): Row => {
    const row = rows.get(name) ?? { operations: 0, excused: new Map(), faults: new Map() }
    rows.set(name, row)
    return row
  }
  const isExcused = (kind: string, fromMs: number, untilMs: number): boolean =>
    windows.some((window) => window.fromMs <= untilMs && fromMs <= window.untilMs && window.excuses.test(kind))

  return {
    count: async (name, operation) => {
      const fromMs = performance.now()
      const row = rowOf(name)
      row.operations++
      try {
        return await operation()
      } catch (error) {
        const kind = kindOf(error)
        // An operation may fail before the window of its fault is opened, so the check waits.
        await new Promise((resolve) => setTimeout(resolve, 250))
        const counts = isExcused(kind, fromMs, performance.now()) ? row.excused : row.faults
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        if (counts === row.faults) console.error(`${name}: ${kind}: ${error instanceof Error ? error.message : ''}`)
        return undefined
      }
    },
    excuse: (fault, graceMs) => {
      const window: Window = { ...fault, fromMs: performance.now(), untilMs: Number.POSITIVE_INFINITY }
      windows.push(window)
      return () => {
        window.untilMs = performance.now() + graceMs
      }
    },
    get faults() {
      return [...rows.values()].reduce((sum, { faults }) => sum + total(faults), 0)
    },
    table: () => {
      const lines = [...rows].map(([name, { operations, excused, faults }]) => [
        name,
        String(operations),
        list(excused),
        list(faults),
      ])
      const all = [['operation', 'done', 'errors that a fault excuses', 'errors'], ...lines]
      const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((line) => line[column]!.length)))
      return all
        .map((line) =>
          line
            .map((cell, column) => cell.padEnd(widths[column]!))
            .join('  ')
            .trimEnd(),
        )
        .join('\n')
    },
  }
}

function kindOf(error: unknown): string {
  if (error instanceof Wrong) return error.kind
  if (!(error instanceof Error)) return String(error)
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException
  return typeof code === 'string' ? code : error.name
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0)
const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([kind, n]) => `${kind} ${n}`).join(', ') || '0'
