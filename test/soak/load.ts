/** The load on the runtime surface. Each function is one operation, and throws if an answer is wrong. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenFor } from '../conformance/caller.ts'
import { dial } from '../e2e/transport/rig.ts'
import type { Life } from './service.ts'
import { Wrong } from './tally.ts'

const KEYS = '/api/svc/auth/keys'
const LIMIT_MS = 10_000

type Headers = Readonly<Record<string, string>>

/** The header with a token for a user of the soak. */
function bearer(user: string): Headers {
  return { authorization: `Bearer ${tokenFor({ user, tenant: 'soak', scopes: ['live:publish'] })}` }
}

async function ask(
  life: Life,
  method: string,
  path: string,
  headers: Headers,
  wanted: number,
  body?: unknown,
): Promise<string> {
  const answer = await fetch(life.base + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== wanted)
    throw new Wrong(`${answer.status} ${codeIn(text)}`, `${method} ${path}: ${text.slice(0, 200)}`)
  return text
}

function codeIn(text: string): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? ''
}

/** Checks that a token is accepted, and that the service answers with its readiness and its metrics. */
export async function readTokensAndMetrics(life: Life): Promise<void> {
  await ask(life, 'GET', KEYS, bearer('reader'), 200)
  await ask(life, 'GET', '/readyz', {}, 200)
  const metrics = await ask(life, 'GET', '/metrics', {}, 200)
  if (!metrics.includes('svc_http_requests_total')) throw new Wrong('metrics without a family')
}

/** The whole life of a key: created, used, exchanged, revoked, refused. */
export async function liveKey(life: Life): Promise<void> {
  const owner = bearer('owner')
  const { key, record } = JSON.parse(await ask(life, 'POST', KEYS, owner, 201, { name: 'soak' })) as {
    key: string
    record: { id: string }
  }
  await ask(life, 'GET', KEYS, { 'x-api-key': key }, 200)
  const exchanged = await ask(life, 'POST', '/api/svc/auth/exchange', { 'x-api-key': key }, 200)
  const { access_token: token } = JSON.parse(exchanged) as { access_token: string }
  await ask(life, 'GET', KEYS, { authorization: `Bearer ${token}` }, 200)
  await ask(life, 'DELETE', `${KEYS}/${record.id}`, owner, 204)
  await ask(life, 'GET', KEYS, { 'x-api-key': key }, 401)
  await ask(life, 'GET', KEYS, { authorization: `Bearer ${token}` }, 401)
}

/** A run with some events, read while it is open. Each event must arrive once and in order. */
export async function liveRun(life: Life): Promise<void> {
  const run = randomUUID()
  const path = `/api/svc/runs/${run}`
  const owner = bearer('runner')
  await ask(life, 'POST', '/api/svc/runs', owner, 201, { run_id: run })
  const events: unknown[] = [{ type: 'RUN_STARTED', threadId: run, runId: run }]
  events.push({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' })
  for (let n = 0; n < 10; n++) events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `word ${n} ` })
  events.push({ type: 'TEXT_MESSAGE_END', messageId: 'm' }, { type: 'RUN_FINISHED', threadId: run, runId: run })
  const read = readStream(life, `${path}/stream`, owner, () => false)
  // The read is awaited below. Until then its rejection must not count as unhandled.
  read.catch(() => undefined)
  try {
    for (const event of events) await ask(life, 'POST', `${path}/events`, owner, 200, event)
  } catch (error) {
    await read.catch(() => undefined)
    throw error
  }
  const seen = (await read).map(({ data }) => JSON.stringify(data))
  const sent = events.map((event) => JSON.stringify(event))
  if (seen.join() !== sent.join()) throw new Wrong('run lost or doubled', `${sent.length} sent, ${seen.length} read`)
}

/**
 * A topic reader that keeps up receives all published events in order, or gets the number of skipped events.
 */
export async function liveTopic(life: Life): Promise<void> {
  const who = bearer('listener')
  const mark = randomUUID()
  const count = 30
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  const isLast = ({ data }: StreamEvent): boolean => data['identifier'] === `${mark}-${count - 1}`
  const read = readStream(life, '/api/live/soak', who, isLast, open)
  read.catch(open)
  await opened
  for (let n = 0; n < count; n++) {
    await ask(life, 'POST', '/api/live/soak', who, 202, {
      identifier: `${mark}-${n}`,
      operation: 'update',
      data: { n },
    })
  }
  const all = await read
  const ours = all.map(({ data }) => String(data['identifier'])).filter((id) => id.startsWith(mark))
  const sent = Array.from({ length: count }, (_, n) => `${mark}-${n}`)
  const skipped = all.reduce(
    (sum, { data }) => sum + (data['operation'] === 'lagged' ? Number(toData(data).dropped) : 0),
    0,
  )
  if (!isLast(all.at(-1) ?? { data: {} }))
    throw new Wrong('topic stream ended early', `${ours.length} of ${count} read`)
  // Events must be in order and without duplicates. Missing events must be among the reported skips, which also count
  // events of other publishers.
  const inOrder = ours.join() === sent.filter((id) => ours.includes(id)).join()
  if (!inOrder || count - ours.length > skipped)
    throw new Wrong('topic lost or doubled', `${ours.length} of ${count} read`)
}

function toData(event: Record<string, unknown>): { readonly dropped?: unknown } {
  return event['data'] as { readonly dropped?: unknown }
}

/** The bridge becomes ready. */
export async function openBridge(life: Life): Promise<void> {
  await readStream(life, '/api/svc/sync/stream', bearer('bridge'), ({ data }) => data['operation'] === 'ready')
}

/** A reader that does not read while others publish, and then disconnects. */
export async function readSlowly(life: Life): Promise<void> {
  const { authorization } = bearer('slow')
  const slow = dial(life.port, `GET /api/live HTTP/1.1\r\nHost: soak\r\nAuthorization: ${authorization}\r\n\r\n`)
  slow.socket.pause()
  await sleep(4_000)
  slow.socket.destroy()
}

/** Requests that are cut off: in the head, in the body, and before the answer. */
export async function cutOff(life: Life): Promise<void> {
  const { authorization } = bearer('cut')
  const head = `POST ${KEYS} HTTP/1.1\r\nHost: soak\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`
  for (const bytes of [
    'GET /hea',
    head,
    `${head}Content-Length: 1000\r\n\r\n{"name":`,
    'GET /health HTTP/1.1\r\nHost: a\r\n\r\n',
  ]) {
    const { socket } = dial(life.port, bytes)
    await sleep(50)
    socket.resetAndDestroy()
  }
}

interface StreamEvent {
  readonly data: Record<string, unknown>
}

/**
 * Reads an event stream until `isLast` accepts an event or the stream ends. `opened` is called when the head of the
 * answer has arrived.
 */
async function readStream(
  life: Life,
  path: string,
  headers: Headers,
  isLast: (event: StreamEvent) => boolean,
  opened?: () => void,
): Promise<StreamEvent[]> {
  const abort = new AbortController()
  const late = setTimeout(() => abort.abort(new Wrong('stream without an end')), 2 * LIMIT_MS)
  try {
    const answer = await fetch(life.base + path, { headers, signal: abort.signal })
    opened?.()
    if (answer.status !== 200) {
      const text = await answer.text()
      throw new Wrong(`${answer.status} ${codeIn(text)}`, `${path}: ${text.slice(0, 200)}`)
    }
    const events: StreamEvent[] = []
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = frames.pop()!
      for (const frame of frames) {
        const data = /^data: ?(.*)$/m.exec(frame)?.[1]
        if (data === undefined) continue
        const event = { data: JSON.parse(data) as Record<string, unknown> }
        events.push(event)
        if (isLast(event)) return events
      }
    }
    return events
  } finally {
    clearTimeout(late)
    abort.abort()
  }
}
