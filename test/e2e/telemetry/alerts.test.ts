/**
 * Each alert of docs/operating.md with the shipped service and a Prometheus. The trouble of each alert is made on a
 * service of its own; the alert fires for this service and for no other. A minute of the rules is a second here.
 */
import { readFileSync, rmSync, statfsSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { withinLimit } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { type BuiltService, startBuilt, unbuilt } from './built-service.ts'

const test = suite('docs/operating.md: alerts happen')
const lacks = ['prometheus', 'fallocate'].find((program) => !hasProgram(program))

/** The longest wait for all alerts, in milliseconds. One of the rules needs a process that has run for a minute. */
const LIMIT_MS = withinLimit(180_000, 0.75)

/** The rules, with a second for each minute. */
function fastRules(): string {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const rules = /```yaml\n(# svc-alerts\.yml\n[\s\S]*?)```/.exec(page)![1]!
  return rules
    .replace(/\[(\d+)m\]/g, '[$1s]')
    .replace(/\[(\d+)h\]/g, (_, hours: string) => `[${Number(hours) * 60}s]`)
    .replace(/^( +for:) (\d+)m$/gm, '$1 $2s')
    .replace(/(?<=[ ,>])(86400|3600)\b/g, (seconds) => String(Number(seconds) / 60))
}

const bearer = (...scopes: string[]): string => `Bearer ${tokenFor({ user: 'ada', scopes })}`
const authorization = bearer('live:publish')

async function post(base: string, path: string, body: unknown): Promise<number> {
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  return answer.status
}

/** Makes trouble on a service until `signal` aborts. */
type Trouble = (service: BuiltService, signal: AbortSignal) => Promise<void>

async function repeat(signal: AbortSignal, pauseMs: number, work: () => Promise<unknown> | unknown): Promise<void> {
  while (!signal.aborted) {
    await work()
    await setTimeout(pauseMs)
  }
}

/** The trouble of each alert, and the settings of its service. */
const troubles: Readonly<
  Record<string, { readonly given?: Readonly<Record<string, string>>; readonly make: Trouble }>
> = {
  SvcDown: { make: async ({ child }) => void (await child.stop('SIGKILL')) },
  // A service that stops answers probes with 503 for the time of `server.drain_delay_ms`.
  SvcErrors: {
    given: { SVC_SERVER__DRAIN_DELAY_MS: '600000' },
    make: async ({ child, base }, signal) => {
      process.kill(child.pid, 'SIGTERM')
      await repeat(signal, 200, async () => (await fetch(`${base}/readyz`)).arrayBuffer())
    },
  },
  SvcSlow: {
    make: async ({ port }, signal) => {
      const slow = (): Promise<void> => postSlowly(port, 1_500)
      await Promise.all(Array.from({ length: 4 }, () => repeat(signal, 0, slow)))
    },
  },
  SvcToolServerDown: {
    given: { SVC_TOOLS__SERVERS: '{"files":"http://127.0.0.1:9/"}', SVC_TOOLS__CHECK_INTERVAL_MS: '100' },
    make: async () => undefined,
  },
  SvcSlowReaders: {
    given: { SVC_REALTIME__TOPICS: 'notes', SVC_SERVER__TRANSPORT: 'node' },
    make: async ({ port, base }, signal) => {
      const stuck = connect(port, '127.0.0.1')
      stuck.pause().write(`GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
      stuck.on('error', () => undefined)
      const event = { identifier: '1', operation: 'update', data: 'x'.repeat(100_000) }
      await repeat(signal, 50, () => post(base, '/api/live/notes', event))
      stuck.destroy()
    },
  },
  SvcEventLoopBusy: {
    make: async ({ child }, signal) => {
      let isStopped = false
      await repeat(signal, 350, () => {
        process.kill(child.pid, isStopped ? 'SIGCONT' : 'SIGSTOP')
        isStopped = !isStopped
      })
      process.kill(child.pid, 'SIGCONT')
    },
  },
  SvcNotReady: {
    given: { SVC_SERVER__DRAIN_DELAY_MS: '600000' },
    make: async ({ child }) => void process.kill(child.pid, 'SIGTERM'),
  },
  SvcDiskFullInADay: {
    make: async ({ folder }, signal) => {
      const { bavail, bsize } = statfsSync(folder)
      // Three times the rate that fills the disk in a day (1 440 s here), so that a busy machine is fast enough too.
      const perSecond = (bavail * bsize * 3) / 1_440
      const sinceMs = performance.now()
      await repeat(signal, 500, async () => {
        // For a minute at most, so that most of the disk stays free.
        const seconds = Math.min((performance.now() - sinceMs) / 1_000, 60)
        const size = Math.max(1, Math.round(perSecond * seconds))
        const { code } = await startChild('fallocate', { args: ['-l', String(size), join(folder, 'large')] }).exited
        assert.is(code, 0)
      })
    },
  },
  SvcLogHeld: {
    given: { SVC_REALTIME__RUN_STORE: 'sqlite' },
    make: async ({ folder, base }, signal) => {
      const held = new DatabaseSync(join(folder, 'state/sync.db'), { readOnly: true })
      held.exec('BEGIN')
      held.prepare('SELECT count(*) FROM sqlite_schema').get()
      const data = 'x'.repeat(900_000)
      for (let n = 0; n < 12 && !signal.aborted; n++) {
        const run = { threadId: 't', runId: `run-${n}` }
        assert.is(await post(base, '/api/svc/runs', { run_id: run.runId, thread_id: 't' }), 201)
        for (const event of [
          { type: 'RUN_STARTED', ...run },
          ...Array(7).fill({ type: 'CUSTOM', name: 'n', value: data }),
        ])
          assert.is(await post(base, `/api/svc/runs/${run.runId}/events`, event), 200)
      }
      await repeat(signal, 100, () => undefined)
      held.close()
    },
  },
  SvcRefusalsRise: {
    make: async ({ base }, signal) => {
      const ask = async (authorization: string): Promise<unknown> =>
        (await fetch(`${base}/api/svc/runs`, { headers: { authorization } })).arrayBuffer()
      // The rule is for processes that have run for an hour, which is a minute here.
      const isYoung = AbortSignal.any([signal, AbortSignal.timeout(62_000)])
      await repeat(isYoung, 500, () => ask(authorization))
      await repeat(signal, 100, () => ask('Bearer nothing'))
    },
  },
  SvcPeerBehind: {
    given: {
      SVC_PEER__PEERS: JSON.stringify([
        { endpointId: `58${'66'.repeat(31)}`, addresses: ['127.0.0.1:9'], projects: ['demo'] },
      ]),
      SVC_PEER__PULL_INTERVAL_MS: '1000',
    },
    // A node pulls only projects that it has, so this makes one.
    make: async ({ command, folder }) => {
      const key = join(folder, 'ada.key')
      await command('device', 'keygen', '--out', key)
      await command('device', 'enroll', '--key', `${key}.pub`, '--scope', 'kbd-control:demo')
      await command('board', 'add', '--key', key, '--board', 'Release')
    },
  },
}

/** A request whose body comes late. */
function postSlowly(port: number, delayMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = '{}'
    const headers = { authorization, 'content-type': 'application/json', 'content-length': String(body.length) }
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/svc/runs', headers }, (incoming) =>
      incoming.resume().once('end', resolve),
    )
    outgoing.once('error', reject)
    outgoing.flushHeaders()
    void setTimeout(delayMs).then(() => outgoing.end(body))
  })
}

interface Firing {
  readonly name: string
  readonly instance: string
}

async function startPrometheus(targets: readonly string[]): Promise<{ child: Child; firing(): Promise<Firing[]> }> {
  const port = await freePort()
  const folder = folderWith({
    'svc-alerts.yml': fastRules(),
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '500ms' },
      scrape_configs: [{ job_name: 'svc', static_configs: [{ targets }] }],
      rule_files: ['svc-alerts.yml'],
    }),
  })
  const child = startChild('prometheus', {
    args: ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`],
    cwd: folder,
  })
  await child.waitFor(/ready to receive web requests/i)
  return {
    child,
    firing: async () => {
      const { data } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)).json()) as {
        data: { alerts: { state: string; labels: Record<string, string> }[] }
      }
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => ({ name: labels['alertname']!, instance: labels['instance']! }))
    },
  }
}

testUnless(
  test,
  unbuilt ?? (lacks && `no ${lacks} on this machine`),
  'each fires where it is made to happen',
  async () => {
    const names = [...fastRules().matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
    assert.equal(names, Object.keys(troubles))
    const quiet = await startBuilt()
    const services = new Map<string, BuiltService>()
    const ends = new Map(names.map((name) => [name, new AbortController()]))
    for (const name of names) services.set(name, await startBuilt(troubles[name]!.given))
    const nameOf = (instance: string): string =>
      names.find((name) => `127.0.0.1:${services.get(name)!.port}` === instance) ?? 'quiet'
    const prometheus = await startPrometheus([quiet, ...services.values()].map(({ port }) => `127.0.0.1:${port}`))
    const made = names.map((name) => troubles[name]!.make(services.get(name)!, ends.get(name)!.signal))
    const seen = new Set<string>()
    try {
      const expected = names.map((name) => `${name} on ${name}`)
      const endMs = Date.now() + LIMIT_MS
      while (expected.some((one) => !seen.has(one)) && Date.now() < endMs) {
        for (const { name, instance } of await prometheus.firing()) {
          seen.add(`${name} on ${nameOf(instance)}`)
          if (name === nameOf(instance)) ends.get(name)!.abort()
        }
        await setTimeout(500)
      }
      // These may fire too: all services have one disk, a service that stops is not ready, and a busy machine is slow
      // for a second more often than for a minute.
      const also = /^SvcDiskFullInADay on |^SvcNotReady on SvcErrors$|^Svc(?:Down|Slow|EventLoopBusy) on /
      const strange = [...seen].filter((one) => !expected.includes(one) && !also.test(one))
      assert.equal([expected.filter((one) => !seen.has(one)), strange], [[], []])
    } finally {
      for (const end of ends.values()) end.abort()
      await Promise.allSettled(made)
      await prometheus.child.stop()
      await Promise.all([...services.values()].map(({ child }) => child.stop('SIGKILL')))
      for (const { folder } of services.values()) rmSync(folder, { recursive: true, force: true })
      await quiet.stop()
    }
  },
)

test.run()
