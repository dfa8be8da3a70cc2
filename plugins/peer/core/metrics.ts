/** The metrics of exchanges with peers. */
import {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type InstrumentsOf,
  type Metric,
} from '../../../core/declare/metric.ts'

/** By the names of the instruments. */
export const peerMetrics: {
  readonly connections: Metric<Gauge> | undefined
  readonly exchanges: Metric<Counter<'direction' | 'outcome'>> | undefined
  readonly bytes: Metric<Counter<'direction'>> | undefined
  readonly acknowledgements: Metric<Counter<'state'>> | undefined
  readonly words: Metric<Counter<'state'>> | undefined
} = {
  connections: gauge('svc_peer_connections', { unit: 'connections', help: 'Connections of peers that are open now.' }),
  exchanges: counter('svc_peer_exchanges_total', {
    unit: 'requests',
    help: 'Requests of peers (in) and to peers (out) by outcome.',
    labels: ['direction', 'outcome'],
  }),
  bytes: counter('svc_peer_bytes_total', {
    unit: 'bytes',
    help: 'Bytes of bodies in requests of peers (in) and to peers (out).',
    labels: ['direction'],
  }),
  /** `state` is `received`, `applied` or `rejected`; `false` stands for an invalid acknowledgement. */
  acknowledgements: counter('svc_peer_acks_total', {
    unit: 'acknowledgements',
    help: 'Acknowledgements of peers for pushes of this node.',
    labels: ['state'],
  }),
  /** The name of before, for dashboards that read it. */
  words: counter('svc_peer_words_total', {
    unit: 'acknowledgements',
    help: 'The earlier name of svc_peer_acks_total. It goes with the next release.',
    labels: ['state'],
  }),
}

/** Counts one acknowledgement of a peer. */
export function countAcknowledgement(
  { acknowledgements, words }: InstrumentsOf<typeof peerMetrics>,
  state: string,
): void {
  acknowledgements.add({ state })
  words.add({ state })
}

/** Counts one answered request of a peer (`in`) or to a peer (`out`). `size` is the length of both bodies in bytes. */
export function countExchange(
  { exchanges, bytes }: InstrumentsOf<typeof peerMetrics>,
  direction: 'in' | 'out',
  outcome: string,
  size: number,
): void {
  exchanges.add({ direction, outcome })
  bytes.add({ direction }, size)
}
