/**
 * The pushes, the newest first. No route lists receipts, so that the list comes from the audit chain, which has each
 * applied push.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { readBack } from '../../lib/audit-pages.ts'
import { visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { at, go } from '../../lib/router.ts'
import { loadedSession, local, ServiceError } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, Clamped, Empty, Id, Panel } from '../../parts/parts.tsx'
import { nameOf, readNames } from '../boards/names.ts'
import type { PushEntry, Receipt } from './shapes.ts'
import { isSettled, receiptState } from './words.ts'

/** Number of pushes that are shown at first, and added by each click. */
const PAGE = 25
const POLL_MS = 4_000

interface Page {
  readonly entries: readonly PushEntry[]
  readonly head: { readonly seq: number }
}

async function readPushes(
  wantedCount: number,
  signal: AbortSignal,
): Promise<{ entries: readonly PushEntry[]; isWhole: boolean }> {
  const { head } = await local<Page>('/api/v1/audit?limit=1', { signal })
  const read = async (after: number, limit: number): Promise<readonly PushEntry[]> =>
    (await local<Page>(`/api/v1/audit?kind=push&after=${after}&limit=${limit}`, { signal })).entries
  const { entries, after } = await readBack(read, head.seq, wantedCount)
  return { entries: entries.toReversed(), isWhole: after === 0 && entries.length <= wantedCount }
}

/** Lists the pushes, and opens a push by its id. */
export function PushList({ hasPeers }: { readonly hasPeers: boolean }): JSX.Element {
  useLoad(readNames)
  const hasAudit = loadedSession().views.includes('audit')
  const [wantedCount, setWantedCount] = useState(PAGE)
  const listed = useLoad((stop) => (hasAudit ? readPushes(wantedCount, stop) : Promise.resolve(undefined)), {
    everyMs: POLL_MS,
    changes: [wantedCount],
  })
  const target = hasPeers ? ' --target <peer>' : ''
  return (
    <Panel title="Pushes" aside={<OpenById />}>
      {!hasAudit && (
        <Empty title="The pushes cannot be listed">
          The list needs the audit chain, which this service does not have. A push can be opened by its id.
        </Empty>
      )}
      {hasAudit && (
        <Datum
          of={listed}
          name="the pushes"
          empty={(data) =>
            data?.entries.length === 0 ? (
              <Empty title="No push yet" command={`svc push --key me.key --domain kbd-control:demo${target} --follow`}>
                A push signs the state of a project and sends it to peers.
              </Empty>
            ) : undefined
          }
        >
          {(data) => (
            <>
              <ul class="pushes">
                {data?.entries.slice(0, wantedCount).map((entry) => (
                  <PushRow key={entry.seq} of={entry} />
                ))}
              </ul>
              {data?.isWhole === false && (
                <button type="button" class="quiet" onClick={() => setWantedCount(wantedCount + PAGE)}>
                  Show older pushes
                </button>
              )}
            </>
          )}
        </Datum>
      )}
    </Panel>
  )
}

function PushRow({ of: { subject, project, actor, atMs } }: { readonly of: PushEntry }): JSX.Element {
  const [isSettledNow, setSettled] = useState(false)
  const { data, error } = useLoad(
    async (stop) => {
      const receipt = await local<Receipt>(`/api/v2/sync/pushes/${encodeURIComponent(subject ?? '')}`, { signal: stop })
      setSettled(isSettled(receipt))
      return receipt
    },
    isSettledNow ? {} : { everyMs: POLL_MS },
  )
  const state = data === undefined ? undefined : receiptState(data)
  return (
    <li>
      <a class="push" href={at(`/pushes/${encodeURIComponent(subject ?? '')}`)}>
        <span class="push-what">
          <strong>
            <Clamped text={project ?? 'no project'} />
          </strong>
          <span class="push-by">
            <Id id={subject ?? ''} />{' '}
            {data?.origin != null ? (
              'from a peer'
            ) : actor === 'owner' ? (
              'by the owner'
            ) : (
              <>
                by <span dir="auto">{visible(nameOf(actor))}</span>
              </>
            )}
          </span>
        </span>
        <Ago timeMs={atMs} />
        <span class="push-state">
          {state !== undefined && <Badge tone={state.tone}>{state.text}</Badge>}
          {error instanceof ServiceError && error.status === 404 && <Badge>receipt no longer kept</Badge>}
        </span>
      </a>
    </li>
  )
}

function OpenById(): JSX.Element {
  return (
    <form
      class="open-by-id"
      onSubmit={(event) => {
        event.preventDefault()
        const id = String(new FormData(event.currentTarget).get('id')).trim()
        if (id !== '') go(`/pushes/${encodeURIComponent(id)}`)
      }}
    >
      <input type="search" name="id" aria-label="Open a push by its id" placeholder="Open by id" autocomplete="off" />
    </form>
  )
}
