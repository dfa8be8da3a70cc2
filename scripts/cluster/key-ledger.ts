/** Creates and revokes API keys, and records the acknowledged changes. */
import { outcomeOf, type Send } from './http-entrance.ts'
import type { Problem } from './ledger.ts'

const KEYS = '/api/svc/auth/keys'

/** Number of active keys at a time. */
const LIVING = 5

/** Number of revoked keys that are compared. The service lists revoked keys for an hour. */
const REVOKED = 20

/** Creates and revokes keys, and compares the service's list with the acknowledged changes. */
export class KeyLedger {
  readonly #send: Send
  readonly #living: string[] = []
  readonly #revoked: string[] = []
  /** Number of changes that were acknowledged, refused, and not answered. */
  readonly answers: { written: number; overloaded: number; append_unknown: number } = {
    ...{ written: 0, overloaded: 0, append_unknown: 0 },
  }

  constructor(send: Send) {
    this.#send = send
  }

  /** Creates a key, or revokes the oldest one if there are enough. */
  async change(): Promise<void> {
    const oldest = this.#living.length >= LIVING ? this.#living.shift() : undefined
    const answer =
      oldest === undefined
        ? await this.#send('POST', KEYS, { name: 'ledger' })
        : await this.#send('DELETE', `${KEYS}/${encodeURIComponent(oldest)}`)
    const is = outcomeOf(answer)
    this.answers[is]++
    if (oldest === undefined) {
      if (is === 'written') this.#living.push((answer.body['record'] as { readonly id: string }).id)
      return
    }
    if (is === 'written') this.#revoked.push(oldest)
    // A refused change has no effect. A key with an unknown outcome is no longer compared.
    else if (is === 'overloaded') this.#living.unshift(oldest)
    this.#revoked.splice(0, Math.max(0, this.#revoked.length - REVOKED))
  }

  /** Compares the service's list of keys with the acknowledged changes. */
  async problems(): Promise<Problem[]> {
    const [living, revoked] = [[...this.#living], [...this.#revoked]]
    const { status, body } = await this.#send('GET', KEYS)
    const problem = (text: string, isLate: boolean): Problem => ({ run_id: 'keys', text, isLate })
    if (status !== 200) return [problem(`the list of keys is ${status}`, true)]
    const keys = body['keys'] as readonly { readonly id: string; readonly revoked_at_ms: number | null }[]
    const isRevoked = new Map(keys.map(({ id, revoked_at_ms }) => [id, revoked_at_ms !== null]))
    return [
      // A key that is revoked during the comparison is still in the list.
      ...living.filter((id) => !isRevoked.has(id)).map((id) => problem(`key ${id} is not there`, false)),
      ...revoked.filter((id) => isRevoked.get(id) === false).map((id) => problem(`key ${id} is not revoked`, false)),
    ]
  }
}
