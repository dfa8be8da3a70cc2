/** API keys that are made and revoked, and what was acknowledged of that. */
import { outcomeOf, type Send } from './http-entrance.ts'
import type { Problem } from './ledger.ts'

const KEYS = '/api/svc/auth/keys'

/** How many keys there are at a time. */
const LIVING = 5

/** Revoked keys that are compared; a list has them for an hour. */
const REVOKED = 20

/** Makes and revokes keys, and compares the list of them with what was acknowledged. */
export class KeyLedger {
  readonly #send: Send
  readonly #living: string[] = []
  readonly #revoked: string[] = []
  /** How many changes were acknowledged, refused, and not answered. */
  readonly answers: { written: number; overloaded: number; append_unknown: number } = {
    ...{ written: 0, overloaded: 0, append_unknown: 0 },
  }

  constructor(send: Send) {
    this.#send = send
  }

  /** Makes a key, or revokes the oldest one where there are enough. */
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
    // What is refused is as it was; whether a key of an unknown outcome is revoked is of no account.
    else if (is === 'overloaded') this.#living.unshift(oldest)
    this.#revoked.splice(0, Math.max(0, this.#revoked.length - REVOKED))
  }

  /** Compares the list of keys with what was acknowledged. */
  async problems(): Promise<Problem[]> {
    const [living, revoked] = [[...this.#living], [...this.#revoked]]
    const { status, body } = await this.#send('GET', KEYS)
    const problem = (text: string, isLate: boolean): Problem => ({ run_id: 'keys', text, isLate })
    if (status !== 200) return [problem(`the list of keys is ${status}`, true)]
    const keys = body['keys'] as readonly { readonly id: string; readonly revoked_at_ms: number | null }[]
    const isRevoked = new Map(keys.map(({ id, revoked_at_ms }) => [id, revoked_at_ms !== null]))
    return [
      // One that is revoked meanwhile is in the list all the same.
      ...living.filter((id) => !isRevoked.has(id)).map((id) => problem(`key ${id} is not there`, false)),
      ...revoked.filter((id) => isRevoked.get(id) === false).map((id) => problem(`key ${id} is not revoked`, false)),
    ]
  }
}
