/** The peers of this node: their addresses, when each was last seen, and how far each is behind. */
import type { JSX } from 'preact'
import { countOf, visible } from '../../lib/format.ts'
import type { Reading } from '../../lib/reading.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, Clamped, Copy, Empty, Id, Panel } from '../../parts/parts.tsx'
import type { Peer } from './shapes.ts'
import { faultInWords, peerState } from './words.ts'

/** Number of projects of a peer that are listed. */
const SHOWN_PROJECTS = 20

/** Lists the peers. */
export function Peers({
  of,
  endpointId,
}: {
  readonly of: Reading<{ readonly peers: readonly Peer[] }>
  readonly endpointId: string | undefined
}): JSX.Element {
  return (
    <Panel
      title="Peers"
      aside={
        endpointId !== undefined && (
          <span class="own-id">
            this node <Id id={endpointId} /> <Copy text={endpointId} label="Copy id" />
          </span>
        )
      }
    >
      <Datum
        of={of}
        name="the peers"
        empty={({ peers }) =>
          peers.length === 0 ? (
            <Empty title="No peer yet" command="svc peer pair --project demo --devices">
              Two paired nodes share boards. The command prints a code for <code>svc peer join</code> on the other node.
              Both nodes need <code>peer.listen</code>.
            </Empty>
          ) : undefined
        }
      >
        {({ peers }) => (
          <ul class="peers">
            {peers.map((peer) => (
              <PeerRow key={peer.endpointId} of={peer} />
            ))}
          </ul>
        )}
      </Datum>
    </Panel>
  )
}

function PeerRow({ of }: { readonly of: Peer }): JSX.Element {
  const { endpointId, label, transport, addresses, state, lastSeenAtMs, lastFailure } = of
  const stateWords = peerState(state, lastSeenAtMs)
  const fault = lastFailure === null ? undefined : faultInWords(lastFailure.code)
  return (
    <li>
      <div class="receipt-peer-head">
        <strong>{label === null ? <Id id={endpointId} /> : <Clamped text={label} />}</strong>
        {label !== null && <Id id={endpointId} />}
        <Badge tone={stateWords.tone}>{stateWords.text}</Badge>
      </div>
      <p class="peer-way">
        <span>{visible(transport, 40)}</span>
        {addresses.length === 0 ? (
          <span>no address: only the peer can connect</span>
        ) : (
          addresses.slice(0, 4).map((address) => <code key={address}>{visible(address, 80)}</code>)
        )}
        <span>
          {lastSeenAtMs === null ? (
            'not seen by this node'
          ) : (
            <>
              seen <Ago timeMs={lastSeenAtMs} />
            </>
          )}
        </span>
      </p>
      {lastFailure !== null && fault !== undefined && (
        <div class={`peer-fault${state === 'connected' ? ' peer-fault-past' : ''}`}>
          <p>
            {fault.what} <Ago timeMs={lastFailure.atMs} />
          </p>
          {fault.next !== undefined && state !== 'connected' && <p class="peer-next">{fault.next}</p>}
          <p class="peer-said">
            <code>{visible(lastFailure.code, 80)}</code> <Clamped text={lastFailure.message} lines={2} />
          </p>
        </div>
      )}
      <Projects of={of} />
    </li>
  )
}

function Projects({ of: { allowedProjects, state, projects: projectStates } }: { readonly of: Peer }): JSX.Element {
  const projects = [...new Set([...(allowedProjects ?? []), ...Object.keys(projectStates)])]
  if (projects.length === 0)
    return (
      <p class="peer-next">
        {allowedProjects === undefined
          ? 'Which projects this peer may read is not known.'
          : 'This peer may not read any project.'}
      </p>
    )
  return (
    <ul class="peer-projects">
      {projects.slice(0, SHOWN_PROJECTS).map((project) => (
        <li key={project}>
          <span>{visible(project, 100)}</span>
          <Behind of={projectStates[project]} isConnected={state === 'connected'} />
        </li>
      ))}
      {projects.length > SHOWN_PROJECTS && <li>{countOf(projects.length - SHOWN_PROJECTS, 'more project')}</li>}
    </ul>
  )
}

/**
 * How far a peer is behind in a project. It is not known if this node has not seen the state of the peer, or does not
 * have commands that the peer has. Of a peer that is not connected, what was known when it was last seen.
 */
function Behind({
  of,
  isConnected,
}: {
  readonly of: Peer['projects'][string] | undefined
  readonly isConnected: boolean
}): JSX.Element {
  if (of === undefined) return <Badge>not known</Badge>
  const { behind, unknownHeads = 0 } = of
  if (unknownHeads > 0) return <Badge>not known: it has commands that are not here</Badge>
  const when = isConnected ? '' : ' when last seen'
  if (behind === 0) return <Badge tone={isConnected ? 'ok' : 'plain'}>{`up to date${when}`}</Badge>
  return <Badge tone="warn">{`${countOf(behind, 'command')} behind${when}`}</Badge>
}
