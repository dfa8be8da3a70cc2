import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Child, startChild } from '../../support/child.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCollector } from './collector.ts'

const program = new URL('./slow-service.ts', import.meta.url).pathname

interface Service {
  readonly child: Child
  readonly port: number
}

async function start(environment: Record<string, string> = {}): Promise<Service> {
  const env = { PATH: process.env['PATH'], SVC_SERVER__PORT: '0', ...environment }
  const child = startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', program], env })
  const [, port] = await child.waitFor(/"address":"127\.0\.0\.1:(\d+)"/)
  return { child, port: Number(port) }
}

/** Sends one request. Returns the status, or undefined if the answer was not received completely. */
function ask(port: number, path: string, traceId: string, agent: Agent | false): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    const request = get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => (size += chunk.length))
      response.on('end', () => resolve(response.complete && size === 2_000 ? response.statusCode : undefined))
      response.on('error', () => resolve(undefined))
    })
    request.on('error', () => resolve(undefined))
  })
}

for (const [transport, kept] of [
  ['node', true],
  ['node', false],
  ['uws', true],
  ['uws', false],
] as const) {
  const name = `SIGTERM under load, ${transport}, connections ${kept ? 'kept' : 'new'}: every accepted request is answered`
  test(name, async () => {
    const { child, port } = await start({ SVC_SERVER__TRANSPORT: transport })
    const answered = new Set<string>()
    let number = 0
    let stopping = false
    const client = async (): Promise<void> => {
      const agent = kept ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
      for (;;) {
        const traceId = (++number).toString(16).padStart(32, '0')
        const status = await ask(port, `/job/${number % 40}`, traceId, agent)
        if (status === 200) answered.add(traceId)
        else if (stopping) break
        else throw new Error(`status ${status} before the signal`)
      }
      if (agent !== false) agent.destroy()
    }
    const clients = Array.from({ length: 40 }, client)
    await waitFor('200 answers', () => answered.size >= 200)
    stopping = true
    child.kill('SIGTERM')
    await Promise.all(clients)
    const { code } = await child.exited
    assert.is(code, 0, child.err)

    const lines = child.out.split('\n').slice(0, -1)
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const { message, reason } = entries.at(-1)!
    assert.equal([message, reason], ['Stopped.', 'SIGTERM'], 'the last line')
    const taken = entries.filter(({ route }) => route === '/job/:ms').map((entry) => String(entry['trace_id']))
    assert.ok(taken.length > 200, `${taken.length} requests`)
    assert.equal(
      taken.filter((id) => !answered.has(id)),
      [],
      'accepted, but not answered completely',
    )
    // Every answered request has a line, so the log lost nothing at the stop.
    const logged = new Set(taken)
    assert.equal(
      [...answered].filter((id) => !logged.has(id)),
      [],
      'answered, but not in the log',
    )
  })
}

test('a second signal ends the process at once', async () => {
  const graceMs = 60_000
  const { child, port } = await start({ SVC_SERVER__SHUTDOWN_GRACE_MS: String(graceMs) })
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('error', () => undefined)
  await child.waitFor(/Hanging\./)
  const started = performance.now()
  child.kill('SIGINT')
  await child.waitFor(/Stopping\./)
  child.kill('SIGTERM')
  const { code } = await child.exited
  assert.is(code, 1)
  assert.ok(performance.now() - started < graceMs)
  socket.destroy()
})

test('spans that are buffered at a stop are exported', async () => {
  const collector = await startCollector()
  try {
    const { child, port } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
    const traceId = 'a'.repeat(32)
    assert.is(await ask(port, '/job/1', traceId, false), 200)
    const { code } = await child.stop()
    assert.is(code, 0)
    assert.equal(
      collector.spans.map((span) => [span.name, span.traceId]),
      [['GET /job/:ms', traceId]],
    )
  } finally {
    await collector.close()
  }
})

test.run()
