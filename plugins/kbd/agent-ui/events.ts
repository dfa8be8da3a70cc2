/** What a reader of a board is told: events of AG-UI 1.0, as JSON texts. */
import type { Applied } from '../api.ts'
import type { Mirror } from './mirror.ts'

/** The opening of a stream; a run is one opening. */
export function runStarted(project: string, runId: string): string {
  return JSON.stringify({ type: 'RUN_STARTED', threadId: project, runId })
}

/** The last event of a stream that ends in order. */
export function runFinished(project: string, runId: string): string {
  return JSON.stringify({ type: 'RUN_FINISHED', threadId: project, runId })
}

/** What stands before and behind the body of GET project in the event of the whole project. */
export const SNAPSHOT_EVENT = ['{"type":"STATE_SNAPSHOT","snapshot":', '}'] as const

/**
 * What a command did: one delta, then each conflict that it opened. Undefined where the mirror contains the command
 * already; throws as `Mirror.follow` does.
 */
export function eventsOf(mirror: Mirror, applied: Applied): readonly string[] | undefined {
  const delta = mirror.follow(applied)
  if (delta === undefined) return undefined
  const conflicts = applied.changes
    .filter(({ map, id, json }) => map === 'conflicts' && json !== null && applied.opened.includes(id))
    .map(({ json }) => `{"type":"CUSTOM","name":"svc.kbd.conflict","value":${json}}`)
  return [`{"type":"STATE_DELTA","delta":${delta}}`, ...conflicts]
}
