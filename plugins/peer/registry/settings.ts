/** Reads the entries of peers from the setting `peer.peers`. */
import { documented } from '../../../core/declare/described.ts'
import { integer, type Setting } from '../../../core/declare/settings.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { findWrong, type PeerParts } from './entry.ts'

const MEMBERS: readonly string[] = ['endpointId', 'addresses', 'label', 'projects']

/** Settings of feature `peer.registry`. */
export const peerSettings: {
  readonly 'peer.peers': Setting<readonly PeerParts[]>
  readonly 'peer.staged_bytes': Setting<number>
} = {
  'peer.peers': {
    default: [],
    summary: documented('Peers, beside those of svc peer add; an entry here wins over one of the same id there.'),
    secret: false,
    reload: true,
    expected:
      'a list of {"endpointId","addresses":["host:port"],"label","projects":[…]}, each endpoint id and label once; all but the id may be left out',
    read: readPeers,
    fromText(text) {
      try {
        return JSON.parse(text) as unknown
      } catch {
        return text
      }
    },
  },
  'peer.staged_bytes': integer({
    default: 268_435_456,
    min: 1_048_576,
    unit: 'bytes',
    summary: documented('Most bytes of commands of one peer that wait for the rest of a push.'),
  }),
}

function readPeers(input: unknown): readonly PeerParts[] | undefined {
  if (!Array.isArray(input)) return undefined
  const entries = input.map(readPeer)
  if (entries.some((entry) => entry === undefined)) return undefined
  const peers = entries as readonly PeerParts[]
  const labels = peers.flatMap(({ label }) => label ?? [])
  const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length
  return isUnique(peers.map(({ endpointId }) => endpointId)) && isUnique(labels) ? peers : undefined
}

function readPeer(input: unknown): PeerParts | undefined {
  if (!isObject(input) || Object.keys(input).some((name) => !MEMBERS.includes(name))) return undefined
  const { endpointId, addresses = [], label = null, projects = [] } = input
  if (typeof endpointId !== 'string' || !(label === null || typeof label === 'string')) return undefined
  if (!isTexts(addresses) || !isTexts(projects)) return undefined
  const entry: PeerParts = { endpointId, addresses, label, projects: [...new Set(projects)].sort() }
  return findWrong(entry) === undefined ? entry : undefined
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
