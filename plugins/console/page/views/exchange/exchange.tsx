/** Pushes and peers: the pushes, their acknowledgements, and the states of the peers. */
import type { JSX } from 'preact'
import { ago } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { path } from '../../lib/router.ts'
import { loadedSession, local } from '../../lib/service.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Head } from '../../parts/parts.tsx'
import type { View } from '../view.tsx'
import { Peers } from './peers.tsx'
import { PushList } from './push-list.tsx'
import { ReceiptPage } from './receipt-page.tsx'
import type { Peer, Status } from './shapes.ts'
import './exchange.css'

/** The view. */
export const exchange: View = {
  title: 'Pushes and peers',
  path: 'pushes',
  key: 'p',
  icon: 'pushes',
  needs: ['pushes', 'peers'],
  component: Exchange,
}

const POLL_MS = 3_000

function Exchange(): JSX.Element {
  const pushId = path.value[1]
  const { views } = loadedSession()
  const status = useLoad((stop) => local<Status>('/api/v1/status', { signal: stop }), { everyMs: POLL_MS })
  const listed = useLoad((stop) => local<{ peers: readonly Peer[] }>('/api/v1/peers', { signal: stop }), {
    everyMs: POLL_MS,
  })
  const peers = listed.data?.peers ?? []
  if (pushId !== undefined) return <ReceiptPage key={pushId} pushId={pushId} peers={peers} />
  return (
    <>
      <Head
        title="Pushes and peers"
        about="A push sends the state of a project to other nodes. Each node signs what it did."
      >
        <Datum of={status} name="the outbox">
          {({ outbox }) => <Outbox of={outbox} />}
        </Datum>
      </Head>
      <div class="exchange">
        {views.includes('pushes') && <PushList hasPeers={peers.length > 0} />}
        {views.includes('peers') && <Peers of={listed} endpointId={status.data?.endpointId} />}
      </div>
    </>
  )
}

function Outbox({ of: { pending, oldestAtMs } }: { readonly of: Status['outbox'] }): JSX.Element {
  if (pending === 0) return <Badge tone="ok">outbox empty</Badge>
  return (
    <Badge tone="warn">
      {pending} in the outbox{oldestAtMs !== null && `, the oldest: ${ago(oldestAtMs, now.value)}`}
    </Badge>
  )
}
