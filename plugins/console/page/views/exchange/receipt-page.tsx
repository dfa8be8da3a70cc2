/** One push: its state, the acknowledgements of its peers, and its events as they arrive. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { clockTime, countOf, fullTime, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { useLoad } from '../../lib/load.ts'
import { at, go } from '../../lib/router.ts'
import { loadedSession, local } from '../../lib/service.ts'
import { localCurl } from '../../lib/shell-commands.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, Clamped, Copy, Fact, Head, Id, Panel } from '../../parts/parts.tsx'
import { type AcknowledgementProof, proofsOf } from './acknowledgements.ts'
import { type Followed, useEvents } from './follow.ts'
import { ReceiptPeers } from './receipt-peers.tsx'
import type { Peer, Receipt } from './shapes.ts'
import { eventInWords, eventTone, receiptState } from './words.ts'

const pathOf = (pushId: string): string => `/api/v2/sync/pushes/${encodeURIComponent(pushId)}`

/** The page of a push. */
export function ReceiptPage({
  pushId,
  peers,
}: {
  readonly pushId: string
  readonly peers: readonly Peer[]
}): JSX.Element {
  const followed = useEvents(pushId)
  const read = useLoad((stop) => local<Receipt>(pathOf(pushId), { signal: stop }), {
    inputs: [pushId],
    changes: [followed.events.length, followed.isEnded],
  })
  useKeys([{ keys: 'u', does: 'Back to the pushes', run: () => go('/pushes') }])
  const labels = new Map(peers.map(({ endpointId, label }) => [endpointId, label]))
  const state = read.data === undefined ? undefined : receiptState(read.data)
  return (
    <>
      <Head
        title="Push"
        about={
          <>
            <a href={at('/pushes')}>All pushes</a> · <code class="wrap">{visible(pushId, 100)}</code>
          </>
        }
      >
        {state !== undefined && <Badge tone={state.tone}>{state.text}</Badge>}
      </Head>
      <Datum of={read} name="the push">
        {(receipt) => (
          <>
            <Facts of={receipt} labels={labels} />
            <div class="exchange">
              <Acknowledged of={receipt} labels={labels} />
              <Events of={followed} labels={labels} />
            </div>
          </>
        )}
      </Datum>
    </>
  )
}

function Facts({
  of,
  labels,
}: {
  readonly of: Receipt
  readonly labels: ReadonlyMap<string, string | null>
}): JSX.Element {
  const { domain, targets, origin, revision, frontier, canonicalPayloadHash, createdAtMs, updatedAtMs, pushId } = of
  const project = /^kbd-control:(.+)$/.exec(domain)?.[1]
  const { views } = loadedSession()
  return (
    <Panel title={<Clamped text={domain} />} aside={<Copy text={localCurl(pathOf(pushId))} label="Copy as curl" />}>
      <dl class="facts">
        <Fact name="Created">
          <span title={fullTime(createdAtMs)}>
            <Ago timeMs={createdAtMs} />,{' '}
            {origin === null ? (
              'on this node'
            ) : (
              <>
                by the peer <PeerName id={origin} label={labels.get(origin)} />
              </>
            )}
          </span>
        </Fact>
        <Fact name="Changed">
          <Ago timeMs={updatedAtMs} />
        </Fact>
        <Fact name="Targets">{targets.length === 0 ? 'only this node' : countOf(targets.length, 'peer')}</Fact>
        <Fact name="Project state">
          {revision === null ? 'no commands' : countOf(revision, 'command')}
          {frontier !== null && `, ${countOf(frontier.heads.length, 'head')}`}
        </Fact>
        <Fact name="See">
          {project !== undefined && views.includes('boards') && (
            <>
              <a href={at(`/boards/${encodeURIComponent(project)}`)}>Boards of {visible(project, 60)}</a>{' '}
            </>
          )}
          {views.includes('audit') && (
            <a href={at(`/audit?search=${encodeURIComponent(pushId)}`)}>Entries in the audit</a>
          )}
        </Fact>
        <Fact name="Payload">
          <code class="wrap">{visible(canonicalPayloadHash)}</code>
        </Fact>
      </dl>
    </Panel>
  )
}

function Acknowledged({
  of,
  labels,
}: {
  readonly of: Receipt
  readonly labels: ReadonlyMap<string, string | null>
}): JSX.Element {
  const [proofs, setProofs] = useState<ReadonlyMap<string, AcknowledgementProof>>(new Map())
  useEffect(() => {
    let isShown = true
    void proofsOf(of).then((newProofs) => isShown && setProofs(newProofs))
    return () => {
      isShown = false
    }
  }, [of])
  return <ReceiptPeers of={of} proofs={proofs} labels={labels} />
}

function Events({
  of: { isOpen, isEnded, reading },
  labels,
}: {
  readonly of: Followed
  readonly labels: ReadonlyMap<string, string | null>
}): JSX.Element {
  return (
    <Panel title="Events" aside={isEnded ? <Badge>complete</Badge> : isOpen && <Badge tone="ok">live</Badge>}>
      <Datum of={reading} name="the events" isOfConsole={isEnded}>
        {(events) => (
          <ol class="receipt-events" aria-live="polite">
            {events.map((event) => (
              <li key={event.sequence}>
                <span class={`dot dot-${eventTone(event)}`} />
                <div>
                  {eventInWords(event)}
                  {event.peer !== undefined && (
                    <span class="receipt-peer">
                      {event.kind === 'peer_delivery_failed' ? ' to ' : ' by '}
                      <PeerName id={event.peer} label={labels.get(event.peer)} />
                    </span>
                  )}
                  {event.failure !== undefined && (
                    <span class="receipt-failure">
                      <Clamped text={event.failure.message} lines={2} /> <code>{visible(event.failure.code, 80)}</code>
                    </span>
                  )}
                </div>
                <time dateTime={new Date(event.atMs).toISOString()} title={fullTime(event.atMs)}>
                  {clockTime(event.atMs)}
                </time>
              </li>
            ))}
          </ol>
        )}
      </Datum>
    </Panel>
  )
}

/** Shows the name of a peer: its label, or the beginning of its id. */
function PeerName({ id, label }: { readonly id: string; readonly label: string | null | undefined }): JSX.Element {
  return label == null ? <Id id={id} /> : <Clamped text={label} />
}
