import { connect, type Socket } from 'node:net'
import { EventSource } from 'eventsource'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../support/wait-for.ts'
import { type Service, startService as start } from './start-service.ts'

const event = { topic: 'todos', identifier: 'a', operation: 'insert' as const, data: { n: 1 } }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const custom = (n: number): Record<string, unknown> => ({ type: 'CUSTOM', name: 'n', value: n })

/** Opens a stream on a raw socket. Resolves after the head of the answer. */
function listen(service: Service, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: service.port })
    socket.on('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    socket.once('data', (head) =>
      String(head).startsWith('HTTP/1.1 200') ? resolve(socket) : reject(new Error(String(head))),
    )
  })
}

async function makeRun(service: Service, events: readonly unknown[]): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${service.origin}/api/svc/runs`, { method: 'POST', headers, body: '{"run_id":"r"}' })
  await fetch(`${service.origin}/api/svc/runs/r/events`, { method: 'POST', headers, body: JSON.stringify(events) })
}

for (const transport of ['node', 'uws']) {
  const startService = (
    settings: { realtime?: Record<string, unknown>; server?: Record<string, unknown> } = {},
  ): Promise<Service> => start({ ...settings, server: { transport, ...settings.server } })

  test(`${transport}: the npm package eventsource follows a run over several connections without a gap, and stops at 204`, async () => {
    const service = await startService({ realtime: { max_age_ms: 100, max_age_jitter: 0, retry_ms: 10 } })
    await makeRun(service, [started])
    const source = new EventSource(`${service.origin}/api/svc/runs/r/stream`)
    const seen: unknown[] = []
    let opened = 0
    let over = false
    source.onopen = () => opened++
    source.onmessage = ({ data }) => seen.push((JSON.parse(data as string) as { value?: number }).value ?? 'control')
    source.onerror = ({ code }) => {
      if (code === 204) over = true
    }
    let appended = 0
    // A connection lasts 100 ms. A slow machine opens fewer of them in the time of 20 events.
    await waitFor('more than three connections, and 20 events', () => {
      service.send({ do: 'append', user: 'ann', run: 'r', events: [custom(++appended)] })
      return appended >= 20 && opened > 3
    })
    service.send({ do: 'append', user: 'ann', run: 'r', events: [finished] })
    await waitFor('the end', () => over)
    source.close()
    assert.equal(seen, ['control', ...Array.from({ length: appended }, (_, index) => index + 1), 'control'])
    await service.stop()
  })

  test(`${transport}: after three waves of a thousand connections the descriptors, streams and memory are released`, async () => {
    const service = await startService({ realtime: { topics: ['todos'], max_streams_per_identity: 2000 } })
    const wave = async (): Promise<void> => {
      const sockets: Socket[] = []
      for (let i = 0; i < 10; i++) {
        sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => listen(service, '/api/live')))))
      }
      assert.is((await service.report()).streams, 1000)
      service.send({ do: 'publish', tenant: 'acme', events: [event] })
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
      for (const [index, socket] of sockets.entries()) index % 2 === 0 ? socket.destroy() : socket.end()
      await waitFor('the end of all streams', async () => (await service.report()).streams === 0)
    }
    // The first wave also allocates code and caches once.
    await wave()
    await waitFor('the closing of sockets', async () => (await service.report()).descriptors < 60)
    const before = await service.report()
    await wave()
    await wave()
    await waitFor('the closing of sockets', async () => (await service.report()).descriptors <= before.descriptors)
    const after = await service.report()
    assert.is(after.streams, 0)
    assert.ok(
      after.bytes - before.bytes < 1_000_000,
      `memory grew by ${after.bytes - before.bytes} bytes over 2 000 streams`,
    )
    await service.stop()
  })

  test(`${transport}: a reader that stops reading costs less than 2 MiB: live events are skipped, and the stream of a run is aborted`, async () => {
    const service = await startService({
      realtime: { topics: ['todos'], stall_ms: 300, run_max_events: 100_000, run_max_bytes: 268_435_456 },
    })
    const big = { ...event, data: 'x'.repeat(2_000) }
    // The first burst, to a normal reader, also allocates code and caches once.
    const warm = await listen(service, '/api/live')
    warm.resume()
    await service.ask({ do: 'publish-many', tenant: 'acme', event: big, count: 20_000 })
    warm.destroy()
    const stuck = await listen(service, '/api/live')
    stuck.pause()
    await waitFor('the first reader to be gone', async () => (await service.report()).streams === 1)
    const before = await service.report()
    await service.ask({ do: 'publish-many', tenant: 'acme', event: big, count: 20_000 })
    const during = await service.report()
    assert.is(during.streams, 1, 'an entity reader is not disconnected')
    assert.ok(
      during.bytes - before.bytes < 2_097_152,
      `it costs ${during.bytes - before.bytes} bytes after 40 MB of events`,
    )
    let text = ''
    stuck.on('data', (chunk) => (text += chunk))
    stuck.resume()
    await waitFor('the count of what was missed', () => text.includes('"lagged"'))
    const dropped = Number(/"operation":"lagged","data":\{"dropped":(\d+)\}/.exec(text)?.[1])
    await waitFor('the rest', async () => {
      const got = text.match(/"identifier":"a"/g)?.length ?? 0
      return got + dropped === 20_000
    })
    stuck.destroy()
    await makeRun(service, [started])
    const cut = await listen(service, '/api/svc/runs/r/stream')
    cut.pause()
    for (let i = 0; i < 100; i++) {
      service.send({
        do: 'append',
        user: 'ann',
        run: 'r',
        events: Array.from({ length: 100 }, () => custom(i)).map((one) => ({ ...one, value: 'x'.repeat(2_000) })),
      })
    }
    await waitFor('the cut', async () => (await service.report()).streams === 0)
    cut.destroy()
    await service.stop()
  })

  test(`${transport}: SIGTERM with a thousand streams ends within the grace period`, async () => {
    const graceMs = 120_000
    const service = await startService({
      realtime: { max_streams_per_identity: 2000 },
      server: { shutdown_grace_ms: graceMs },
    })
    const sockets = (
      await Promise.all(
        Array.from({ length: 10 }, () => Promise.all(Array.from({ length: 100 }, () => listen(service, '/api/live')))),
      )
    ).flat()
    const ends = sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          let tail = ''
          socket.on('data', (chunk) => (tail = (tail + chunk).slice(-5)))
          socket.once('close', () => resolve(tail === '0\r\n\r\n'))
        }),
    )
    const began = performance.now()
    process.kill(service.pid, 'SIGTERM')
    assert.is(await service.exited, 0)
    assert.ok(performance.now() - began < graceMs, `took ${performance.now() - began} ms`)
    assert.ok((await Promise.all(ends)).every(Boolean), 'each stream was ended properly')
  })
}

test.run()
