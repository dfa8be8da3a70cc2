/** The nodes of a run, and what their owners do: enrol devices, enter peers, upgrade. */
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
import type { Judge } from './judge.ts'
import { ed25519, keyOf } from './keys.ts'
import type { Liar } from './liar.ts'
import { uuidOf } from './life.ts'
import type { Network } from './network.ts'
import { createNode, type SimulatedNode, type Tamper } from './node.ts'
import type { World } from './world.ts'

/** What the media of a run are like at a moment. */
export interface Media {
  /** Milliseconds of a sync. */
  syncMs: readonly [low: number, high: number]
  /** Probability that a sync fails. */
  failure: number
}

/** How a node differs from one that ships: the rig's own mutations, and nodes in the hands of somebody else. */
export interface Oddity {
  readonly saysTooEarly?: boolean
  readonly verifier?: Ed25519Verifier
  readonly tamper?: Tamper
  readonly isFormer?: boolean
  /** Its store is that of embedding hosts, and its medium holds bytes. */
  readonly keepsBytes?: boolean
  /** It lets every peer read every project, whatever its owner wants. */
  readonly readsAll?: boolean
  /** What the plugins get in the place of their store, at each start. */
  readonly store?: (store: ReceiptStore) => ReceiptStore
}

/** Who is who in a run. */
export interface Cast {
  /** How nodes differ from what ships, by name. */
  readonly oddities: Readonly<Record<string, Oddity>>
  /** The one that is not honest, where there is one. */
  readonly liar: { readonly name: string; readonly says: Liar } | undefined
  /** The nodes for which everything must hold. */
  honest(nodes: readonly SimulatedNode[]): readonly SimulatedNode[]
}

/** What a cluster is made of. */
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

/** The owners' hands. */
export interface Owners {
  readonly nodes: readonly SimulatedNode[]
  /** Enrols devices, by their names. */
  enrol(node: SimulatedNode, devices: readonly string[]): Promise<void>
  revoke(node: SimulatedNode, device: string): Promise<void>
  /** Carries every enrolment and revocation of one node to another. */
  carryDevices(from: SimulatedNode, to: SimulatedNode): Promise<void>
  /** Takes another out of the book of a node. */
  forget(node: SimulatedNode, other: SimulatedNode): Promise<void>
  /** Enters the others in the book of a node, where they are not. */
  enter(node: SimulatedNode): Promise<void>
}

/** A device that is active, by its name. */
export function deviceOf(name: string, enrolledAtMs = 0): Device {
  const { endpointId, keyId } = keyOf(name)
  const scopes = [PROJECT, OTHER].flatMap((project) => FAMILIES.map((family) => `${family.name}:${project}`))
  return {
    ...{ keyId, deviceId: keyId, publicKey: endpointId, endpointId, scopes, label: name, status: 'active' },
    ...{ enrolledAtMs, expiresAtMs: null, revokedAtMs: null, revokedReason: null },
  }
}

/** The last version of the schema without peers. */
const FORMER_SCHEMA = 3
const BOTH = [PROJECT, OTHER]
const FAMILIES = [{ name: 'kbd-control' }, { name: 'kbd-content' }]
const SETTINGS = { 'sync.retry_first_ms': 250, 'sync.retry_max_ms': 4_000 }

/** Makes the nodes, all of them down. */
export function createCluster(names: readonly string[], parts: ClusterParts): Owners {
  const { world, network, judge, chance, media, cast } = parts
  const entries = chance.fork('entries')
  const pairs = new Set(names.flatMap((one) => names.filter(() => entries.hit(0.5)).map((other) => `${one} ${other}`)))
  const namesOther = (one: string, other: string): boolean => pairs.has(`${one} ${other}`)
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
    const disk = oddity.keepsBytes === true ? createBytesDisk(medium, image) : createDisk(medium, image)
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
        noteWord(judge, node, answer)
        if (!namesOther(name, from)) judge.told(node, from, Buffer.from(answer.body).toString())
      },
      asks(to, { body = '' }) {
        if (!namesOther(name, to)) judge.told(node, to, Buffer.from(body).toString())
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
      const others = nodes.filter((one) => one !== node && !known.has(one.key.endpointId))
      await Promise.all(
        others.map(({ name, key: { endpointId } }) =>
          registry.put({
            endpointId,
            addresses: [`${name}:1`],
            label: name,
            projects: namesOther(node.name, name) || cast.oddities[node.name]?.readsAll === true ? BOTH : [PROJECT],
          }),
        ),
      )
    },
  }
}

/** What a node says of a push is on its medium, with the entry of its audit chain that it names. */
function noteWord(judge: Judge, node: SimulatedNode, { status, body }: PeerAnswer): void {
  if (status !== 200 || !Buffer.from(body).includes('svc-peer-ack-1')) return
  const { ack } = JSON.parse(Buffer.from(body).toString()) as { ack: { auditHead: string; pushId: string } | null }
  if (ack === null) return
  if (!/^0+$/.test(ack.auditHead)) judge.acknowledged(node, 'audit', ack.auditHead)
}
