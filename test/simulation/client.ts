/** Devices that sign, and clients that hand in what they signed: again and again where they do not know what came of it. */
import type { Command, CommandEnvelope } from '../../plugins/kbd/api.ts'
import type {} from '../../plugins/kbd/capabilities.ts'
import { canonicalText } from '../../plugins/protocol/canonical.ts'
import { type DeviceKey, type PushDraft, signCommand, signPush } from '../../plugins/protocol/sign/index.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { commandOf } from '../unit/kbd/story.ts'
import type { Chance } from './chance.ts'
import type { Judge } from './judge.ts'
import { uuidOf } from './life.ts'
import type { SimulatedNode } from './node.ts'
import type { World } from './world.ts'

/** The project of every run. */
export const PROJECT = 'demo'
/** A project that some entries of peers do not name. */
export const OTHER = 'other'
const PUSHES_PATH = '/api/v2/sync/pushes'

/** Something signed that was handed in at a node. */
export interface HandedIn {
  readonly node: SimulatedNode
  readonly kind: 'command' | 'push'
  readonly path: string
  readonly body: Uint8Array
  /** The id of the command, or that of the push. */
  readonly id: string
  /** Where it was new. */
  readonly taken: Set<SimulatedNode>
}

/** The clients of all nodes. */
export interface Clients {
  /** Everything that was handed in, in its order. */
  readonly all: readonly HandedIn[]
  /** Writes on the heads of a node, or on some that it had earlier: then it is a fork of the device. */
  write(
    node: SimulatedNode,
    device: DeviceKey,
    over?: { command?: Command; isFork?: boolean; project?: string },
  ): Promise<void>
  push(node: SimulatedNode, device: DeviceKey, draft: Pick<PushDraft, 'domain' | 'targetEndpointIds'>): Promise<void>
  /** Hands the same in once more, where it was or at another node. */
  again(one: HandedIn, node?: SimulatedNode): Promise<void>
}

/** What clients work with. */
export interface ClientParts {
  readonly world: World
  readonly judge: Judge
  readonly chance: Chance
  /** Whether titles are as long as they may be. */
  readonly isWide: boolean
}

/** Makes the clients. */
export function createClients({ world, judge, chance, isWide }: ClientParts): Clients {
  const all: HandedIn[] = []
  const issued = new Map<string, number>()
  const uuid = (): string => uuidOf(chance)

  const handIn = async (one: HandedIn, node: SimulatedNode): Promise<void> => {
    world.tell(`${node.name} is handed ${one.kind} ${shortly(one.id)}`)
    const answer = await node.ask('POST', one.path, JSON.parse(Buffer.from(one.body).toString()))
    if (answer === undefined) return
    const { status, body } = answer
    const { code } = (body['error'] ?? {}) as { code?: unknown }
    world.tell(`${node.name} answers ${shortly(one.id)} ${status} ${code ?? ''}`)
    if (status === 201 && one.taken.has(node)) judge.blame('once', node.name, `${one.kind} ${one.id} was new twice`)
    if (status === 201) one.taken.add(node)
    if (status === 201) world.count(one.kind === 'push' ? 'pushes' : 'commands')
    else world.count(status === 200 ? 'replays' : 'refusals')
    if (status === 201 || status === 200) judge.acknowledged(node, one.kind, one.id)
    else if (status >= 500 && status !== 503)
      judge.blame('sound', node.name, `${one.kind} ${one.id}: ${status} ${code}`)
  }
  const handInNew = (one: Omit<HandedIn, 'taken' | 'body'>, value: unknown): Promise<void> => {
    const made = { ...one, body: new TextEncoder().encode(JSON.stringify(value)), taken: new Set<SimulatedNode>() }
    all.push(made)
    return handIn(made, one.node)
  }

  return {
    all,
    async write(node, device, { command, isFork = false, project = PROJECT } = {}) {
      const { heads, chosen } = await node.kernel.capability('Boards').read((reads) => {
        const look = {
          claims: () => reads.claims(PROJECT, 'all', node.now()),
          conflicts: () => reads.conflicts(PROJECT),
        }
        const { heads } = reads.standing(project).frontier
        const earlier = reads.commands(PROJECT, undefined, 1_000)!.commands.map(({ id }) => id)
        return {
          heads: isFork && earlier.length > 0 ? [chance.pick(earlier)] : heads,
          chosen: command ?? withTexts(commandOf(look, chance.below(31), chance.below(4_096), chance.below(4_096))),
        }
      })
      const issuedAtMs = Math.max(node.now(), ...heads.map((id) => issued.get(id) ?? 0))
      const envelope = await signCommand(
        device,
        { project, command: isWide ? widened(chosen) : chosen, parents: heads, issuedAtMs },
        { uuid },
      )
      const id = idOf(envelope)
      issued.set(id, issuedAtMs)
      judge.signed(id, canonicalText(envelope))
      await handInNew({ node, kind: 'command', path: `/api/v1/kbd/projects/${project}/commands`, id }, envelope)
    },
    async push(node, device, draft) {
      const push = await signPush(device, { ...draft, issuedAtMs: node.now() }, { uuid })
      await handInNew({ node, kind: 'push', path: PUSHES_PATH, id: push.requestId }, push)
    },
    again: (one, node = one.node) => handIn(one, node),
  }
}

/** The texts that commands name, by their hashes. */
export const TEXTS: ReadonlyMap<string, Uint8Array> = new Map(
  ['', 'one', 'two', 'three', 'four', 'five', 'six'].map((word, n) => {
    const text = new TextEncoder().encode(`${n} ${word}`)
    return [nativeSha256(text), text]
  }),
)

/** The same command about texts that there are: a story knows them by their number alone. */
function withTexts(command: Command): Command {
  const hashes = [...TEXTS.keys()]
  if (!('bodyHash' in command) || command.bodyHash == null) return command
  return { ...command, bodyHash: hashes[Number(command.bodyHash.slice(-1))]! }
}

/** Longest title, in bytes. */
const TITLE_BYTES = 1_024

function widened(command: Command): Command {
  return 'title' in command ? { ...command, title: command.title!.padEnd(TITLE_BYTES - 8, '.') } : command
}

/** Enough of an id to find it by. */
function shortly(id: string): string {
  return id.slice(0, 12)
}

/** The id of a command in the graph. */
export function idOf({ signature: _, ...signed }: CommandEnvelope): string {
  return nativeSha256(new TextEncoder().encode(canonicalText(signed)))
}
