/** Nodes that are broken on purpose: each breaks an invariant, by which the judge has to find it. */
import type { Exchange, PeerAnswer } from '../../plugins/peer/api.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import { createChance } from './chance.ts'
import { deviceOf, type Oddity } from './cluster.ts'
import type { Invariant } from './judge.ts'
import { keyOf } from './keys.ts'
import { createLiar, signWord } from './liar.ts'

/** A fault, and the invariant that it breaks. */
export interface Mutant {
  readonly says: string
  readonly breaks: Invariant
  readonly oddity: Oddity
  /** Who else is not as he should be, so that it shows. */
  readonly beside?: Readonly<Record<string, Oddity>>
}

/** The node that is broken. */
export const BROKEN = 'n1'
const MAX_RECEIPTS = 1_000

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  {
    says: 'acknowledges before its medium has it',
    breaks: 'durable',
    oddity: { saysTooEarly: true },
  },
  {
    says: 'forgets its receipts when it starts, and executes again what is handed in again',
    breaks: 'once',
    oddity: {
      store(store) {
        store.write((ledger) => {
          for (let no = 1; no <= MAX_RECEIPTS; no++) ledger.dropPush(no)
        })
        return store
      },
    },
  },
  {
    says: 'leaves out an event of its receipts',
    breaks: 'gapless',
    oddity: {
      store: (store) => ({
        ...store,
        write: (work) =>
          store.write((ledger) => {
            const made = work(ledger)
            ledger.rows(`DELETE FROM events WHERE event LIKE '%"broadcast"%'`)
            return made
          }),
      }),
    },
  },
  {
    says: 'changes an entry of its audit chain',
    breaks: 'sound',
    oddity: {
      store: (store) => ({
        ...store,
        write: (work) =>
          store.write((ledger) => {
            const made = work(ledger)
            ledger.rows("UPDATE audit SET outcome = 'another' WHERE seq = 1")
            return made
          }),
      }),
    },
  },
  {
    says: 'takes every signature for a good one',
    breaks: 'signed',
    oddity: { verifier: { verify: () => true } },
    beside: { n4: { tamper: createLiar('n4', createChance('mutants'), 1) } },
  },
  {
    says: 'ignores that a device was revoked, or was never enrolled there',
    breaks: 'vouched',
    oddity: { store: (store) => ({ ...store, ...trustingEveryDevice(store) }) },
  },
  {
    says: 'lets every peer read every project',
    breaks: 'private',
    oddity: { readsAll: true },
  },
  {
    says: 'says that it applied what it has only received',
    breaks: 'truthful',
    oddity: { tamper: { answered: (_from, _exchange, answer) => alwaysApplied(answer) } },
  },
  {
    says: 'keeps commands to itself',
    breaks: 'converged',
    oddity: {
      tamper: {
        asked: (_to, exchange) => withoutCommands(exchange),
        answered: (_from, _exchange, answer) => withoutCommands(answer),
      },
    },
  },
]

/** A store in which every device of the run is active. */
function trustingEveryDevice({ read, write }: ReceiptStore): Pick<ReceiptStore, 'read' | 'write'> {
  const devices = new Map(['d0', 'd1', 'd2', 'd3', 'd4', 'd5'].map((name) => [keyOf(name).keyId, deviceOf(name)]))
  return {
    read: (work) => read((ledger) => work({ ...ledger, device: (keyId) => devices.get(keyId) })),
    write: (work) => write((ledger) => work({ ...ledger, device: (keyId) => devices.get(keyId) })),
  }
}

/** With its last word in the place of the first. */
function alwaysApplied(answer: PeerAnswer): PeerAnswer {
  return changed(answer, (members) => {
    const { ack } = members as { ack?: Parameters<typeof signWord>[0] | null }
    if (ack?.state !== 'received') return members
    const { pushId } = ack
    const appliedFrontier = { heads: [keyOf(pushId).endpointId] }
    return { ...members, ack: signWord({ ...ack, state: 'applied', appliedFrontier }, keyOf(BROKEN)), need: null }
  })
}

function withoutCommands<T extends Exchange | PeerAnswer>(message: T): T {
  return changed(message, (members) =>
    'commands' in members ? { ...members, commands: [], ...('more' in members && { more: false }) } : members,
  )
}

function changed<T extends Exchange | PeerAnswer>(message: T, change: (members: object) => object): T {
  const text = message.body === undefined ? '' : Buffer.from(message.body).toString()
  return text.startsWith('{')
    ? { ...message, body: Buffer.from(JSON.stringify(change(JSON.parse(text) as object))) }
    : message
}
