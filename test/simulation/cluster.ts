/** The nodes of a run, and actions of their owners: enrol devices, register peers, upgrade. */
import type { PeerAnswer } from '../../plugins/peer/api.ts'
import type {} from '../../plugins/peer/registry/capabilities.ts'
import type { Device, Ed25519Verifier } from '../../plugins/sync/api.ts'
import { createDevices, type Devices } from '../../plugins/sync/engine/devices/devices.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import { newestVersion, toSchema } from '../../plugins/sync/engine/store/schema.ts'
import { storeParts } from '../support/store-parts.ts'
import { createBytesDisk } from './bytes-disk.ts'
import type { Chance } from './chance.ts'
import { OTHER, PROJECT } from './client.ts'
import { createDisk, imageOf } from './disk.ts'
import { createHostDisk } from './host-disk.ts'
import type { Judge } from './judge.ts'
import { ed25519, keyOf } from './keys.ts'
import type { Liar } from './liar.ts'
import { uuidOf } from './life.ts'
import type { Network } from './network.ts'
import { createNode, type SimulatedNode, type Tamper } from './node.ts'
import type { World } from './world.ts'

/** The current behaviour of the media of a run. */
export interface Media {
  /** The range of the duration of a sync, in milliseconds. */
  syncMs: readonly [low: number, high: number]
  /** The probability that a sync fails. */
  failure: number
}

/** How a node differs from a real node: deliberate mutations, and nodes of a dishonest owner. */
export interface Oddity {
  readonly saysTooEarly?: boolean
  readonly verifier?: Ed25519Verifier
  readonly tamper?: Tamper
  readonly isFormer?: boolean
  /** The store of embedding hosts that the node uses, by its medium. */
  readonly embedded?: 'bytes' | 'database'
  /** Whether the node lets every peer read every project, against the wish of its owner. */
  readonly readsAll?: boolean
  /** Replaces the store that the plugins get, at each start. */
  readonly store?: (store: ReceiptStore) => ReceiptStore
}

/** The roles of the nodes in a run. */
export interface Cast {
  /** How nodes differ from real nodes, by name. */
  readonly oddities: Readonly<Record<string, Oddity>>
  /** The dishonest node, or undefined. */
  readonly liar: { readonly name: string; readonly says: Liar } | undefined
  /** The nodes for which all invariants must hold. */
  honest(nodes: readonly SimulatedNode[]): readonly SimulatedNode[]
}

/** The parts of a cluster. */
export interface ClusterParts {
  readonly world: World
  readonly network: Network
  readonly judge: Judge
  readonly chance: Chance
  readonly media: Media
  readonly cast: Cast
  /** Settings of all nodes, by full key. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The nodes, and the actions of their owners. */
export interface Owners {
  readonly nodes: readonly SimulatedNode[]
  /** Enrols devices by their names. */
  enrol(node: SimulatedNode, devices: readonly string[]): Promise<void>
  revoke(node: SimulatedNode, device: string): Promise<void>
  /** Copies every enrolment and revocation of one node to another. */
  carryDevices(from: SimulatedNode, to: SimulatedNode): Promise<void>
  /** Removes another node from the peer registry of a node. */
  forget(node: SimulatedNode, other: SimulatedNode): Promise<void>
  /** Registers all other nodes as peers of a node, unless they are registered already. */
  enter(node: SimulatedNode): Promise<void>
}

/** The record of an active device with a name. */
export function deviceOf(name: string, enrolledAtMs = 0): Device {
  const { endpointId, keyId } = keyOf(name)
  const scopes = [PROJECT, OTHER].flatMap((project) => FAMILIES.map((family) => `${family.name}:${project}`))
  return {
    ...{ keyId, deviceId: keyId, publicKey: endpointId, endpointId, scopes, label: name, status: 'active' },
    ...{ enrolledAtMs, expiresAtMs: null, revokedAtMs: null, revokedReason: null },
  }
}

/** The last schema version without peers. */
const FORMER_SCHEMA = 3
const BOTH = [PROJECT, OTHER]
const FAMILIES = [{ name: 'kbd-control' }, { name: 'kbd-content' }]
const SETTINGS = { 'sync.retry_first_ms': 250, 'sync.retry_max_ms': 4_000 }

const DISKS = { file: createDisk, bytes: createBytesDisk, database: createHostDisk }

/** Creates the nodes, all of them down. */
export function createCluster(names: readonly string[], parts: ClusterParts): Owners {
  const { world, network, judge, chance, media, cast } = parts
  const entries = chance.fork('entries')
  const pairs = new Set(names.flatMap((one) => names.filter(() => entries.hit(0.5)).map((other) => `${one} ${other}`)))
  const mayReadOther = (one: string, other: string): boolean => pairs.has(`${one} ${other}`)
  const nodes = names.map((name): SimulatedNode => {
    const own = chance.fork(name)
    const oddity = cast.oddities[name] ?? {}
    const medium = {
      syncMs: () => (own.hit(media.failure) ? undefined : own.between(...media.syncMs)),
      pause: world.pause,
      synced: () => judge.look(node),
      lost(why: 'crash' | 'failure') {
        world.count(why === 'crash' ? 'lost commits' : 'failed syncs')
        world.tell(`${name} loses a commit: ${why}`)
      },
      saysTooEarly: oddity.saysTooEarly === true,
    }
    const image = imageOf(oddity.isFormer === true ? FORMER_SCHEMA : newestVersion(toSchema(storeParts)))
    if (oddity.embedded !== undefined)
      world.count(oddity.embedded === 'bytes' ? 'stores on bytes' : 'stores on databases')
    const disk = DISKS[oddity.embedded ?? 'file'](medium, image)
    const node = createNode({
      name,
      world,
      network,
      chance: own,
      disk,
      verifier: oddity.verifier ?? ed25519,
      settings: oddity.isFormer === true ? SETTINGS : { ...SETTINGS, ...parts.settings },
      failed: (message, error) => judge.blame('sound', name, `${message} ${String(error)}`),
      answered(answer, from) {
        noteAcknowledgement(judge, node, answer)
        if (!mayReadOther(name, from)) judge.told(node, from, Buffer.from(answer.body).toString())
      },
      asks(to, { body = '' }) {
        if (!mayReadOther(name, to)) judge.told(node, to, Buffer.from(body).toString())
      },
      tamper: oddity.tamper,
      ...(oddity.store !== undefined && { store: oddity.store }),
    })
    node.isFormer = oddity.isFormer === true
    return node
  })
  const devicesOf = (node: SimulatedNode): Devices =>
    createDevices(node.kernel.capability('ReceiptStore'), FAMILIES, { now: node.now, uuid: () => uuidOf(chance) })

  return {
    nodes,
    async enrol(node, devices) {
      const records = devices.map((device) => deviceOf(device, node.now()))
      await devicesOf(node).take({ context: 'svc-device-export-1', devices: records })
    },
    async revoke(node, device) {
      world.count('revocations')
      world.tell(`${node.name} revokes ${device}`)
      await devicesOf(node).revoke(keyOf(device).keyId, null)
    },
    carryDevices: async (from, to) => void (await devicesOf(to).take(await devicesOf(from).export([]))),
    async forget(node, other) {
      world.count('forgotten peers')
      world.tell(`${node.name} forgets ${other.name}`)
      await node.kernel.capability('PeerStore').registry.remove(other.name)
    },
    async enter(node) {
      const { registry } = node.kernel.capability('PeerStore')
      const known = new Set((await registry.list()).map(({ endpointId }) => endpointId))
      const others = nodes.filter((candidate) => candidate !== node && !known.has(candidate.key.endpointId))
      await Promise.all(
        others.map(({ name, key: { endpointId } }) =>
          registry.put({
            endpointId,
            addresses: [`${name}:1`],
            label: name,
            projects: mayReadOther(node.name, name) || cast.oddities[node.name]?.readsAll === true ? BOTH : [PROJECT],
          }),
        ),
      )
    },
  }
}

/** Notes that the audit entry that an acknowledgement names must be on the medium of the node. */
function noteAcknowledgement(judge: Judge, node: SimulatedNode, { status, body }: PeerAnswer): void {
  if (status !== 200 || !Buffer.from(body).includes('svc-peer-ack-1')) return
  const { ack } = JSON.parse(Buffer.from(body).toString()) as { ack: { auditHead: string; pushId: string } | null }
  if (ack === null) return
  if (!/^0+$/.test(ack.auditHead)) judge.acknowledged(node, 'audit', ack.auditHead)
}
