/** Metrics and spans of commands, and gauges of projects. */

import { isSvcError } from '../../../core/declare/errors.ts'
import type { InstrumentsOf } from '../../../core/declare/metric.ts'
import type { Traced, Tracing } from '../../../core/declare/tracing.ts'
import type { Applied, Standing } from '../api.ts'
import type { Boards, CommandCaller } from '../capabilities.ts'
import { COMMAND_FORMS } from '../engine/commands/fields.ts'
import type { Entered, OnStage } from '../engine/engine.ts'
import type { kbdMetrics } from './metrics.ts'

type KbdInstruments = InstrumentsOf<typeof kbdMetrics>

/** The parts of the measurement. */
export interface MeasureParts {
  readonly metrics: Pick<KbdInstruments, 'commands' | 'commandSeconds'>
  readonly tracing: Pick<Tracing, 'staged'> | undefined
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
}

/** The metric label for unknown types. A caller must not choose the values of a label. */
const UNKNOWN = 'unknown'

/** Measures one command, under the span of its request. */
export type Measure = (
  request: Traced,
  enter: (onStage: OnStage) => Promise<Entered>,
  caller?: CommandCaller,
) => Promise<Entered>

/** Makes the measure of commands. */
export function createMeasure({ metrics, tracing, monotonic }: MeasureParts): Measure {
  return async (request, enter, caller) => {
    const surface = caller === undefined ? 'local' : 'runtime'
    const startedMs = monotonic()
    const span = tracing?.staged('command', request)
    let type = UNKNOWN
    const record = (outcome: string, error?: unknown): void => {
      metrics.commands.add({ surface, type, outcome })
      metrics.commandSeconds.observe({ surface }, (monotonic() - startedMs) / 1_000)
      span?.end({ 'command.type': type, 'command.outcome': outcome }, error)
    }
    try {
      const entered = await enter((stage, commandType = '') => {
        if (Object.hasOwn(COMMAND_FORMS, commandType)) type = commandType
        span?.stage(stage)
        if (stage === 'verify') caller?.verifying()
      })
      record(entered.status === 201 ? 'created' : 'replayed')
      return entered
    } catch (error) {
      record(isSvcError(error) ? error.code : 'internal_error', error)
      throw error
    }
  }
}

/** The gauges of all projects. */
export interface ProjectGauges {
  /**
   * Reads the projects one after another. If a project cannot be read, `failed` is called and the project has no
   * gauges.
   */
  start(): Promise<void>
  /** Updates the gauges after a command. */
  applied(applied: Applied, standing: Standing): void
  /** Stops the reading. */
  stop(): void
}

/** The parts of the gauges. */
export interface GaugeParts {
  readonly boards: Pick<Boards, 'projects' | 'read'>
  readonly metrics: Pick<KbdInstruments, 'heads' | 'conflicts'>
  /** Lets other work of the event loop go on between two projects. */
  readonly pause: () => Promise<unknown>
  readonly failed: (error: unknown) => void
}

/** The counts of a project. */
interface Counted {
  readonly open: number
  readonly headCount: number
  /** The newest revision that was read or reported. */
  readonly revision: number
  /** The revision at the read. `open` contains the conflicts of every command up to it. */
  readonly readRevision: number
}

/**
 * Creates the gauges. The conflicts of a project are read once; after that each command adds and subtracts its own.
 * Commands may arrive while the projects are read. A command is ignored if its project has not been read yet, because
 * the read will include it, or if its revision is not above that of the read. Commands of one commit may arrive in
 * another order than their revisions, so a revision below the newest one still counts.
 */
export function createGauges({ boards, metrics, pause, failed }: GaugeParts): ProjectGauges {
  const counted = new Map<string, Counted>()
  const unread = new Set<string>()
  let [listed, stopped] = [false, false]
  const set = (project: string, counts: Counted): void => {
    counted.set(project, counts)
    metrics.heads.set({ project }, counts.headCount)
    metrics.conflicts.set({ project }, counts.open)
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
            const open = reads.conflictIds(project).length
            set(project, { open, headCount, revision, readRevision: revision })
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
      const before = counted.get(project) ?? { open: 0, headCount: 0, revision: 0, readRevision: 0 }
      if (unread.has(project) || revision <= before.readRevision) return
      const closed = changes.filter(({ map, json }) => map === 'conflicts' && json === null).length
      const newest = revision > before.revision ? { revision, headCount: standing.headCount } : {}
      set(project, { ...before, ...newest, open: before.open + opened.length - closed })
    },
    stop() {
      stopped = true
    },
  }
}
