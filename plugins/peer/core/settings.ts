/** The settings of the surface between peers. */
import { documented } from '../../../core/declare/described.ts'
import { deprecated, integer, type Setting } from '../../../core/declare/settings.ts'

/** Keys of the settings of feature `peer.core`. */
export type PeerSettingKey =
  | 'peer.bytes_per_minute'
  | 'peer.pull_interval_ms'
  | 'peer.max_body_bytes'
  | 'peer.max_connections'
  | 'peer.max_exchanges'
  | 'peer.unnamed_content_bytes'
  | 'peer.request_timeout_ms'
  | 'peer.idle_timeout_ms'

/** Settings of feature `peer.core`. */
export const peerCoreSettings: Readonly<Record<PeerSettingKey, Setting<number>>> = {
  'peer.bytes_per_minute': integer({
    default: 67_108_864,
    min: 1_048_576,
    unit: 'bytes',
    summary: documented('Most bytes of bodies that one peer may send and be sent in a minute.'),
  }),
  'peer.pull_interval_ms': integer({
    default: 0,
    unit: 'ms',
    summary: documented('How often this node fetches by itself what its peers have; 0: never.'),
  }),
  'peer.max_body_bytes': deprecated(
    integer({
      default: 262_144,
      min: 65_536,
      max: 1_048_576,
      unit: 'bytes',
      summary: documented('Largest body of a request between peers.'),
    }),
    documented('Two nodes must have the same value.'),
  ),
  'peer.max_connections': deprecated(
    integer({
      default: 4,
      min: 1,
      max: 64,
      summary: documented('Most connections of one peer.'),
    }),
    documented('A peer needs one connection, and some more while one breaks.'),
  ),
  'peer.max_exchanges': deprecated(
    integer({
      default: 4,
      min: 1,
      max: 64,
      summary: documented('Most requests of one peer at once.'),
    }),
    documented('A peer sends its requests in turn; more at once are not faster.'),
  ),
  'peer.unnamed_content_bytes': deprecated(
    integer({
      default: 16_777_216,
      unit: 'bytes',
      summary: documented('Most bytes of texts of one peer that no command names yet.'),
    }),
    documented("A push names its texts within seconds; what stays unnamed is no honest peer's."),
  ),
  'peer.request_timeout_ms': integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    summary: documented(
      'Time for a request to a peer, for the head of one of a peer, and for a body that makes no progress.',
    ),
  }),
  'peer.idle_timeout_ms': deprecated(
    integer({
      default: 60_000,
      min: 100,
      max: 3_600_000,
      unit: 'ms',
      summary: documented('How long a connection between peers is kept open between two requests.'),
    }),
    documented('A new connection is one handshake; an old one costs memory.'),
  ),
}
