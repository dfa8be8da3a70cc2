/** The events of a board for its readers: events of AG-UI 1.0, as JSON texts. */
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

/** The texts before and after the body of GET project in the event of the whole project. */
const SNAPSHOT_EVENT = ['{"type":"STATE_SNAPSHOT","snapshot":', '}'] as const

/**
 * The events of a command: one delta, then each conflict that the command opened. Undefined if the mirror contains the
 * command already. Throws as `Mirror.follow` does.
 */
export function eventsOf(mirror: Mirror, applied: Applied): readonly string[] | undefined {
  const delta = mirror.follow(applied)
  if (delta === undefined) return undefined
  const conflicts = applied.changes
    .filter(({ map, id, json }) => map === 'conflicts' && json !== null && applied.opened.includes(id))
    .map(({ json }) => `{"type":"CUSTOM","name":"svc.kbd.conflict","value":${json}}`)
  return [`{"type":"STATE_DELTA","delta":${delta}}`, ...conflicts]
}

const encoder = new TextEncoder()

/** Events as frames of one `data:` line each: JSON text contains no line break. */
export function encodeEvents(events: readonly string[]): Uint8Array {
  return encoder.encode(events.map((event) => `data: ${event}\n\n`).join(''))
}

/** The frame of the event of the whole project, in pieces; `body` is the body of GET project. */
export function snapshotFrame(body: Uint8Array): readonly Uint8Array[] {
  return [SNAPSHOT_START, body, SNAPSHOT_END]
}

const SNAPSHOT_START = encoder.encode(`data: ${SNAPSHOT_EVENT[0]}`)
const SNAPSHOT_END = encoder.encode(`${SNAPSHOT_EVENT[1]}\n\n`)
