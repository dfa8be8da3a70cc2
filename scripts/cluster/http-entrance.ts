/** Accesses the runs and keys of a ledger through the load balancer of a cluster. */
import type { Entrance, Outcome, Reading } from './ledger.ts'

/** Longest time in milliseconds for one call. It is longer than the 5 s limit of an append. */
const CALL_MS = 10_000

/** Milliseconds without data after which reading a stream ends. */
const SILENCE_MS = 3_000

/** An answer. `status` is 0 if the connection broke. */
export interface Answer {
  readonly status: number
  /** `error.code` of the envelope. */
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends requests as one caller. */
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/** Sends requests to a service, with a bearer token. */
export function createSend(base: string, token: string): Send {
  return async (method, path, body, headers = {}) => {
    try {
      const response = await fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_MS),
      })
      const text = await response.text()
      const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['body']
      const { code } = (parsed['error'] ?? {}) as { readonly code?: string }
      return { status: response.status, code, body: parsed }
    } catch {
      return { status: 0, code: undefined, body: {} }
    }
  }
}

/**
 * The outcome of a change.
 * @throws Error for an unexpected answer
 */
export function outcomeOf({ status, code }: Answer): Outcome {
  if (status >= 200 && status < 300) return 'written'
  if (status === 503) return 'overloaded'
  // The balancer answers 502 if the connection to a node broke.
  if (status === 504 || status === 502 || status === 0) return 'append_unknown'
  throw new Error(`${status} ${code}`)
}

/** Creates the entrance. */
export function createHttpEntrance(base: string, token: string): Entrance {
  const send = createSend(base, token)
  const pathOf = (run_id: string): string => `/api/svc/runs/${encodeURIComponent(run_id)}`
  return {
    begin: async (run_id) => {
      const created = await send('POST', '/api/svc/runs', { run_id })
      const { status, code, body } = created.status === 201 ? created : await send('GET', pathOf(run_id))
      if (status !== 200 && status !== 201) throw new Error(`${status} ${code}`)
      return String(body['epoch'])
    },
    append: async (run_id, event, match) => {
      const headers: Record<string, string> = match === undefined ? {} : { 'if-match': match }
      const answer = await send('POST', `${pathOf(run_id)}/events`, event, headers)
      const is = outcomeOf(answer)
      return is === 'written' ? { is, seq: Number(answer.body['last_seq']) } : { is }
    },
    read: (run_id, last) => readStream(`${base}${pathOf(run_id)}/stream`, token, last),
  }
}

/**
 * Reads a stream up to the sequence `last`, to its end, or until no more data arrives.
 * @throws Error if the stream cannot be opened or breaks off
 */
async function readStream(url: string, token: string, last: number): Promise<Reading> {
  const ended = new AbortController()
  let timer = setTimeout(() => ended.abort(), CALL_MS)
  const names: (string | undefined)[] = []
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: ended.signal })
    if (response.status === 404) return { names, isWhole: true }
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status}`)
    let text = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer)
      timer = setTimeout(() => ended.abort(), SILENCE_MS)
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) take(block, names)
      if (names.length >= last) return { names, isWhole: false }
    }
    // A node that shuts down ends its streams too.
    return { names, isWhole: false }
  } catch (error) {
    if (!ended.signal.aborted) throw error
    return { names, isWhole: false }
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

function take(block: string, names: (string | undefined)[]): void {
  const id = /^id: .*-(\d+)$/m.exec(block)
  const data = /^data: (.*)$/m.exec(block)
  if (id === null || data === null) return
  const { type, name } = JSON.parse(data[1]!) as { readonly type: string; readonly name?: string }
  names[Number(id[1]) - 1] = name ?? type
}
