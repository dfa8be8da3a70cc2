/** Commands as metrics and spans, and where projects stand as gauges. */
import { isSvcError } from '../../../core/errors.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import type { Telemetry, Tracing } from '../../telemetry/api.ts'
import type { Applied, Standing } from '../api.ts'
import type { Boards } from '../capabilities.ts'
import type { Entered, OnStage } from '../engine/engine.ts'
import { COMMAND_FORMS } from '../engine/fields.ts'

/** What is measured with. */
export interface MeasureParts {
  readonly telemetry: Telemetry | undefined
  readonly tracing: Tracing | undefined
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
}

/** What stands for a type that is none: a label may not be whatever a caller writes. */
const UNKNOWN = 'unknown'

/** Measures one command, under the span of its request. */
export type Measure = (
  trace: TraceContext | undefined,
  enter: (onStage: OnStage) => Promise<Entered>,
) => Promise<Entered>

/** Makes the measure of commands. */
export function createMeasure({ telemetry, tracing, monotonic }: MeasureParts): Measure {
  return async (trace, enter) => {
    const startedMs = monotonic()
    const span = tracing?.staged('command', trace)
    let type = UNKNOWN
    const tell = (outcome: string, error?: unknown): void => {
      telemetry?.kbdCommand(type, outcome, (monotonic() - startedMs) / 1_000)
      span?.end({ 'command.type': type, 'command.outcome': outcome }, error)
    }
    try {
      const entered = await enter((stage, said = '') => {
        if (Object.hasOwn(COMMAND_FORMS, said)) type = said
        span?.stage(stage)
      })
      tell(entered.status === 201 ? 'created' : 'replayed')
      return entered
    } catch (error) {
      tell(isSvcError(error) ? error.code : 'internal_error', error)
      throw error
    }
  }
}

/** The gauges of all projects. */
export interface ProjectGauges {
  /** Sets them to where the projects stand now. */
  start(): Promise<void>
  /** Moves them on by a command. */
  applied(applied: Applied, standing: Standing): void
}

/** Makes the gauges. Open conflicts are counted on, so that a command costs nothing for those that were there. */
export function createGauges(boards: Pick<Boards, 'projects' | 'read'>, telemetry: Telemetry): ProjectGauges {
  const conflicts = new Map<string, number>()
  return {
    async start() {
      for (const project of await boards.projects()) {
        const { headCount, open } = await boards.read((reads) => ({
          headCount: reads.standing(project).headCount,
          open: reads.conflictIds(project).length,
        }))
        conflicts.set(project, open)
        telemetry.kbdProject(project, headCount, open)
      }
    },
    applied({ project, changes, opened }, { headCount }) {
      const closed = changes.filter(({ map, json }) => map === 'conflicts' && json === null).length
      const open = (conflicts.get(project) ?? 0) + opened.length - closed
      conflicts.set(project, open)
      telemetry.kbdProject(project, headCount, open)
    },
  }
}
