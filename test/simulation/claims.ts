/** The check of claims: nobody loses a claim before the end of the last entry that the taker saw. */
import type { Claim, Command, CommandEnvelope } from '../../plugins/kbd/api.ts'
import { PROJECT } from './client.ts'
import type { Judge } from './judge.ts'
import type { SimulatedNode } from './node.ts'

type ClaimCommand = Extract<Command, { type: `claim.${string}` }>
type Listed = { readonly id: string; readonly envelope: CommandEnvelope }

/**
 * The commands of the project at a node, its claims as the graph shows them, and the holders of its cards at any time.
 */
export interface ClaimsOfNode {
  readonly commands: readonly Listed[]
  readonly shown: readonly Claim[]
  readonly heldAt: (ms: number) => readonly Claim[]
}

/** Reads the claims of a node. */
export async function claimsOf(node: SimulatedNode): Promise<ClaimsOfNode> {
  return node.kernel.capability('Boards').read((reads) => {
    const { commands } = reads.commands(PROJECT, undefined, 100_000)!
    const shown = Object.values(reads.snapshot(PROJECT).claims)
    const held = new Map<number, readonly Claim[]>()
    const endOf = (command: ClaimCommand, issuedAtMs: number): number =>
      'leaseMs' in command ? issuedAtMs + command.leaseMs - 1 : issuedAtMs
    for (const { envelope } of commands) {
      if (!isClaim(envelope.command)) continue
      const ms = endOf(envelope.command, envelope.issuedAtMs)
      held.set(ms, reads.claims(PROJECT, 'held', ms))
    }
    return { commands, shown, heldAt: (ms) => held.get(ms) ?? [] }
  })
}

/** Checks each acquire against the claims that its author had seen, and returns how many these were. */
export function judgeClaims({ commands, shown, heldAt }: ClaimsOfNode, node: SimulatedNode, judge: Judge): number {
  let judged = 0
  const byId = new Map(commands.map((listed) => [listed.id, listed]))
  const isVoid = new Set(shown.filter(({ state }) => state === 'void').map(({ claimId }) => claimId))
  for (const taker of commands) {
    const { command } = taker.envelope
    if (command.type !== 'claim.acquire') continue
    const seen = pastOf(taker, byId).flatMap(({ envelope }) =>
      isClaim(envelope.command) && envelope.command.cardId === command.cardId
        ? [{ command: envelope.command, envelope }]
        : [],
    )
    // Of several claims one may be void, and a force or a release ends a claim at once.
    const acquires = seen.filter(({ command: { type } }) => type === 'claim.acquire')
    if (acquires.length > 1 || seen.some(({ command: { type } }) => type === 'claim.force' || type === 'claim.release'))
      continue
    for (const old of acquires) {
      if (old.command.type !== 'claim.acquire' || isVoid.has(old.command.claimId)) continue
      judged++
      const endMs = old.envelope.issuedAtMs + old.command.leaseMs
      const [holder, ...more] = heldAt(endMs - 1).filter(({ cardId }) => cardId === command.cardId)
      if (more.length > 0) judge.blame('held', node.name, `${command.cardId} has two holders`)
      if (holder?.claimId === command.claimId && command.claimId !== old.command.claimId)
        judge.blame('held', node.name, `${taker.id} took ${command.cardId} before the end of a claim that it had seen`)
    }
  }
  return judged
}

function isClaim(command: Command): command is ClaimCommand {
  return command.type.startsWith('claim.')
}

function pastOf({ envelope }: Listed, byId: ReadonlyMap<string, Listed>): readonly Listed[] {
  const found = new Map<string, Listed>()
  const open = [...envelope.expectedFrontier.heads]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const listed = byId.get(id)
    if (listed === undefined || found.has(id)) continue
    found.set(id, listed)
    open.push(...listed.envelope.expectedFrontier.heads)
  }
  return [...found.values()]
}
