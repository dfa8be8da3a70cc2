/**
 * Which commands a node may show: those that a device vouches for which is active there. The rule is judged from what devices have
 * signed anywhere and from the medium of the node, so that it shares no code with the engine.
 */
import type { CommandEnvelope } from '../../plugins/kbd/api.ts'
import type { SimulatedNode } from './node.ts'

/** What devices have signed, and what each node has trusted. */
export interface Vouching {
  /** Adds a command that a device has signed. */
  signed(id: string, envelope: Pick<CommandEnvelope, 'signerKeyId' | 'expectedFrontier'>): void
  /** Reads which devices and pushes a node trusts. Called whenever its medium has something new. */
  look(node: SimulatedNode): void
  /**
   * Whether a device that is active at the node, or was at the last look, has signed the command or one above it, or a push
   * there that pins it. A command above it may have been refused since, so that it need not be at the node.
   */
  isVouched(node: SimulatedNode, id: string): boolean
}

/** What a node trusts. */
interface Trust {
  /** Active devices now and at the look before: both may have been asked for what is new. */
  devices: ReadonlySet<string>
  former: ReadonlySet<string>
  /** Commands at or below what trusted pushes pin. */
  readonly pinned: Set<string>
}

/** Makes the record of a run. */
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
      // The former version has no pushes of peers.
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
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (seen.has(at)) continue
        seen.add(at)
        if (trust.pinned.has(at) || trusts(trust, signers.get(at) ?? '')) return true
        open.push(...(children.get(at) ?? []))
      }
      return false
    },
  }
}
