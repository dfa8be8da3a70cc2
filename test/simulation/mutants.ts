/** Deliberately broken nodes. Each breaks one invariant, and the judge must find the violation. */
import type { Exchange, PeerAnswer } from '../../plugins/peer/api.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import { createChance } from './chance.ts'
import { deviceOf, type Oddity } from './cluster.ts'
import type { Invariant } from './judge.ts'
import { keyOf } from './keys.ts'
import { createLiar, signWord } from './liar.ts'

/** A fault and the invariant that it breaks. */
export interface Mutant {
  readonly says: string
  readonly breaks: Invariant
  readonly oddity: Oddity
  /** Other nodes that must differ from real nodes so that the fault has an effect. */
  readonly beside?: Readonly<Record<string, Oddity>>
}

/** The name of the broken node. */
export const BROKEN = 'n1'
const MAX_RECEIPTS = 1_000

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  {
    says: 'acknowledges before its medium has synced',
    breaks: 'durable',
    oddity: { saysTooEarly: true },
  },
  {
    says: 'forgets its receipts at each start, and executes a repeated push again',
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
    says: 'deletes an event of its receipts',
    breaks: 'gapless',
    oddity: {
      store: (store) => ({
        ...store,
        write: (work) =>
          store.write((ledger) => {
            const result = work(ledger)
            ledger.rows(`DELETE FROM events WHERE event LIKE '%"broadcast"%'`)
            return result
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
            const result = work(ledger)
            ledger.rows("UPDATE audit SET outcome = 'another' WHERE seq = 1")
            return result
          }),
      }),
    },
  },
  {
    says: 'accepts every signature',
    breaks: 'signed',
    oddity: { verifier: { verify: () => true } },
    beside: { n4: { tamper: createLiar('n4', createChance('mutants'), 1) } },
  },
  {
    says: 'trusts revoked devices and devices that were never enrolled',
    breaks: 'vouched',
    oddity: { store: (store) => ({ ...store, ...trustingEveryDevice(store) }) },
  },
  {
    says: 'lets every peer read every project',
    breaks: 'private',
    oddity: { readsAll: true },
  },
  {
    says: 'reports received pushes as applied',
    breaks: 'truthful',
    oddity: { tamper: { answered: (_from, _exchange, answer) => alwaysApplied(answer) } },
  },
  {
    says: 'never sends commands to other nodes',
    breaks: 'converged',
    oddity: {
      tamper: {
        asked: (_to, exchange) => withoutCommands(exchange),
        answered: (_from, _exchange, answer) => withoutCommands(answer),
      },
    },
  },
]

/** A store that reports every device of the run as active. */
function trustingEveryDevice({ read, write }: ReceiptStore): Pick<ReceiptStore, 'read' | 'write'> {
  const devices = new Map(['d0', 'd1', 'd2', 'd3', 'd4', 'd5'].map((name) => [keyOf(name).keyId, deviceOf(name)]))
  return {
    read: (work) => read((ledger) => work({ ...ledger, device: (keyId) => devices.get(keyId) })),
    write: (work) => write((ledger) => work({ ...ledger, device: (keyId) => devices.get(keyId) })),
  }
}

/** Changes an acknowledgement from `received` to `applied`. */
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
