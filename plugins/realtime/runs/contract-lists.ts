/** The part of the contract about lists of runs in pages. It holds for every store of runs. */
import { type Caller, type Case, same, type Target } from '../../../core/testing/contract.ts'
import { caller } from '../contract-parts.ts'
import type { RunRecord } from './api.ts'

interface Page {
  readonly runs: readonly RunRecord[]
  readonly next: string | null
  readonly removed?: { readonly count: number; readonly since_ms: number }
}

/** How a case makes runs and reads lists of them. */
interface Lists {
  readonly make: (target: Target, run_id: string, thread_id: string) => Promise<void>
  readonly page: (target: Target, query: string) => Promise<Page>
}

/** The cases, for runs of one tenant and with some settings. */
export function listCases(tenant: string, settings: Readonly<Record<string, unknown>>): readonly Case[] {
  const ann = caller(tenant)
  const make = async (target: Target, run_id: string, thread_id: string): Promise<void> => {
    const body = { run_id, thread_id }
    const { status } = await target.request({ method: 'POST', path: '/api/svc/runs', as: ann, body })
    same('status of the creation', status, 201)
  }
  const page = async (target: Target, query: string): Promise<Page> => {
    const answer = await target.request({ path: `/api/svc/runs${query}`, as: ann })
    same(`status of ${query}`, answer.status, 200)
    return answer.json() as Page
  }
  const namesOf = ({ runs }: Page): readonly string[] => runs.map(({ run_id }) => run_id)
  return [
    {
      name: 'a list of runs comes in pages, newest first, by status and by thread; without limit and before it is whole',
      given: settings,
      steps: async (target) => {
        for (const number of [1, 2, 3, 4, 5]) await make(target, `page-${number}`, number % 2 === 0 ? 'even' : 'odd')
        const events = [
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        ]
        for (const run of ['page-1', 'page-4'])
          await target.request({ method: 'POST', path: `/api/svc/runs/${run}/events`, as: ann, body: events })
        const whole = await page(target, '')
        same('the whole list', [namesOf(whole), whole.next], [[5, 4, 3, 2, 1].map((number) => `page-${number}`), null])
        let rest = await page(target, '?limit=2')
        const pages = [namesOf(rest)]
        while (rest.next !== null) {
          rest = await page(target, `?limit=2&before=${rest.next}`)
          pages.push(namesOf(rest))
        }
        same('pages', pages, [['page-5', 'page-4'], ['page-3', 'page-2'], ['page-1']])
        const first = await page(target, '?limit=1')
        same('without limit', namesOf(await page(target, `?before=${first.next}`)), namesOf(whole).slice(1))
        same('by thread', namesOf(await page(target, '?thread_id=even')), ['page-4', 'page-2'])
        same('by status', namesOf(await page(target, '?status=finished')), ['page-4', 'page-1'])
        same('by both', namesOf(await page(target, '?status=running&thread_id=odd&limit=1')), ['page-5'])
        same('none', await page(target, '?status=cancelled'), { runs: [], next: null })
        const { removed } = await page(target, '?limit=1&removed=true')
        same('removed runs', [removed?.count, Number.isSafeInteger(removed?.since_ms)], [0, true])
      },
    },
    endsCase(settings, ann, { make, page }),
    ...[
      'limit=0',
      'limit=201',
      'limit=1.5',
      'limit=',
      'limit=1&limit=1',
      'status=ended',
      'status=',
      'thread_id=',
      'thread_id=a%0Ab',
      'thread_id=..',
      'before=',
      'before=page-1',
      'before=WzEsMiwzXQ',
    ].map(
      (query): Case => ({
        name: `GET /api/svc/runs?${query} is 400 malformed_request`,
        given: settings,
        send: { path: `/api/svc/runs?${query}`, as: ann },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
  ]
}

/** A record says how its run ended. */
function endsCase(settings: Readonly<Record<string, unknown>>, ann: Caller, { make, page }: Lists): Case {
  return {
    name: 'a record says why its run failed, with the beginning of a long message; a run that did not fail has no error',
    given: settings,
    steps: async (target) => {
      const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
      const ends = {
        coded: { type: 'RUN_ERROR', code: 'E_MODEL', message: 'No answer.' },
        long: { type: 'RUN_ERROR', message: 'x'.repeat(4_000) },
        cancelled: { type: 'RUN_ERROR', code: 'svc.run.cancelled', message: 'The run was cancelled.' },
        finished: { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        running: { type: 'STEP_STARTED', stepName: 's' },
      }
      const told: RunRecord[] = []
      for (const [name, end] of Object.entries(ends)) {
        await make(target, name, 'ends')
        const path = `/api/svc/runs/${name}/events`
        const answer = await target.request({ method: 'POST', path, as: ann, body: [started, end] })
        told.push(answer.json() as RunRecord)
      }
      const { runs } = await page(target, '?thread_id=ends')
      for (const records of [told, runs.toReversed()]) {
        same(
          'status, agent and error',
          records.map(({ status, agent, error }) => [status, agent, error && [error.code, error.message]]),
          [
            ['failed', null, ['E_MODEL', 'No answer.']],
            ['failed', null, [null, 'x'.repeat(512)]],
            ['cancelled', null, null],
            ['finished', null, null],
            ['running', null, null],
          ],
        )
      }
    },
  }
}
