/** Follows a project as long as its page is shown: its newest state, and the state of the stream. */
import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { EventStream, type StreamReason, type StreamState } from '../../../../client/event-stream.ts'
import { consoleFetch } from '../../lib/console-fetch.ts'
import { base } from '../../lib/router.ts'
import { recoveries } from '../../lib/service.ts'
import { whileVisible } from '../../lib/while-visible.ts'
import { newConflicts, shownProject, showProject } from './shown-project.ts'
import { applyEvents, type BoardEvent, type Conflict } from './state.ts'

/** The state of the stream, and why it is not open. */
export const streamState: Signal<readonly [StreamState, StreamReason | undefined]> = signal(['connecting', undefined])

/** Longest time for events in one frame, in milliseconds. */
const FRAME_MS = 8
/** The service sends something every 15 s. */
const SILENCE_MS = 40_000
const SCHEDULE = { firstMs: 500, maxMs: 5_000, jitter: 0.2, maxAttempts: Infinity } as const

/** Follows a project, and opens the stream again when the service has recovered. */
export function useProject(name: string): void {
  const recovery = recoveries.value
  useEffect(() => whileVisible(() => follow(name)), [name, recovery])
}

function follow(name: string): () => void {
  showProject(name)
  let waiting: BoardEvent[] = []
  let frame: number | undefined
  let hasState = false
  let stream = open()

  /**
   * Applies the events of one frame as one change of the page. Events that would delay the frame wait for the next
   * frame.
   */
  function applyWaiting(): void {
    frame = undefined
    const sinceMs = performance.now()
    let project = hasState ? shownProject.peek() : undefined
    const opened: Conflict[] = []
    let applied = 0
    try {
      for (const event of waiting) {
        if (performance.now() - sinceMs > FRAME_MS && !document.hidden) break
        const result = applyEvents(project, [event])
        project = result.project
        opened.push(...result.opened)
        applied++
      }
      waiting.splice(0, applied)
      hasState = project !== undefined
      if (project !== undefined) shownProject.value = project
      if (opened.length > 0) newConflicts.value = [...newConflicts.peek(), ...opened]
      if (waiting.length > 0) frame = requestAnimationFrame(applyWaiting)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      stream.close()
      hasState = false
      waiting = []
      stream = open()
    }
  }

  function open(): EventStream {
    return new EventStream(
      {
        fetch: consoleFetch,
        headers: async () => ({}),
        schedule: SCHEDULE,
        silenceMs: SILENCE_MS,
      },
      {
        url: `${base}/local/api/v1/agent-ui/projects/${encodeURIComponent(name)}/stream`,
        final: [404],
        onOpen: () => {
          waiting = []
          hasState = false
        },
        onState: (state, reason) => {
          streamState.value = [state, reason]
        },
        onEvent: ({ data }) => {
          waiting.push(JSON.parse(data) as BoardEvent)
          // A hidden page has no frames, so that the queue would grow.
          if (document.hidden) applyWaiting()
          else frame ??= requestAnimationFrame(applyWaiting)
        },
      },
    )
  }

  return () => {
    stream.close()
    if (frame !== undefined) cancelAnimationFrame(frame)
    streamState.value = ['connecting', undefined]
  }
}
