/** The part of the contract about lists of runs in pages. It holds for every store of runs. */
import { type Case, same, type Target } from '../../../core/contract.ts'
import { caller } from '../contract-parts.ts'

interface Page {
  readonly runs: readonly { readonly run_id: string }[]
  readonly next: string | null
}

/** The cases, for runs of one tenant and with some settings. */
export function listCases(tenant: string, given: Readonly<Record<string, unknown>>): readonly Case[] {
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
      given,
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
      },
    },
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
        given,
        send: { path: `/api/svc/runs?${query}`, as: ann },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
  ]
}
