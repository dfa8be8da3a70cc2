/** Deliberately broken nodes. Each breaks one invariant, and the judge must find the violation. */

import { invalid } from '../../plugins/kbd/errors.ts'
import type { Exchange, PeerAnswer } from '../../plugins/peer/api.ts'
import type { StoreDriver } from '../../plugins/store/api.ts'
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
  /**
   * A seed whose run has the event in which the fault shows. The search for a violation begins with it, by default with
   * 1.
   */
  readonly seed?: number
}

/** The name of the broken node. */
export const BROKEN = 'n1'
const MAX_RECEIPTS = 1_000

/** The commands of a project that are earlier than one of their parents. */
const EARLIER_THAN_PARENT = `SELECT 1 FROM kbd_commands c, json_each(c.envelope, '$.expectedFrontier.heads') head, kbd_commands parent
  WHERE parent.id = head.value AND c.issued_at_ms < parent.issued_at_ms LIMIT 1`
/** The beginning of the statements that find the claim in the way of a command on a card. */
const CLAIMS_IN_THE_WAY =
  / FROM kbd_claims WHERE p = \?1 AND (card = \?2 AND void = 0 AND last_end_ms|.* AND card = \?3$)/

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  {
    says: 'acknowledges before its medium has synced',
    breaks: 'durable',
    oddity: { saysTooEarly: true },
    seed: 9,
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
    seed: 2,
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
    seed: 3,
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
  {
    says: 'refuses a command that is earlier than one of its parents',
    breaks: 'writable',
    oddity: {
      store: (store) => ({
        ...store,
        write: (work) =>
          store.write((ledger) => {
            const result = work(ledger)
            if (ledger.rows(EARLIER_THAN_PARENT).length > 0) throw invalid('/issuedAtMs')
            return result
          }),
      }),
    },
  },
  {
    says: 'gives a card to a new claim although an earlier claim has not ended',
    breaks: 'held',
    oddity: {
      store: (store) => ({
        ...store,
        write: (work) => store.write((ledger) => work({ ...ledger, driver: blindForClaims(ledger.driver) })),
      }),
    },
  },
]

const blindDrivers = new WeakMap<StoreDriver, StoreDriver>()

/** A driver whose statements do not find the claim in the way of a command. It is the same for the same driver. */
function blindForClaims(driver: StoreDriver): StoreDriver {
  let blind = blindDrivers.get(driver)
  if (blind === undefined) {
    const prepare: StoreDriver['prepare'] = (text) => {
      const statement = driver.prepare(text)
      return CLAIMS_IN_THE_WAY.test(text) ? { ...statement, all: () => [] } : statement
    }
    blindDrivers.set(driver, (blind = { ...driver, prepare }))
  }
  return blind
}

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
