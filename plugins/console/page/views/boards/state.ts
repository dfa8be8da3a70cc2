/** The state of a project in the page: a snapshot, and the patches after it. */
import type { Conflict, Project } from '../../../../kbd/api.ts'
import { applyPatch, type PatchOperation } from '../../lib/json-patch.ts'

export type {
  Board,
  Card,
  CardDetail,
  Claim,
  Column,
  Command,
  CommandEnvelope,
  Conflict,
  ListedCommand,
  Place,
  Project,
} from '../../../../kbd/api.ts'

/** An event of the stream of a project that the page uses. */
export type BoardEvent =
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: Project }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly PatchOperation[] }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown }
  | { readonly type: 'RUN_STARTED' | 'RUN_FINISHED' }

/** The result of a batch of events. */
export interface AppliedEvents {
  readonly project: Project | undefined
  /** Conflicts that the events opened. */
  readonly opened: readonly Conflict[]
}

/**
 * Applies events in their order. Throws a `RangeError` if a patch does not fit the state. The stream must then be
 * opened again.
 */
export function applyEvents(before: Project | undefined, events: readonly BoardEvent[]): AppliedEvents {
  const opened: Conflict[] = []
  let project = before
  for (const event of events) {
    if (event.type === 'STATE_SNAPSHOT') project = event.snapshot
    else if (event.type === 'STATE_DELTA') {
      if (project === undefined) throw new RangeError('A patch came before the state.')
      project = applyPatch(project, event.delta) as Project
    } else if (event.type === 'CUSTOM' && event.name === 'svc.kbd.conflict') opened.push(event.value as Conflict)
  }
  return { project, opened }
}
