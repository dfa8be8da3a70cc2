/** Commands as metrics and spans, and where projects stand as gauges. */
import { isSvcError } from '../../../core/errors.ts'
import type { Telemetry, Traced, Tracing } from '../../telemetry/api.ts'
import type { Applied, Standing } from '../api.ts'
import type { Boards } from '../capabilities.ts'
import { COMMAND_FORMS } from '../engine/commands/fields.ts'
import type { Entered, OnStage } from '../engine/engine.ts'

/** What is measured with. */
export interface MeasureParts {
  readonly telemetry: Telemetry | undefined
  readonly tracing: Pick<Tracing, 'staged'> | undefined
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
}

/** What stands for a type that is none: a label may not be whatever a caller writes. */
const UNKNOWN = 'unknown'

/** Measures one command, under the span of its request. */
export type Measure = (request: Traced, enter: (onStage: OnStage) => Promise<Entered>) => Promise<Entered>

/** Makes the measure of commands. */
export function createMeasure({ telemetry, tracing, monotonic }: MeasureParts): Measure {
  return async (request, enter) => {
    const startedMs = monotonic()
    const span = tracing?.staged('command', request)
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
  /** Reads where the projects stand, one after another; what cannot be read is told to `failed` and has no gauges. */
  start(): Promise<void>
  /** Moves them on by a command. */
  applied(applied: Applied, standing: Standing): void
  /** Ends the reading. */
  stop(): void
}

/** What gauges are made of. */
export interface GaugeParts {
  readonly boards: Pick<Boards, 'projects' | 'read'>
  readonly telemetry: Pick<Telemetry, 'kbdProject'>
  /** Lets others work between two projects. */
  readonly pause: () => Promise<unknown>
  readonly failed: (error: unknown) => void
}

/**
 * Makes the gauges. Open conflicts are counted on, so that a command costs nothing for those that were there. Commands may come
 * while the projects are being read: those of one that is still to be read are seen then, and one that the reading has seen is
 * told by its revision.
 */
export function createGauges({ boards, telemetry, pause, failed }: GaugeParts): ProjectGauges {
  const counted = new Map<string, { readonly open: number; readonly revision: number }>()
  const unread = new Set<string>()
  let [listed, stopped] = [false, false]
  const tell = (project: string, revision: number, headCount: number, open: number): void => {
    counted.set(project, { open, revision })
    telemetry.kbdProject(project, headCount, open)
  }
  return {
    async start() {
      for (const project of await boards.projects()) unread.add(project)
      listed = true
      for (const project of unread) {
        if (stopped) return
        try {
          await boards.read((reads) => {
            const { revision, headCount } = reads.standing(project)
            tell(project, revision, headCount, reads.conflictIds(project).length)
            unread.delete(project)
          })
        } catch (error) {
          failed(error)
        }
        await pause()
      }
    },
    applied({ project, changes, opened, revision }, standing) {
      if (!listed) unread.add(project)
      const before = counted.get(project) ?? { open: 0, revision: 0 }
      if (unread.has(project) || revision <= before.revision) return
      const closed = changes.filter(({ map, json }) => map === 'conflicts' && json === null).length
      tell(project, revision, standing.headCount, before.open + opened.length - closed)
    },
    stop() {
      stopped = true
    },
  }
}
