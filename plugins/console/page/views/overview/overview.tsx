/** Overview: the readiness of the service, its traffic and its features. */
import type { JSX } from 'preact'
import type { StoreReport } from '../../../session.ts'
import { bytes, count, duration } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { now } from '../../lib/now.ts'
import { loadedSession, local, own } from '../../lib/service.ts'
import { Badge, Fact, Head, Panel, Refusal } from '../../parts/parts.tsx'
import { Spark, Ticks } from '../../parts/spark.tsx'
import type { View } from '../view.ts'
import { Features } from './features.tsx'
import { checks, POLL_MS, poll, SLOTS, scrape, traffic } from './history.ts'
import './overview.css'

/** `GET /api/v1/status`. */
interface Status {
  readonly version: string
  readonly profile: string
  readonly endpointId: string
  readonly projects: readonly { readonly project: string; readonly revision: number }[]
  readonly outbox: { readonly pending: number; readonly oldestAtMs: number | null }
  readonly peers: { readonly known: number; readonly connected: number }
}

/** The view. */
export const overview: View = {
  title: 'Overview',
  path: '',
  key: 'o',
  icon: 'overview',
  needs: ['overview'],
  component: Overview,
}

function Overview(): JSX.Element {
  const { error } = useLoad(poll, { everyMs: POLL_MS })
  const { profile, version, runtime } = loadedSession()
  const failing = checks.value.filter(({ values, required }) => required && values.at(-1) === false)
  const started = scrape.value?.get('process_start_time_seconds')?.[0]?.value
  return (
    <>
      <Head
        title="Overview"
        about={
          <>
            {profile} {version}
            {started !== undefined && ` · up for ${duration(now.value - started * 1_000)}`}
            {runtime !== null && ` · ${runtime.origin}`}
          </>
        }
      >
        {checks.value.length > 0 && (
          <Badge tone={failing.length === 0 ? 'ok' : 'bad'}>
            {failing.length === 0 ? 'ready' : `not ready: ${failing.map(({ name }) => name).join(', ')}`}
          </Badge>
        )}
      </Head>
      {error !== undefined && <Refusal error={error} />}
      <Traffic />
      <div class="columns">
        <Checks />
        <Store />
      </div>
      <Features />
    </>
  )
}

function Traffic(): JSX.Element | null {
  const points = traffic.value
  const newest = points.at(-1)
  if (newest === undefined) return null
  const { requestsPerSecond, p95, streams, errorsPerSecond } = newest
  return (
    <div class="gauges">
      <Gauge
        name="Requests"
        value={requestsPerSecond === undefined ? '–' : requestsPerSecond.toFixed(1)}
        unit="per second"
        values={points.map((point) => point.requestsPerSecond)}
      />
      <Gauge
        name="Latency, 95th percentile"
        value={p95 === undefined ? '–' : (p95 * 1_000).toFixed(p95 < 0.01 ? 1 : 0)}
        unit="ms"
        values={points.map((point) => point.p95)}
      />
      <Gauge name="Open streams" value={count(streams)} unit="" values={points.map((point) => point.streams)} />
      <Gauge
        name="Errors"
        value={errorsPerSecond === undefined ? '–' : errorsPerSecond.toFixed(1)}
        unit="per second"
        values={points.map((point) => point.errorsPerSecond)}
      />
    </div>
  )
}

function Gauge({
  name,
  value,
  unit,
  values,
}: {
  readonly name: string
  readonly value: string
  readonly unit: string
  readonly values: readonly (number | undefined)[]
}): JSX.Element {
  return (
    <section class="gauge">
      <h2>{name}</h2>
      <p>
        <span class="gauge-value">{value}</span> {unit}
      </p>
      <Spark values={values} slots={SLOTS} label={`${name} in the last ${(SLOTS * POLL_MS) / 60_000} minutes`} />
    </section>
  )
}

function Checks(): JSX.Element | null {
  if (checks.value.length === 0) return null
  return (
    <Panel title="Readiness">
      <ul class="checks">
        {checks.value.map(({ name, surface, required, values }) => (
          <li key={`${surface} ${name}`}>
            <span class={`dot ${values.at(-1) ? 'dot-ok' : required ? 'dot-bad' : 'dot-warn'}`} />
            <span class="check-name">
              {name.replaceAll('_', ' ')}
              <span class="check-surface">
                {surface}
                {!required && ', optional'}
              </span>
            </span>
            <Ticks
              values={values}
              slots={SLOTS}
              label={`${values.filter(Boolean).length} of ${values.length} checks passed`}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Store(): JSX.Element | null {
  const { local: hasLocal } = loadedSession()
  const { data: status } = useLoad(
    (stop) => (hasLocal === null ? Promise.resolve(undefined) : local<Status>('/api/v1/status', { signal: stop })),
    {
      everyMs: 5_000,
    },
  )
  const { data: store } = useLoad(
    (stop) => (hasLocal === null ? Promise.resolve(undefined) : own<StoreReport>('/store', { signal: stop })),
    { everyMs: 10_000 },
  )
  if (status === undefined) return null
  return (
    <Panel title="This node">
      <dl class="facts">
        <Fact name="Endpoint">
          <code class="wrap">{status.endpointId}</code>
        </Fact>
        <Fact name="Peers">
          {count(status.peers.connected)} connected of {count(status.peers.known)}
        </Fact>
        <Fact name="Outbox">{status.outbox.pending === 0 ? 'empty' : `${count(status.outbox.pending)} waiting`}</Fact>
        {store !== undefined && (
          <>
            <Fact name="Store">
              {bytes(store.bytes + store.logBytes)}, version {store.version}
            </Fact>
            <Fact name="Content">{store.holds}</Fact>
            <Fact name="Disk">
              {bytes(store.disk.freeBytes)} free of {bytes(store.disk.totalBytes)}
            </Fact>
          </>
        )}
      </dl>
    </Panel>
  )
}
