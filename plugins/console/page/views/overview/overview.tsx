/** Overview: the readiness of the service, its traffic and its features. */
import type { JSX } from 'preact'
import { connection } from '../../lib/console-fetch.ts'
import { bytes, count, duration } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { sumOf } from '../../lib/metrics.ts'
import { knowledgeOf, type Reading } from '../../lib/reading.ts'
import { loadedSession } from '../../lib/service.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Fact, Head, Panel } from '../../parts/parts.tsx'
import { Differs, ServiceName } from '../../parts/service-name.tsx'
import { Spark, Ticks } from '../../parts/spark.tsx'
import type { View } from '../view.tsx'
import { DayPanel } from './day-panel.tsx'
import { type Facts, readDay, readFacts } from './facts.ts'
import { Features } from './features.tsx'
import { checks, POLL_MS, poll, SLOTS, scrape, traffic } from './history.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import './overview.css'
import './day.css'

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
  const polled = useLoad(poll, { everyMs: POLL_MS })
  // The facts say since when conflicts are open, once the metrics say where.
  const conflicts = scrape.value === undefined ? undefined : sumOf(scrape.value, 'svc_kbd_conflicts')
  const facts = useLoad(readFacts, { everyMs: 5_000, changes: [conflicts] })
  const day = useLoad(readDay, { everyMs: 20_000 })
  const { runtime } = loadedSession()
  const isFresh = knowledgeOf(polled, connection.value !== 'up') === 'fresh'
  const started = scrape.value?.get('process_start_time_seconds')?.[0]?.value
  return (
    <>
      <Head
        title="Overview"
        about={
          <>
            <ServiceName />
            {isFresh && started !== undefined && ` · up for ${duration(now.value - started * 1_000)}`}
            {runtime !== null && ` · ${runtime.origin}`}
          </>
        }
      />
      <VerdictPanel of={facts} polled={polled} day={day.data} />
      <Differs />
      <Traffic />
      <DayPanel of={day} />
      <div class="columns">
        <Checks />
        <Store of={facts} />
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
      <Gauge
        name="Open streams"
        value={streams === undefined ? '–' : count(streams)}
        unit=""
        values={points.map((point) => point.streams)}
      />
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
            <span
              class={`dot ${toneOf(values.at(-1), required)}`}
              role="img"
              aria-label={values.at(-1) === undefined ? 'not known' : values.at(-1) ? 'passes' : 'fails'}
            />
            <span class="check-name">
              {name.replaceAll('_', ' ')}
              <span class="check-surface">
                {surface}
                {!required && ', optional'}
              </span>
            </span>
            <Ticks values={values} slots={SLOTS} label={ticksLabel(values)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function toneOf(value: boolean | undefined, required: boolean): string {
  if (value === undefined) return ''
  return value ? 'dot-ok' : required ? 'dot-bad' : 'dot-warn'
}

function ticksLabel(values: readonly (boolean | undefined)[]): string {
  const results = values.filter((value) => value !== undefined)
  const gaps = values.length - results.length
  const passed = `${results.filter(Boolean).length} of ${results.length} checks passed`
  return gaps === 0 ? passed : `${passed}, ${gaps} are not known`
}

function Store({ of }: { readonly of: Reading<Facts> }): JSX.Element | null {
  const { local: hasLocal } = loadedSession()
  if (hasLocal === null) return null
  return (
    <Panel title="This node">
      <Datum of={of} name="this node">
        {({ status, store }) => (
          <dl class="facts">
            {status !== undefined && (
              <>
                <Fact name="Endpoint">
                  <code class="wrap">{status.endpointId}</code>
                </Fact>
                <Fact name="Peers">
                  {count(status.peers.connected)} connected of {count(status.peers.known)}
                </Fact>
                <Fact name="Outbox">
                  {status.outbox.pending === 0 ? 'empty' : `${count(status.outbox.pending)} waiting`}
                </Fact>
              </>
            )}
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
        )}
      </Datum>
    </Panel>
  )
}
