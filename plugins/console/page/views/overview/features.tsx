/** The features of the service, with their bytes if the build has a proof. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { FeatureOfBuild } from '../../../session.ts'
import { connection } from '../../lib/console-fetch.ts'
import { bytes, countOf } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { type Absence, type ProvenBundle, programOf, readBuilds, readProof } from '../../lib/proof.ts'
import { at } from '../../lib/router.ts'
import { loadedSession } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Panel, Tabs } from '../../parts/parts.tsx'

/** Lists the features that are in the program, and those that are proven absent. */
export function Features(): JSX.Element | null {
  const [side, setSide] = useState<'in' | 'out'>('in')
  const { service } = loadedSession()
  const { data: ownBundle } = useLoad(readOwnBundle)
  const features = service?.features ?? null
  // The proof beside the program of the console says nothing about another build.
  const bundle = service?.isSame === true ? ownBundle : undefined
  const out = Object.entries(bundle?.out ?? {})
  if (features === null || connection.value !== 'up')
    return (
      <Panel title="Features">
        {connection.value === 'up' ? (
          <p class="datum">The running service does not say which features it has.</p>
        ) : (
          <Datum of={{ data: undefined, error: undefined, atMs: undefined }} name="the features of the service" />
        )}
      </Panel>
    )
  return (
    <Panel
      title="Features"
      aside={
        <Tabs
          label="Which features"
          of={[
            ['in', `${features.length} in`],
            ...(out.length > 0 ? ([['out', `${out.length} out, proven`]] as const) : []),
          ]}
          value={side}
          onChoose={setSide}
        />
      }
    >
      {side === 'in' ? <Present features={features} bundle={bundle} /> : <ProvenOut out={out} />}
    </Panel>
  )
}

async function readOwnBundle(stop: AbortSignal): Promise<ProvenBundle | undefined> {
  const { own: profile } = await readBuilds(stop)
  const proof = profile === null ? undefined : await readProof(profile, stop)
  return proof === undefined ? undefined : programOf(proof)
}

function Present({
  features,
  bundle,
}: {
  readonly features: readonly FeatureOfBuild[]
  readonly bundle: ProvenBundle | undefined
}): JSX.Element {
  const sizeOf = (id: string, variant: string | undefined): number =>
    (bundle?.in[`feature:${id}`]?.bytes ?? 0) + (bundle?.in[`variant:${id}=${variant}`]?.bytes ?? 0)
  const most = Math.max(1, ...features.map(({ id, variant }) => sizeOf(id, variant)))
  return (
    <ul class="features">
      {features.map(({ id, variant, stability, summary }) => {
        const size = sizeOf(id, variant)
        return (
          <li key={id}>
            <span class="feature-name">
              <code>{id}</code>
              {variant !== undefined && <span class="feature-variant">{variant}</span>}
              {stability !== null && stability !== 'stable' && <Badge>{stability}</Badge>}
            </span>
            <span class="feature-summary">{summary}</span>
            {bundle !== undefined && (
              <span class="feature-size">
                <span class="bar" style={{ inlineSize: `${(size / most) * 100}%` }} />
                {bytes(size)}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function ProvenOut({ out }: { readonly out: readonly (readonly [string, Absence])[] }): JSX.Element {
  return (
    <ul class="features">
      {out.map(([id, { positive }]) => (
        <li key={id}>
          <span class="feature-name">
            <code>{id}</code>
          </span>
          <span class="feature-summary">0 bytes here; {countOf(positive.bytes, 'byte')} if it is switched on</span>
          <span class="feature-size">
            <a href={at('/build')}>proof</a>
          </span>
        </li>
      ))}
    </ul>
  )
}
