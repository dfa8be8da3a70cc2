/** Build: the parts of the program, the features that are not in it, and the proof of both. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type BuildAccount, type ReadBuild, treeOf } from '../../lib/build-tree.ts'
import { bytes, countOf } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { readBuilds, readProof } from '../../lib/proof.ts'
import { at, query, setQuery } from '../../lib/router.ts'
import { consoleApi, loadedSession } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Empty, Head, Panel, Tabs } from '../../parts/parts.tsx'
import type { View } from '../view.tsx'
import { Absences } from './absences.tsx'
import { Differences } from './differences.tsx'
import { Sunburst } from './sunburst.tsx'
import './build.css'

/** The view. */
export const build: View = {
  title: 'Build',
  path: 'build',
  key: 'i',
  icon: 'build',
  needs: ['build'],
  component: Build,
}

function Build(): JSX.Element {
  const read = useLoad(readBuilds)
  const builds = read.data
  const chosen = query.value.get('of') ?? builds?.own ?? builds?.profiles[0]
  if (builds === undefined)
    return (
      <>
        <Head title="Build" />
        <Datum of={read} name="the builds" isOfConsole />
      </>
    )
  if (chosen === undefined)
    return (
      <>
        <Head title="Build" />
        <Empty
          title="There is no proof beside this program"
          command={`svc-build build ${loadedSession().program.profile}`}
        >
          A build writes proof.json beside the program. Run the program in the folder of a build to see its proof.
        </Empty>
      </>
    )
  if (!builds.profiles.includes(chosen))
    return (
      <>
        <Head title="Build" />
        <Empty title="There is no build of this profile here" command={`svc-build build ${chosen}`}>
          A build writes proof.json beside the program.{' '}
          {builds.profiles.length > 0 && (
            <>
              There are builds of {builds.profiles.join(', ')}. <a href={at('/build')}>Show the build</a>
            </>
          )}
        </Empty>
      </>
    )
  return <Chosen key={chosen} profile={chosen} profiles={builds.profiles} />
}

function Chosen({
  profile,
  profiles,
}: {
  readonly profile: string
  readonly profiles: readonly string[]
}): JSX.Element {
  const read = useLoad((stop) => readBuild(profile, stop))
  const { data } = read
  const against = query.value.get('against') ?? undefined
  const other = against === profile ? undefined : against
  return (
    <>
      <Head
        title="Build"
        about={
          data !== undefined &&
          `${profile} · ${countOf(Object.keys(data.proof.bundles[0]?.out ?? {}).length, 'feature')} proven absent in its library`
        }
      >
        {profiles.length > 1 && (
          <>
            <label class="build-choice">
              Profile
              <select value={profile} onChange={(event) => setQuery('of', event.currentTarget.value)}>
                {profiles.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label class="build-choice">
              Compared with
              <select
                value={other ?? ''}
                onChange={(event) =>
                  setQuery('against', event.currentTarget.value === '' ? undefined : event.currentTarget.value)
                }
              >
                <option value="">nothing</option>
                {profiles
                  .filter((name) => name !== profile)
                  .map((name) => (
                    <option key={name}>{name}</option>
                  ))}
              </select>
            </label>
          </>
        )}
      </Head>
      <Datum of={read} name="the build" isOfConsole>
        {(build) =>
          build !== undefined && (
            <>
              <Bytes build={build} />
              {other !== undefined && <Differences key={other} of={build} with={other} />}
              <Absences build={build} />
            </>
          )
        }
      </Datum>
    </>
  )
}

/** Reads a build. Resolves to undefined if it has no proof. Rejects if it has a proof and no account. */
async function readBuild(profile: string, stop: AbortSignal): Promise<ReadBuild | undefined> {
  const proof = await readProof(profile, stop)
  if (proof === undefined) return undefined
  const account = await consoleApi<BuildAccount>(`/builds/${encodeURIComponent(profile)}/account`, { signal: stop })
  return { proof, account }
}

function Bytes({ build: { account, proof } }: { readonly build: ReadBuild }): JSX.Element {
  const [file, setFile] = useState(account.bundles.at(-1)?.file)
  const bundle = account.bundles.find((candidate) => candidate.file === file)
  if (bundle === undefined) throw new Error('the account of the build has no bundle')
  const proven = proof.bundles.find((candidate) => candidate.file === file)
  return (
    <Panel
      title={`${bytes(bundle.bytes)} minified, ${bytes(bundle.gzipBytes)} with gzip`}
      aside={
        account.bundles.length > 1 && (
          <Tabs
            label="Bundle"
            of={account.bundles.map(({ file: name }) => [name, name] as const)}
            value={bundle.file}
            onChoose={setFile}
          />
        )
      }
    >
      <Sunburst key={file} tree={treeOf(account, bundle)} />
      {proven !== undefined && (
        <p class="build-hash">
          SHA-256 <code class="wrap">{proven.sha256}</code>
        </p>
      )}
    </Panel>
  )
}
