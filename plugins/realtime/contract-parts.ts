/** What the contracts of the realtime features share. */
import { type Caller, type HttpCase, type OpenAnswer, same, type Target } from '../../core/testing/contract.ts'

type Settings = NonNullable<HttpCase['given']>

/**
 * The settings of cases that publish on one node, the same for all so that one service runs them. The topic `runs` is
 * for the case that it belongs to a plugin.
 */
export const publishingSettings: Settings = {
  'realtime.topics': ['todos', 'notes', 'runs'],
  'realtime.max_event_bytes': 1_000,
}

/** Short times, for the cases of the reconnection time, the heartbeat and the age of a stream. */
export const shortTimes: Settings = {
  'realtime.retry_ms': 250,
  'realtime.heartbeat_ms': 50,
  'realtime.max_age_ms': 400,
  'realtime.max_age_jitter': 0,
}

/** A caller whose tenant no other case uses, so that cases that share a service do not get events of each other. */
export function caller(tenant: string, scopes: readonly string[] = []): Caller {
  return { user: 'ann', tenant, scopes }
}

/** One event that was read: its id, and its data as JSON. */
export interface Read {
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads events of an open stream until there are `enough`, or the stream ends. */
export async function readEvents(
  answer: OpenAnswer,
  enough: number | ((events: readonly Read[]) => boolean),
): Promise<{ text: string; events: readonly Read[] }> {
  let text = ''
  for (;;) {
    const events = text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.includes('data: '))
      .map(
        (block): Read => ({
          id: /^id: (.*)$/m.exec(block)?.[1],
          data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as Record<string, unknown>,
        }),
      )
    if (typeof enough === 'number' ? events.length >= enough : enough(events)) return { text, events }
    const piece = await answer.next()
    if (piece === undefined) return { text, events }
    text += piece
  }
}

/** Opens a stream, awaits `work`, reads a number of events, and closes the stream. */
export async function listenWhile(
  target: Target,
  path: string,
  as: Caller,
  enough: Parameters<typeof readEvents>[1],
  work: () => Promise<unknown>,
): Promise<{ answer: OpenAnswer; text: string; events: readonly Read[] }> {
  const answer = await target.open({ path, as })
  try {
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await work()
    return { answer, ...(await readEvents(answer, enough)) }
  } finally {
    answer.close()
  }
}

/** Throws if a stream lacks a header that every stream has. */
export function checkStreamHeaders(answer: OpenAnswer): void {
  const { headers } = answer
  same('content-type', headers['content-type'], 'text/event-stream; charset=utf-8')
  same('cache-control', headers['cache-control'], 'no-store, no-transform')
  same('x-accel-buffering', headers['x-accel-buffering'], 'no')
  same('content-encoding', headers['content-encoding'], undefined)
}
