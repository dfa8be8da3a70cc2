/** A node in the hands of somebody who is not honest: it omits, forges and says one thing here and another there. */
import { isObject } from '../../core/is-object.ts'
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

/** What a liar does to what its node sends, and what it says besides. */
export interface Liar extends Tamper {
  /** What it says to others unasked: other words than before, or a push of somebody else as it pleases. */
  unasked(): Exchange | undefined
}

/** Makes a liar of the node of a name; `share` of what it sends is not what it should be. */
export function createLiar(name: string, chance: Chance, share: number): Liar {
  const key = keyOf(name)
  /** A command that it has seen: what it makes up stands on it. */
  let seen: CommandEnvelope | undefined
  let said: Acknowledgement | undefined
  let sent: Members | undefined
  /** Remembers what it may need. */
  const observe = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const { commands, ack, push } = value
    if (Array.isArray(commands)) seen = (commands.at(-1) as CommandEnvelope | undefined) ?? seen
    if (isObject(ack)) said = ack as unknown as Acknowledgement
    if (isObject(push)) sent = value
    return value
  }
  const twist = (value: unknown): Members | undefined => {
    if (!isObject(value) || !chance.hit(share)) return undefined
    const twisted: Members = { ...value }
    const { commands, ack, push, frontier } = twisted
    if (Array.isArray(commands)) {
      const made = seen !== undefined && chance.hit(0.3) ? [makeUp(seen, chance)] : []
      twisted['commands'] = [...(commands.length > 0 ? twistCommands(commands, chance) : []), ...made]
    }
    if (isObject(ack) && chance.hit(0.7)) twisted['ack'] = twistWord(ack as unknown as Acknowledgement, key, chance)
    if ('more' in twisted && chance.hit(0.2)) twisted['more'] = chance.hit(0.5)
    if (isObject(frontier) && chance.hit(0.4)) twisted['frontier'] = { heads: chance.hit(0.5) ? [] : [hash(chance)] }
    if (isObject(push) && chance.hit(0.2)) twisted['push'] = { ...push, issuedAtMs: Number(push['issuedAtMs']) + 1 }
    if ('need' in twisted && chance.hit(0.2)) twisted['need'] = null
    return twisted
  }
  return {
    unasked() {
      const headers = { 'svc-peer-version': PEER_VERSION, 'content-type': 'application/json' }
      const post = (path: string, body: unknown): Exchange => ({
        ...{ method: 'POST', path: `/api/v2/peer/${path}`, headers },
        body: JSON.stringify(body),
      })
      // What its entry may not name.
      if (chance.hit(0.2)) {
        const path = `/api/v2/peer/projects/${OTHER}/${chance.pick(['frontier', 'commands?have='])}`
        return { method: 'GET', path, headers }
      }
      if (sent !== undefined && chance.hit(0.5)) {
        const commands = seen === undefined ? [] : [makeUp(seen, chance)]
        const heads = commands.map(idOf)
        const frontier = chance.pick([null, { heads }, { heads: [] }, sent['frontier']])
        return post('pushes', { ...sent, frontier, commands: chance.hit(0.5) ? commands : [] })
      }
      return said === undefined
        ? undefined
        : post('acks', { acks: [twistWord(said, key, chance), twistWord(said, key, chance)] })
    },
    asked(_to, exchange) {
      const twisted = typeof exchange.body === 'string' ? twist(observe(JSON.parse(exchange.body))) : undefined
      return twisted === undefined ? exchange : ({ ...exchange, body: JSON.stringify(twisted) } satisfies Exchange)
    },
    answered(_from, { body }, answer) {
      if (typeof body === 'string') observe(JSON.parse(body))
      if (answer.headers['content-type'] !== 'application/json') return answer
      if (chance.hit(share / 4)) return garbled(answer, chance)
      const twisted = twist(observe(JSON.parse(Buffer.from(answer.body).toString())))
      return twisted === undefined ? answer : { ...answer, body: new TextEncoder().encode(JSON.stringify(twisted)) }
    },
  }
}

/** Some are left out, some are in the wrong order, some say what nobody signed. */
function twistCommands(commands: readonly unknown[], chance: Chance): readonly unknown[] {
  const at = chance.below(commands.length)
  switch (chance.below(6)) {
    case 0:
      return commands.filter((_, i) => i !== at)
    case 1:
      return [...commands].reverse()
    case 2:
      return commands.slice(0, at)
    default:
      return commands.map((one, i) => (i === at ? forge(one as Members, chance) : one))
  }
}

/** Another content, time or author under the signature of the first; or none. */
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

/** A command of somebody whom every node knows, who never signed it. */
function makeUp(parent: CommandEnvelope, chance: Chance): CommandEnvelope {
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

/** A word that is signed with the liar's own key, and not true; or one that is not signed. */
function twistWord(ack: Acknowledgement, key: SimulatedKey, chance: Chance): Acknowledgement {
  const said: Acknowledgement = {
    ...ack,
    ...chance.pick<Partial<Acknowledgement>>([
      { state: 'applied', failure: null, appliedFrontier: { heads: [hash(chance)] } },
      { state: 'applied', failure: null, appliedFrontier: { heads: [] } },
      { state: 'applied', failure: null, appliedFrontier: null },
      { state: 'rejected', failure: FAILURE, appliedFrontier: null },
      { state: 'received', failure: null, appliedFrontier: null },
      // Words that contradict themselves.
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
  if (chance.hit(0.2)) return said
  return signWord(said, key)
}

/** A word with a signature that verifies. */
export function signWord(said: Acknowledgement, key: SimulatedKey): Acknowledgement {
  const signature = key.sign(new TextEncoder().encode(acknowledgedText(said)))
  return { ...said, signature: Buffer.from(signature).toString('base64') }
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
