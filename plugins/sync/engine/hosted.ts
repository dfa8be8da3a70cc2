/**
 * Pushes to families that a host applies, outside of our transaction. That a push is about to be applied stands in the store,
 * as a receipt in state `prepared`, before the host is asked to; its receipt follows. So whatever happens in between, it is
 * known what was decided: it is applied again, which a host takes for once, and is not asked for its frontier again.
 * Where a host throws when it is asked again, that says nothing of the first time: its frontier does.
 */
import type { DomainFamily, Envelope, Frontier } from '../api.ts'
import type { AdmittedPush, Execute, Submission } from './admission/admitted.ts'
import { findReplay, insertPush, requireFrontier, toOutbox, unprepared } from './admission/admitted.ts'
import { tellPush } from './audit/audited.ts'
import { Undecided } from './execution/undecided.ts'
import { takeSteps, toReceipt } from './receipts/receipts.ts'
import type { Ledger, ReceiptStore, StoredPush } from './store/api.ts'

type Hosted = Extract<DomainFamily['application'], { readonly kind: 'hosted' }>

interface Job {
  readonly push: AdmittedPush
  readonly resolve: (submission: Submission) => void
  readonly reject: (error: unknown) => void
}

/** What became of a push at the host. */
type Outcome = { readonly submission: Submission } | { readonly error: unknown }

/** Pushes of a domain that share their two commits at most: they wait for each other's application. */
const MAX_BATCH = 64

/** Makes the executor. Pushes to one domain go one after the other, those to different domains do not wait for each other. */
export function createHostedExecute(
  store: ReceiptStore,
  now: () => number,
): (push: AdmittedPush, application: Hosted) => ReturnType<Execute> {
  const queues = new Map<string, Job[]>()
  /** How applications ended whose end is not in the store, by push. */
  const ends = new Map<string, 'applied' | 'refused'>()
  /** Domains with an application whose time is over: nothing else may begin there. */
  const blocked = new Map<string, Error>()

  /**
   * Applies what stands prepared and writes down how each ended. Where the host leaves one undecided, none behind it is
   * begun: `fresh` ones, which were decided just now, are as if they had not been asked for. `open` is what those hear
   * that come behind one whose end is not in the store.
   */
  const finish = async (
    application: Hosted,
    prepared: readonly StoredPush[],
    fresh: boolean,
  ): Promise<{ readonly outcomes: Map<string, Outcome>; readonly open: Error | undefined }> => {
    const outcomes = new Map<string, Outcome>()
    let open: Error | undefined
    for (const { pushId, domain, envelope: text } of prepared) {
      if (open !== undefined) {
        if (fresh) ends.set(pushId, 'refused')
        outcomes.set(pushId, { error: open })
      } else if (!ends.has(pushId)) {
        const envelope = JSON.parse(text!) as Envelope
        try {
          await application.apply(domain, envelope)
          ends.set(pushId, 'applied')
        } catch (cause) {
          const error = cause instanceof Undecided ? cause.error : unprepared(cause)
          if (cause instanceof Undecided) block(application, domain, pushId, cause, fresh)
          else if (fresh || (await untouched(application, envelope))) ends.set(pushId, 'refused')
          if (!ends.has(pushId)) open = error
          outcomes.set(pushId, { error })
        }
      }
    }
    await Promise.all(
      prepared.map(async ({ pushId }) => {
        const end = ends.get(pushId)
        if (end === undefined) return
        try {
          const submission = await store.write((ledger) =>
            end === 'applied' ? complete(ledger, pushId, now()) : withdraw(ledger, pushId),
          )
          ends.delete(pushId)
          if (submission !== undefined) outcomes.set(pushId, { submission })
        } catch (error) {
          // How it ended is remembered, and written before anything else happens in the domain.
          open ??= error as Error
          if (!outcomes.has(pushId)) outcomes.set(pushId, { error })
        }
      }),
    )
    return { outcomes, open }
  }

  const block = (
    application: Hosted,
    domain: string,
    pushId: string,
    { error, settled }: Undecided,
    fresh: boolean,
  ): void => {
    blocked.set(domain, error)
    const ended = (end: 'applied' | 'refused') => (): void => {
      blocked.delete(domain)
      // Of one that an earlier process may have applied, a refusal decides nothing: the next push has it asked again.
      if (end === 'refused' && !fresh) return
      ends.set(pushId, end)
      // The receipt need not wait for the next push.
      if (!queues.has(domain)) start(application, domain, [])
    }
    settled.then(ended('applied'), ended('refused'))
  }

  const run = async (application: Hosted, domain: string, jobs: readonly Job[]): Promise<void> => {
    const error = blocked.get(domain)
    if (error !== undefined) throw error
    const standing = await store.read((ledger) => ledger.preparedPushes(domain))
    const { outcomes: earlier, open } = await finish(application, standing, false)
    const left: (Job & { readonly envelope: Envelope })[] = []
    for (const job of jobs) {
      const { push } = job
      await settle(job, async () => {
        const own = standing.some(
          ({ pushId, hash }) => pushId === push.envelope.pushId && hash === push.envelope.canonicalPayloadHash,
        )
        const outcome = own ? earlier.get(push.envelope.pushId) : undefined
        if (outcome !== undefined) return job.resolve(unwrap(outcome))
        if (open !== undefined) throw open
        const known = await store.read((ledger) => findReplay(ledger, push.envelope))
        if (known !== undefined) return job.resolve(known)
        try {
          await requireStanding(application, domain, push.expectedFrontier)
          left.push({ ...job, envelope: push.family.prepare(push.envelope) })
        } catch (cause) {
          throw unprepared(cause)
        }
      })
    }
    const decided: { readonly job: Job; readonly row: StoredPush }[] = []
    await Promise.all(
      left.map((job) =>
        settle(job, async () => {
          const known = await store.write((ledger) => {
            job.push.authorise?.(ledger)
            const replay = findReplay(ledger, job.envelope)
            if (replay !== undefined) return replay
            const pinned = application.pin?.(ledger, job.push.project, job.push.expectedFrontier)
            insertPush(ledger, job.push, job.envelope, now(), 'prepared', pinned)
            return ledger.push(job.envelope.pushId)!
          })
          if ('status' in known) job.resolve(known)
          else decided.push({ job, row: known })
        }),
      ),
    )
    const { outcomes } = await finish(
      application,
      decided.map(({ row }) => row),
      true,
    )
    for (const { job, row } of decided) await settle(job, async () => job.resolve(unwrap(outcomes.get(row.pushId)!)))
  }

  const start = (application: Hosted, domain: string, queue: Job[]): void => {
    queues.set(domain, queue)
    const drain = async (): Promise<void> => {
      do {
        const batch = queue.splice(0, batchLength(queue))
        await run(application, domain, batch).catch((error: unknown) => {
          for (const { reject } of batch) reject(error)
        })
      } while (queue.length > 0)
      // In the same stretch as the last look at the queue.
      queues.delete(domain)
    }
    void drain()
  }

  return (push, application) =>
    new Promise((resolve, reject) => {
      const { domain } = push.envelope
      const queue = queues.get(domain)
      const job = { push, resolve, reject }
      if (queue === undefined) start(application, domain, [job])
      else queue.push(job)
    })
}

/**
 * A push and those behind it that need not see it applied first: they expect no frontier and are other pushes. One that
 * expects a frontier goes alone: were it refused and those behind it applied before that is written, it could be applied
 * behind them.
 */
function batchLength(queue: readonly Job[]): number {
  const ids = new Set<string>()
  let length = 0
  for (const { push } of queue.slice(0, MAX_BATCH)) {
    if (length > 0 && (push.expectedFrontier !== null || ids.has(push.envelope.pushId))) break
    ids.add(push.envelope.pushId)
    length++
    if (push.expectedFrontier !== null) break
  }
  return length
}

/** The last step of a prepared push, and what it still has to send. */
function complete(ledger: Ledger, pushId: string, atMs: number): Submission {
  const push = ledger.push(pushId)!
  const done = takeSteps(ledger, push, [
    {
      event: { kind: 'applied_locally', atMs, localState: 'applied_locally' },
      change: { localState: 'applied_locally', envelope: push.targets.length > 0 ? push.envelope : null },
    },
  ])
  ledger.putOutbox(push.targets.map((endpointId) => toOutbox(push.no, endpointId, atMs)))
  tellPush(ledger, push, atMs)
  return { status: 201, receipt: toReceipt(ledger, done) }
}

/**
 * Whether nothing speaks for it that a push was applied by an earlier process, so that it may be withdrawn: sent again it is
 * not refused for the frontier that it has moved itself.
 */
async function untouched(application: Hosted, { domain, signedText }: Envelope): Promise<boolean> {
  try {
    await requireStanding(application, domain, (JSON.parse(signedText) as AdmittedPush).expectedFrontier)
    return true
  } catch {
    return false
  }
}

/** Throws where a domain does not stand where it is expected to, if it is. */
async function requireStanding(application: Hosted, domain: string, expected: Frontier | null): Promise<void> {
  if (expected) requireFrontier(expected, (await application.frontier(domain)) ?? { heads: [] })
}

function withdraw(ledger: Ledger, pushId: string): undefined {
  const push = ledger.push(pushId)
  if (push !== undefined) ledger.dropPush(push.no)
}

function unwrap(outcome: Outcome): Submission {
  if ('error' in outcome) throw outcome.error
  return outcome.submission
}

async function settle(job: Job, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    job.reject(error)
  }
}
