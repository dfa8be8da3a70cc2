/**
 * Pushes that a host applies, outside of the store's transaction. Before the host is called, the store has the push as
 * a receipt in state `prepared`; the receipt in state `applied_locally` follows after the call. So a later process
 * finds what was decided: it calls the host again with the same push, which the host applies only once, and does not
 * ask for the frontier again. If the host throws in that second call, this does not say whether the first call has
 * applied the push; the frontier of the domain does.
 */
import type { Envelope } from '../../api.ts'
import {
  type AdmittedPush,
  type Execute,
  findReplay,
  insertPush,
  type Submission,
  unprepared,
} from '../admission/admitted.ts'
import { requirePush } from '../receipts/receipts.ts'
import type { ReceiptStore, StoredPush } from '../store/api.ts'
import {
  type Applications,
  createApplications,
  type ExecutionOutcome,
  type Finished,
  type Hosted,
  requireHostFrontier,
} from './applications.ts'

interface Job {
  readonly push: AdmittedPush
  readonly resolve: (submission: Submission) => void
  readonly reject: (error: unknown) => void
}

/** A job whose push may be prepared. */
interface CheckedJob extends Job {
  readonly envelope: Envelope
}

/** A job whose push is in the store as prepared. */
interface PreparedJob extends Job {
  readonly row: StoredPush
}

/** The domain of a batch, and what executes pushes there. */
interface Target {
  readonly store: ReceiptStore
  readonly now: () => number
  readonly applications: Applications
  readonly application: Hosted
  readonly domain: string
}

/** Most pushes of a domain in one batch. They share two commits, and each waits until all of them are applied. */
const MAX_BATCH = 64

/**
 * Creates the executor. Pushes to one domain are executed in order; pushes to different domains do not wait for each
 * other.
 */
export function createHostedExecute(
  store: ReceiptStore,
  now: () => number,
): (push: AdmittedPush, application: Hosted) => ReturnType<Execute> {
  const queues = new Map<string, Job[]>()
  const applications = createApplications(store, now, (application, domain) => {
    // Writes the end of the application now, without waiting for the next push.
    if (!queues.has(domain)) start(application, domain, [])
  })

  const start = (application: Hosted, domain: string, queue: Job[]): void => {
    queues.set(domain, queue)
    const target: Target = { store, now, applications, application, domain }
    const drain = async (): Promise<void> => {
      do {
        const batch = queue.splice(0, batchLength(queue))
        await runBatch(target, batch).catch((error: unknown) => {
          for (const { reject } of batch) reject(error)
        })
      } while (queue.length > 0)
      // No await since the queue was found empty, so that a later push starts a new one.
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
 * Length of the next batch: a push and the following ones that need not see it applied first, because they are other
 * pushes and expect no frontier. A push that expects a frontier is alone in its batch. If it were refused, and those
 * behind it were applied before the refusal is written, a later process could apply it after them.
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

/** Finishes what earlier batches or processes left prepared in the domain, then executes a batch. */
async function runBatch(target: Target, jobs: readonly Job[]): Promise<void> {
  const { store, applications, application, domain } = target
  const error = applications.blocking(domain)
  if (error !== undefined) throw error
  const left = await store.read((ledger) => ledger.preparedPushes(domain))
  const finished = await applications.finish(application, left, false)
  const prepared = await prepareJobs(target, await checkJobs(target, jobs, left, finished))
  const { outcomes } = await applications.finish(
    application,
    prepared.map(({ row }) => row),
    true,
  )
  for (const job of prepared) await settle(job, async () => job.resolve(unwrap(outcomes.get(job.row.pushId))))
}

/** Answers the jobs that need no new application. Returns the others, in order. */
async function checkJobs(
  { store, application, domain }: Target,
  jobs: readonly Job[],
  left: readonly StoredPush[],
  { outcomes, open }: Finished,
): Promise<CheckedJob[]> {
  const checked: CheckedJob[] = []
  for (const job of jobs) {
    const { envelope, expectedFrontier, family } = job.push
    await settle(job, async () => {
      const wasLeft = left.some(
        ({ pushId, hash }) => pushId === envelope.pushId && hash === envelope.canonicalPayloadHash,
      )
      const outcome = wasLeft ? outcomes.get(envelope.pushId) : undefined
      if (outcome !== undefined) return job.resolve(unwrap(outcome))
      if (open !== undefined) throw open
      const replay = await store.read((ledger) => findReplay(ledger, envelope))
      if (replay !== undefined) return job.resolve(replay)
      try {
        await requireHostFrontier(application, domain, expectedFrontier)
        checked.push({ ...job, envelope: family.prepare(envelope) })
      } catch (cause) {
        throw unprepared(cause)
      }
    })
  }
  return checked
}

/** Stores the pushes of jobs as prepared, in one commit. Returns the jobs in the order of their rows. */
async function prepareJobs({ store, now, application }: Target, jobs: readonly CheckedJob[]): Promise<PreparedJob[]> {
  const prepared: PreparedJob[] = []
  await Promise.all(
    jobs.map((job) =>
      settle(job, async () => {
        const { push, envelope } = job
        const result = await store.write((ledger) => {
          push.authorise?.(ledger)
          const replay = findReplay(ledger, envelope)
          if (replay !== undefined) return replay
          const pinned = application.pin?.(ledger, push.project, push.expectedFrontier)
          insertPush(ledger, push, envelope, now(), 'prepared', pinned)
          return requirePush(ledger, envelope.pushId)
        })
        if ('status' in result) job.resolve(result)
        else prepared.push({ ...job, row: result })
      }),
    ),
  )
  return prepared
}

function unwrap(outcome: ExecutionOutcome | undefined): Submission {
  if (outcome === undefined) throw new Error('a prepared push was not applied')
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
