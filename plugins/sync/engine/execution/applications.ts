/**
 * Applies prepared pushes at a host and writes how each application ended. An application is either applied, refused,
 * or undecided: the host failed in a way that does not say whether it has applied the push.
 */
import type { DomainFamily, Envelope, Frontier } from '../../api.ts'
import { type AdmittedPush, requireFrontier, type Submission, toOutbox, unprepared } from '../admission/admitted.ts'
import { auditPush } from '../audit/audited.ts'
import { requirePush, takeSteps, toReceipt } from '../receipts/receipts.ts'
import type { Ledger, ReceiptStore, StoredPush } from '../store/api.ts'
import { damagedRow } from '../store/row-sum.ts'

/** How a host reads frontiers and applies pushes. */
export type Hosted = Extract<DomainFamily['application'], { readonly kind: 'hosted' }>

/** The result of a push at the host. */
export type ExecutionOutcome = { readonly submission: Submission } | { readonly error: unknown }

/** The results of some pushes to one domain. */
export interface Finished {
  /** By push. A push without a result was not applied by this call. */
  readonly outcomes: Map<string, ExecutionOutcome>
  /** The error for later pushes to the domain, if the end of one of these is not in the store. */
  readonly open: Error | undefined
}

/** Applications at hosts. */
export interface Applications {
  /**
   * The error of an application in the domain that timed out and has not ended; no other one may begin before it ends.
   */
  blocking(domain: string): Error | undefined
  /**
   * Applies prepared pushes of one domain in order, and writes how each ended. None is begun after one that is
   * undecided. `fresh` says that the pushes were prepared just now: those that were not begun are then withdrawn.
   */
  finish(application: Hosted, prepared: readonly StoredPush[], fresh: boolean): Promise<Finished>
}

type End = 'applied' | 'refused'

/** Creates the applications over a store. `endedLate` is called when an application ends after it timed out. */
export function createApplications(
  store: ReceiptStore,
  now: () => number,
  endedLate: (application: Hosted, domain: string) => void,
): Applications {
  /** Ends that are not in the store yet, by push. */
  const ends = new Map<string, End>()
  /** Domains with an application that timed out and has not ended, each with the error for its callers. */
  const blocked = new Map<string, Error>()

  const block = (application: Hosted, { pushId, domain }: StoredPush, undecided: Undecided, fresh: boolean): void => {
    blocked.set(domain, undecided.error)
    const ended = (end: End) => (): void => {
      blocked.delete(domain)
      // An earlier process may have applied the push, so that this refusal decides nothing. The next push asks the host
      // again.
      if (end === 'refused' && !fresh) return
      ends.set(pushId, end)
      endedLate(application, domain)
    }
    undecided.settled.then(ended('applied'), ended('refused'))
  }

  return {
    blocking: (domain) => blocked.get(domain),
    async finish(application, prepared, fresh) {
      const outcomes = new Map<string, ExecutionOutcome>()
      let open: Error | undefined
      for (const push of prepared) {
        // A commit may take effect and report an error. Then the end is of an earlier row of the same push, which is
        // gone.
        if (fresh) ends.delete(push.pushId)
        if (open !== undefined) {
          if (fresh) ends.set(push.pushId, 'refused')
          outcomes.set(push.pushId, { error: open })
        } else if (!ends.has(push.pushId)) {
          const envelope = envelopeOf(push)
          try {
            await application.apply(push.domain, envelope)
            ends.set(push.pushId, 'applied')
          } catch (cause) {
            const error = cause instanceof Undecided ? cause.error : unprepared(cause)
            if (cause instanceof Undecided) block(application, push, cause, fresh)
            else if (fresh || (await isUntouched(application, envelope))) ends.set(push.pushId, 'refused')
            if (!ends.has(push.pushId)) open = error
            outcomes.set(push.pushId, { error })
          }
        }
      }
      await Promise.all(
        prepared.map(async ({ pushId }) => {
          const end = ends.get(pushId)
          if (end === undefined) return
          try {
            const submission = await store.write((ledger) => writeEnd(ledger, pushId, end, now))
            ends.delete(pushId)
            if (submission !== undefined) outcomes.set(pushId, { submission })
          } catch (error) {
            // The end is kept in `ends` and written before the next application in the domain.
            open ??= error as Error
            if (!outcomes.has(pushId)) outcomes.set(pushId, { error })
          }
        }),
      )
      return { outcomes, open }
    },
  }
}

/** Throws `frontier_mismatch` if the frontier of a domain is not the expected one. */
export async function requireHostFrontier(
  application: Hosted,
  domain: string,
  expected: Frontier | null,
): Promise<void> {
  if (expected) requireFrontier(expected, (await application.frontier(domain)) ?? { heads: [] })
}

function envelopeOf({ envelope }: StoredPush): Envelope {
  // A prepared push always has its envelope.
  if (envelope === null) throw damagedRow()
  return JSON.parse(envelope) as Envelope
}

/**
 * Whether the domain still has the frontier that a push expects, so that an earlier process has not applied the push.
 * It may then be withdrawn: sent again, it is not refused because of a frontier that it has moved itself.
 */
async function isUntouched(application: Hosted, { domain, signedText }: Envelope): Promise<boolean> {
  try {
    await requireHostFrontier(application, domain, (JSON.parse(signedText) as AdmittedPush).expectedFrontier)
    return true
  } catch {
    return false
  }
}

/** Completes or removes a prepared push. Returns the result of the push if it is applied. */
function writeEnd(ledger: Ledger, pushId: string, end: End, now: () => number): Submission | undefined {
  if (end === 'applied') return complete(ledger, requirePush(ledger, pushId), now())
  const push = ledger.push(pushId)
  if (push !== undefined) ledger.dropPush(push.no)
  return undefined
}

/** Writes that a prepared push is applied, and its rows of the outbox. */
function complete(ledger: Ledger, push: StoredPush, atMs: number): Submission {
  const done = takeSteps(ledger, push, [
    {
      event: { kind: 'applied_locally', atMs, localState: 'applied_locally' },
      change: { localState: 'applied_locally', envelope: push.targets.length > 0 ? push.envelope : null },
    },
  ])
  ledger.putOutbox(push.targets.map((endpointId) => toOutbox(push.no, endpointId, atMs)))
  auditPush(ledger, push, atMs)
  return { status: 201, receipt: toReceipt(ledger, done) }
}

/** The error of a call to the host that timed out. The call may still succeed or fail. */
export class Undecided {
  /** The error for callers in the meantime. */
  readonly error: Error
  /** Settles when the call settles; it may never do so. */
  readonly settled: Promise<unknown>

  constructor(error: Error, settled: Promise<unknown>) {
    this.error = error
    this.settled = settled
  }
}
