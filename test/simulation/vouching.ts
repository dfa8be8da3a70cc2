/**
 * Determines which commands a node may show: those that an active device at the node vouches for. The rule is computed
 * from all signed commands and from the medium of the node, so that it shares no code with the engine.
 */
import type { CommandEnvelope } from '../../plugins/kbd/api.ts'
import type { SimulatedNode } from './node.ts'

/** The commands that devices have signed, and the devices and pushes that each node has trusted. */
export interface Vouching {
  /** Adds a command that a device has signed. */
  signed(id: string, envelope: Pick<CommandEnvelope, 'signerKeyId' | 'expectedFrontier'>): void
  /** Reads which devices and pushes a node trusts. Called after each sync of its medium. */
  look(node: SimulatedNode): void
  /**
   * Whether a device that is active at the node, or was active at the previous look, has signed the command or a later
   * command that builds on it, or a push at the node that pins it. The later command may have been refused since, so it
   * need not be at the node.
   */
  isVouched(node: SimulatedNode, id: string): boolean
}

/** The trust state of a node. */
interface Trust {
  /** Devices that are active now. The engine may have used them or the `former` devices for new commands. */
  devices: ReadonlySet<string>
  former: ReadonlySet<string>
  /** The commands that trusted pushes pin, with all their ancestors. */
  readonly pinned: Set<string>
}

/** Creates the record of a run. */
export function createVouching(): Vouching {
  const signers = new Map<string, string>()
  const parents = new Map<string, readonly string[]>()
  const children = new Map<string, string[]>()
  const nodes = new Map<SimulatedNode, Trust>()

  const trustOf = (node: SimulatedNode): Trust => {
    let trust = nodes.get(node)
    if (trust === undefined) nodes.set(node, (trust = { devices: new Set(), former: new Set(), pinned: new Set() }))
    return trust
  }
  const trusts = ({ devices, former }: Trust, keyId: string): boolean => devices.has(keyId) || former.has(keyId)
  const pin = (pinned: Set<string>, heads: readonly string[]): void => {
    const open = [...heads]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (pinned.has(id)) continue
      pinned.add(id)
      open.push(...(parents.get(id) ?? []))
    }
  }

  return {
    signed(id, { signerKeyId, expectedFrontier }) {
      signers.set(id, signerKeyId)
      parents.set(id, expectedFrontier.heads)
      for (const parent of expectedFrontier.heads) children.set(parent, [...(children.get(parent) ?? []), id])
    },
    look(node) {
      const trust = trustOf(node)
      const active = node.disk.rows<[keyId: string]>("SELECT key_id FROM devices WHERE status = 'active'")
      trust.former = trust.devices
      trust.devices = new Set(active.map(([keyId]) => keyId))
      // The former version has no pushes from peers.
      if (node.isFormer) return
      const pushes = node.disk.rows<[heads: string, signer: string]>(
        'SELECT frontier, signer FROM peer_inbox WHERE frontier IS NOT NULL',
      )
      for (const [heads, signer] of pushes)
        if (trusts(trust, signer)) pin(trust.pinned, JSON.parse(heads) as readonly string[])
    },
    isVouched(node, id) {
      const trust = trustOf(node)
      const seen = new Set<string>()
      const open = [id]
      for (let current = open.pop(); current !== undefined; current = open.pop()) {
        if (seen.has(current)) continue
        seen.add(current)
        if (trust.pinned.has(current) || trusts(trust, signers.get(current) ?? '')) return true
        open.push(...(children.get(current) ?? []))
      }
      return false
    },
  }
}
