/** The form of a tool, and the parts that tools share. */
import { createHash } from 'node:crypto'
import type { Claim } from '../api.ts'
import type { BoardActions } from '../cli/api.ts'
import type { RunReports } from './run-reports.ts'
import { DEFAULT_LEASE_SECONDS, type ObjectSchema } from './schemas.ts'
import type { Viewpoint } from './views.ts'

/** The parts that tools use. */
export interface ToolContext {
  readonly board: BoardActions
  readonly runs: RunReports
  /** The agent name of claims, if the caller gives none. */
  readonly agent: string | null
  readonly now: () => number
  /** The claims of other devices on the cards that were changed since the last call. */
  readonly takeHeld: () => readonly Claim[]
}

/** The input of a call, after it was checked against its schema. */
export type Input = Readonly<Record<string, unknown>>

/** One tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** Whether the tool only reads. */
  readonly reads: boolean
  run(input: Input, context: ToolContext): Promise<Readonly<Record<string, unknown>>>
}

/** A member of an input that is a text. */
export const textOf = (input: Input, name: string): string => input[name] as string

/** A member of an input that may be absent. */
export const memberOf = <T>(input: Input, name: string): T | undefined => input[name] as T | undefined

/** The lease of a call, in milliseconds. */
export const leaseOf = (input: Input): number =>
  (memberOf<number>(input, 'leaseSeconds') ?? DEFAULT_LEASE_SECONDS) * 1000

/** The clock and the device for which a project is shown. */
export const viewpoint = ({ board, now }: ToolContext): Viewpoint => ({
  find: board.find,
  nowMs: now(),
  keyId: board.keyId(),
})

/**
 * The id of what a call creates: a UUID (RFC 9562 section 5.8) from the device, the tool and the `idempotency_key`, so
 * that a repeated call finds what the first one created. Undefined without a key.
 */
export function idOfCall(input: Input, { board }: Pick<ToolContext, 'board'>, tool: string): string | undefined {
  const key = memberOf<string>(input, 'idempotency_key')
  if (key === undefined) return undefined
  const hex = createHash('sha256')
    .update(JSON.stringify([board.keyId(), tool, key]))
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
