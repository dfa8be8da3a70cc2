/** A node of a dishonest owner: it omits and forges data, and says different things to different nodes. */
import { isObject } from '../../core/kernel/values.ts'
import type { CommandEnvelope } from '../../plugins/kbd/api.ts'
import { type Exchange, PEER_VERSION, type PeerAnswer } from '../../plugins/peer/api.ts'
import { acknowledgedText } from '../../plugins/protocol/acknowledgement.ts'
import type { Acknowledgement } from '../../plugins/sync/api.ts'
import type { Chance } from './chance.ts'
import { idOf, OTHER } from './client.ts'
import { keyOf, type SimulatedKey } from './keys.ts'
import { uuidOf } from './life.ts'
import type { Tamper } from './node.ts'

type Members = Record<string, unknown>

/** Changes the messages of a node, and creates additional ones. */
export interface Liar extends Tamper {
  /** An unsolicited request to another node: changed acknowledgements, or a changed push of another node. */
  unasked(): Exchange | undefined
}

/** Creates the liar for a node. `share` is the probability that a message is changed. */
export function createLiar(name: string, chance: Chance, share: number): Liar {
  const key = keyOf(name)
  /** A command that the liar has seen. Invented commands use it as their parent. */
  let seen: CommandEnvelope | undefined
  let lastAck: Acknowledgement | undefined
  let lastPush: Members | undefined
  /** Remembers parts of a message for later lies. */
  const observe = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const { commands, ack, push } = value
    if (Array.isArray(commands)) seen = (commands.at(-1) as CommandEnvelope | undefined) ?? seen
    if (isObject(ack)) lastAck = ack as unknown as Acknowledgement
    if (isObject(push)) lastPush = value
    return value
  }
  const change = (value: unknown): Members | undefined => {
    if (!isObject(value) || !chance.hit(share)) return undefined
    const changed: Members = { ...value }
    const { commands, ack, push, frontier } = changed
    if (Array.isArray(commands)) {
      const invented = seen !== undefined && chance.hit(0.3) ? [inventCommand(seen, chance)] : []
      changed['commands'] = [...(commands.length > 0 ? changeCommands(commands, chance) : []), ...invented]
    }
    if (isObject(ack) && chance.hit(0.7)) changed['ack'] = changeAck(ack as unknown as Acknowledgement, key, chance)
    if ('more' in changed && chance.hit(0.2)) changed['more'] = chance.hit(0.5)
    if (isObject(frontier) && chance.hit(0.4)) changed['frontier'] = { heads: chance.hit(0.5) ? [] : [hash(chance)] }
    if (isObject(push) && chance.hit(0.2)) changed['push'] = { ...push, issuedAtMs: Number(push['issuedAtMs']) + 1 }
    if ('need' in changed && chance.hit(0.2)) changed['need'] = null
    return changed
  }
  return {
    unasked() {
      const headers = { 'svc-peer-version': PEER_VERSION, 'content-type': 'application/json' }
      const post = (path: string, body: unknown): Exchange => ({
        ...{ method: 'POST', path: `/api/v2/peer/${path}`, headers },
        body: JSON.stringify(body),
      })
      // A request for a project that its entry does not name.
      if (chance.hit(0.2)) {
        const path = `/api/v2/peer/projects/${OTHER}/${chance.pick(['frontier', 'commands?have='])}`
        return { method: 'GET', path, headers }
      }
      if (lastPush !== undefined && chance.hit(0.5)) {
        const commands = seen === undefined ? [] : [inventCommand(seen, chance)]
        const heads = commands.map(idOf)
        const frontier = chance.pick([null, { heads }, { heads: [] }, lastPush['frontier']])
        return post('pushes', { ...lastPush, frontier, commands: chance.hit(0.5) ? commands : [] })
      }
      return lastAck === undefined
        ? undefined
        : post('acks', { acks: [changeAck(lastAck, key, chance), changeAck(lastAck, key, chance)] })
    },
    asked(_to, exchange) {
      const changed = typeof exchange.body === 'string' ? change(observe(JSON.parse(exchange.body))) : undefined
      return changed === undefined ? exchange : ({ ...exchange, body: JSON.stringify(changed) } satisfies Exchange)
    },
    answered(_from, { body }, answer) {
      if (typeof body === 'string') observe(JSON.parse(body))
      if (answer.headers['content-type'] !== 'application/json') return answer
      if (chance.hit(share / 4)) return garbled(answer, chance)
      const changed = change(observe(JSON.parse(Buffer.from(answer.body).toString())))
      return changed === undefined ? answer : { ...answer, body: new TextEncoder().encode(JSON.stringify(changed)) }
    },
  }
}

/** Leaves out commands, changes their order, or forges one. */
function changeCommands(commands: readonly unknown[], chance: Chance): readonly unknown[] {
  const index = chance.below(commands.length)
  switch (chance.below(6)) {
    case 0:
      return commands.filter((_, i) => i !== index)
    case 1:
      return [...commands].reverse()
    case 2:
      return commands.slice(0, index)
    default:
      return commands.map((command, i) => (i === index ? forge(command as Members, chance) : command))
  }
}

/** Changes the content, time or author of a command but keeps its signature, or replaces the signature. */
function forge(envelope: Members, chance: Chance): Members {
  const command = envelope['command'] as Members
  switch (chance.below(4)) {
    case 0:
      return {
        ...envelope,
        command: 'title' in command ? { ...command, title: 'forged' } : { ...command, type: 'card.archive' },
      }
    case 1:
      return { ...envelope, issuedAtMs: Number(envelope['issuedAtMs']) + 1 }
    case 2:
      return { ...envelope, signerKeyId: keyOf('d0').keyId }
    default:
      return { ...envelope, signature: Buffer.from(chance.bytes(64)).toString('base64') }
  }
}

/** A command in the name of a known device that never signed it. */
function inventCommand(parent: CommandEnvelope, chance: Chance): CommandEnvelope {
  return {
    ...parent,
    commandId: uuidOf(chance),
    expectedFrontier: { heads: [idOf(parent)] },
    command: { type: 'board.create', boardId: uuidOf(chance), title: 'made up' },
    signerKeyId: keyOf('d0').keyId,
    signature: Buffer.from(chance.bytes(64)).toString('base64'),
  }
}

const FAILURE = { code: 'nothing', message: 'no', retryable: true }

/** A false acknowledgement. It usually has a valid signature of the liar's key; otherwise the signature is wrong. */
function changeAck(ack: Acknowledgement, key: SimulatedKey, chance: Chance): Acknowledgement {
  const changed: Acknowledgement = {
    ...ack,
    ...chance.pick<Partial<Acknowledgement>>([
      { state: 'applied', failure: null, appliedFrontier: { heads: [hash(chance)] } },
      { state: 'applied', failure: null, appliedFrontier: { heads: [] } },
      { state: 'applied', failure: null, appliedFrontier: null },
      { state: 'rejected', failure: FAILURE, appliedFrontier: null },
      { state: 'received', failure: null, appliedFrontier: null },
      // Acknowledgements that contradict themselves.
      { state: 'rejected', failure: null, appliedFrontier: null },
      { state: 'rejected', failure: FAILURE, appliedFrontier: { heads: [] } },
      { state: 'applied', failure: FAILURE, appliedFrontier: ack.appliedFrontier },
      { state: 'received', failure: FAILURE, appliedFrontier: null },
      { state: 'received', failure: null, appliedFrontier: { heads: [hash(chance)] } },
      { endpointId: keyOf('n0').endpointId },
      { canonicalPayloadHash: hash(chance) },
      { auditHead: hash(chance) },
    ]),
  }
  if (chance.hit(0.2)) return changed
  return signWord(changed, key)
}

/** Signs an acknowledgement with a valid signature. */
export function signWord(ack: Acknowledgement, key: SimulatedKey): Acknowledgement {
  const signature = key.sign(new TextEncoder().encode(acknowledgedText(ack)))
  return { ...ack, signature: Buffer.from(signature).toString('base64') }
}

function garbled(answer: PeerAnswer, chance: Chance): PeerAnswer {
  return chance.pick<PeerAnswer>([
    { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) },
    { ...answer, status: 500 },
    { ...answer, status: 429, headers: { ...answer.headers, 'retry-after': '3' } },
    { ...answer, status: 204, body: new Uint8Array() },
    { ...answer, headers: {} },
  ])
}

function hash(chance: Chance): string {
  return Buffer.from(chance.bytes(32)).toString('hex')
}
