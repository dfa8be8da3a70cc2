/** An open stream whose events are collected. */
export interface Reading {
  readonly status: number
  readonly headers: Headers
  readonly events: { readonly type: string; readonly [member: string]: unknown }[]
  /** The ids of the received events, in order. */
  readonly ids: string[]
  readonly over: boolean
  close(): void
}

interface ReadOptions {
  readonly as: string
  readonly mode?: string
  /** The last position seen. */
  readonly after?: string
}

/** Opens the stream of a run on a node, and collects its events. */
export async function readRun(base: string, run: string, { as, mode, after }: ReadOptions): Promise<Reading> {
  const abort = new AbortController()
  const query = mode === undefined ? '' : `?stream_mode=${mode}`
  const response = await fetch(`${base}/api/svc/runs/${encodeURIComponent(run)}/stream${query}`, {
    headers: { authorization: `Bearer ${as}`, ...(after !== undefined && { 'last-event-id': after }) },
    signal: abort.signal,
  })
  const events: Reading['events'] = []
  const ids: string[] = []
  let over = false
  const take = (block: string): void => {
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) ids.push(line.slice(4))
      if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as Reading['events'][number])
    }
  }
  void (async () => {
    let text = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) take(block)
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      over = true
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    ids,
    get over() {
      return over
    },
    close: () => abort.abort(),
  }
}

/** A reader that reconnects at the last position after its stream ends, as a client does. */
export interface Follower {
  /** The ids of the received events, in order. */
  readonly ids: readonly string[]
  close(): void
}

/** Reads the stream of a run until `close` is called. */
export function followRun(base: string, run: string, as: string): Follower {
  const ids: string[] = []
  let isClosed = false
  let reading: Reading | undefined
  void (async () => {
    while (!isClosed) {
      const after = ids.at(-1)
      reading = await readRun(base, run, { as, ...(after !== undefined && { after }) }).catch(() => undefined)
      for (let taken = 0; reading !== undefined && !isClosed; ) {
        const { over } = reading
        ids.push(...reading.ids.slice(taken))
        taken = reading.ids.length
        if (over) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })()
  return {
    ids,
    close: () => {
      isClosed = true
      reading?.close()
    },
  }
}
