/** A project as the page knows it: a snapshot, and the patches that followed. */
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

/** An event of the stream of a project, as far as the page follows it. */
export type BoardEvent =
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: Project }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly PatchOperation[] }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown }
  | { readonly type: 'RUN_STARTED' | 'RUN_FINISHED' }

/** What a batch of events came to. */
export interface Taken {
  readonly project: Project | undefined
  /** Conflicts that the events opened. */
  readonly opened: readonly Conflict[]
}

/**
 * Takes events in their order. Throws a `RangeError` where a patch does not
 * fit the state: then the stream has to begin anew.
 */
export function takeEvents(before: Project | undefined, events: readonly BoardEvent[]): Taken {
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
