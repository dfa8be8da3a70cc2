/**
 * Devices that sign commands and pushes, and clients that submit them. Clients submit again if they do not know the
 * outcome.
 */
import type { Command, CommandEnvelope } from '../../plugins/kbd/api.ts'
import type {} from '../../plugins/kbd/capabilities.ts'
import { canonicalText } from '../../plugins/protocol/canonical.ts'
import { type DeviceKey, type PushDraft, signCommand, signPush } from '../../plugins/protocol/sign/index.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { commandOf } from '../unit/kbd/story.ts'
import type { Chance } from './chance.ts'
import type { Judge } from './judge.ts'
import { uuidOf } from './life.ts'
import { type SimulatedNode, START_MS } from './node.ts'
import type { World } from './world.ts'

/** The project of every run. */
export const PROJECT = 'demo'
/** A project that some peer entries do not name. */
export const OTHER = 'other'
const PUSHES_PATH = '/api/v2/sync/pushes'

/** A signed command or push that was submitted to a node. */
export interface HandedIn {
  readonly node: SimulatedNode
  readonly kind: 'command' | 'push'
  readonly path: string
  readonly body: Uint8Array
  /** The id of the command or of the push. */
  readonly id: string
  /** The nodes at which it was new. */
  readonly taken: Set<SimulatedNode>
  /** Whether a device with a right clock wrote it at a node with a right clock, which must take it. */
  readonly isRight?: boolean
}

/** The clients of all nodes. */
export interface Clients {
  /** All submissions, in their order. */
  readonly all: readonly HandedIn[]
  /**
   * Writes a command on the current heads of a node, or for `isFork` on an earlier command, so that the device forks.
   */
  write(
    node: SimulatedNode,
    device: DeviceKey,
    over?: { command?: Command; isFork?: boolean; project?: string; isRight?: boolean },
  ): Promise<void>
  push(node: SimulatedNode, device: DeviceKey, draft: Pick<PushDraft, 'domain' | 'targetEndpointIds'>): Promise<void>
  /** Submits the same bytes once more, at the same or at another node. */
  again(one: HandedIn, node?: SimulatedNode): Promise<void>
}

/** The parts that clients use. */
export interface ClientParts {
  readonly world: World
  readonly judge: Judge
  readonly chance: Chance
  /** Whether titles have the maximum length. */
  readonly isWide: boolean
}

/** Creates the clients. */
export function createClients({ world, judge, chance, isWide }: ClientParts): Clients {
  const all: HandedIn[] = []
  const uuid = (): string => uuidOf(chance)

  const submit = async (submission: HandedIn, node: SimulatedNode): Promise<void> => {
    world.tell(`${node.name} is handed ${submission.kind} ${shortId(submission.id)}`)
    const answer = await node.ask('POST', submission.path, JSON.parse(Buffer.from(submission.body).toString()))
    if (answer === undefined) return
    const { status, body } = answer
    const { code } = (body['error'] ?? {}) as { code?: unknown }
    world.tell(`${node.name} answers ${shortId(submission.id)} ${status} ${code ?? ''}`)
    if (status === 201 && submission.taken.has(node))
      judge.blame('once', node.name, `${submission.kind} ${submission.id} was new twice`)
    if (status === 201) submission.taken.add(node)
    if (status === 201) world.count(submission.kind === 'push' ? 'pushes' : 'commands')
    else world.count(status === 200 ? 'replays' : 'refusals')
    // 503: the medium fails. Meanwhile the clock of the node may have been set.
    if (submission.isRight === true && node.skewMs === 0 && status !== 201 && status !== 200 && status !== 503)
      judge.blame('writable', node.name, `${submission.id}: ${status} ${code}`)
    if (status === 201 || status === 200) judge.acknowledged(node, submission.kind, submission.id)
    else if (status >= 500 && status !== 503)
      judge.blame('sound', node.name, `${submission.kind} ${submission.id}: ${status} ${code}`)
  }
  const submitNew = (draft: Omit<HandedIn, 'taken' | 'body'>, value: unknown): Promise<void> => {
    const submission = {
      ...draft,
      body: new TextEncoder().encode(JSON.stringify(value)),
      taken: new Set<SimulatedNode>(),
    }
    all.push(submission)
    return submit(submission, draft.node)
  }

  return {
    all,
    async write(node, device, { command, isFork = false, project = PROJECT, isRight = false } = {}) {
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
      const issuedAtMs = isRight ? START_MS + Math.floor(world.nowMs) : node.now()
      const envelope = await signCommand(
        device,
        { project, command: isWide ? widened(chosen) : chosen, parents: heads, issuedAtMs },
        { uuid },
      )
      const id = idOf(envelope)
      judge.signed(id, canonicalText(envelope))
      await submitNew(
        { node, kind: 'command', path: `/api/v1/kbd/projects/${project}/commands`, id, isRight },
        envelope,
      )
    },
    async push(node, device, draft) {
      const push = await signPush(device, { ...draft, issuedAtMs: node.now() }, { uuid })
      await submitNew({ node, kind: 'push', path: PUSHES_PATH, id: push.requestId }, push)
    },
    again: (submission, node = submission.node) => submit(submission, node),
  }
}

/** The texts that commands refer to, by their hashes. */
export const TEXTS: ReadonlyMap<string, Uint8Array> = new Map(
  ['', 'one', 'two', 'three', 'four', 'five', 'six'].map((word, n) => {
    const text = new TextEncoder().encode(`${n} ${word}`)
    return [nativeSha256(text), text]
  }),
)

/** The same command with the hash of an existing text. Commands of stories contain only the number of a text. */
function withTexts(command: Command): Command {
  const hashes = [...TEXTS.keys()]
  if (!('bodyHash' in command) || command.bodyHash == null) return command
  return { ...command, bodyHash: hashes[Number(command.bodyHash.slice(-1))]! }
}

/** The maximum length of a title, in bytes. */
const TITLE_BYTES = 1_024

function widened(command: Command): Command {
  return 'title' in command ? { ...command, title: command.title!.padEnd(TITLE_BYTES - 8, '.') } : command
}

/** A prefix of an id that is long enough to find it in the trace. */
function shortId(id: string): string {
  return id.slice(0, 12)
}

/** The id of a command in the graph. */
export function idOf({ signature: _, ...signed }: CommandEnvelope): string {
  return nativeSha256(new TextEncoder().encode(canonicalText(signed)))
}
