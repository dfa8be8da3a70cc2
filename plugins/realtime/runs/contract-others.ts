/** The part of the contract about runs of other users, by `?user=`. It holds for every store of runs. */
import { type Answer, type Caller, type Case, same, type Target } from '../../../core/testing/contract.ts'
import { readEvents } from '../contract-parts.ts'

const runs = '/api/svc/runs'
const needs = ['auth.guard']
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }

/** The cases, for users of one tenant and with some settings. */
export function othersCases(tenant: string, settings: Readonly<Record<string, unknown>>): readonly Case[] {
  const delegationSettings = { ...settings, 'security.delegation': true }
  const caller = (user: string, ...scopes: string[]): Caller => ({ user, tenant, scopes })
  const reader = caller('reader', 'svc:runs:read')
  const writer = caller('writer', 'svc:runs:write')
  const create = (target: Target, as: Caller, run_id: string, query = ''): Promise<Answer> =>
    target.request({ method: 'POST', path: `${runs}${query}`, as, body: { run_id } })
  const append = (target: Target, as: Caller, run_id: string, query = ''): Promise<Answer> =>
    target.request({ method: 'POST', path: `${runs}/${run_id}/events${query}`, as, body: started })
  const codeOf = ({ status, json }: Answer): string =>
    `${status} ${(json() as { error?: { code: string } }).error?.code ?? ''}`.trim()
  const statusOf = async (target: Target, as: Caller, path: string): Promise<string> =>
    codeOf(await target.request({ path: `${runs}${path}`, as }))
  const listed = async (target: Target, as: Caller, query: string): Promise<readonly string[]> => {
    const answer = await target.request({ path: `${runs}${query}`, as })
    same(`status of ${query}`, answer.status, 200)
    const page = answer.json() as { runs: { run_id: string; owner: { user_id: string } }[] }
    return page.runs.map(({ run_id, owner }) => `${owner.user_id} ${run_id}`)
  }
  return [
    {
      name: 'with svc:runs:read a caller lists, reads and follows runs of other users of its tenant, and may not write',
      needs,
      given: delegationSettings,
      steps: async (target) => {
        for (const user of ['ann', 'bob']) same('made', (await create(target, caller(user), 'mine')).status, 201)
        await create(target, { user: 'ann', tenant: `${tenant}-next`, scopes: [] }, 'elsewhere')
        same('appended', (await append(target, caller('ann'), 'mine')).status, 200)
        same('the runs of ann', await listed(target, reader, '?user=ann'), ['ann mine'])
        same('of all', [...(await listed(target, reader, '?user=*'))].sort(), ['ann mine', 'bob mine'])
        same('by pages', (await listed(target, reader, '?user=*&limit=1')).length, 1)
        same('one', await statusOf(target, reader, '/mine?user=ann'), '200')
        const stream = await target.open({ path: `${runs}/mine/stream?user=ann`, as: reader })
        same('event', (await readEvents(stream, 1)).events[0]?.data, started)
        stream.close()
        same('of another tenant', await statusOf(target, reader, '/elsewhere?user=ann'), '404 not_found')
        same('of nobody', await listed(target, reader, '?user=nobody'), [])
        same('create', codeOf(await create(target, reader, 'new', '?user=ann')), '403 forbidden')
        same('append', codeOf(await append(target, reader, 'mine', '?user=bob')), '403 forbidden')
      },
    },
    {
      name: 'with svc:runs:write a caller creates a run of another user and appends to it, and may not read',
      needs,
      given: delegationSettings,
      steps: async (target) => {
        const made = await create(target, writer, 'given', '?user=cy%20%C3%A4')
        same('made', [made.status, made.headers['location']], [201, `${runs}/given?user=cy+%C3%A4`])
        same('owner', (made.json() as { owner: unknown }).owner, { user_id: 'cy ä', tenant_id: tenant })
        same('append', (await append(target, writer, 'given', '?user=cy+%C3%A4')).status, 200)
        same('its owner reads it', await statusOf(target, caller('cy ä'), '/given'), '200')
        same('nothing of its own', await listed(target, writer, ''), [])
        same('read', await statusOf(target, writer, '/given?user=cy+%C3%A4'), '403 forbidden')
        same('list', await statusOf(target, writer, '?user=*'), '403 forbidden')
      },
    },
    {
      name: 'the own id needs no scope; without the scope 403 whether the user and the run exist or not',
      needs,
      given: delegationSettings,
      steps: async (target) => {
        const dan = caller('dan', 'svc:keys:manage', 'svc:nothing', 'runs:read')
        same('made', (await create(target, dan, 'own', '?user=dan')).status, 201)
        same('read', await statusOf(target, dan, '/own?user=dan'), '200')
        same('other', (await create(target, caller('eve'), 'hers')).status, 201)
        const answers = new Set<string>()
        for (const path of ['/hers?user=eve', '/none?user=eve', '/hers?user=nobody', '?user=eve', '?user=nobody'])
          answers.add((await target.request({ path: `${runs}${path}`, as: dan })).text)
        same('all the same', [...answers].length, 1)
        same('all of the tenant', await statusOf(target, dan, '?user=*'), '403 forbidden')
        same('stream', await statusOf(target, dan, '/hers/stream?user=eve'), '403 forbidden')
      },
    },
    ...refusals(settings, reader, writer),
  ]
}

/** What is refused whether the user exists or not. */
function refusals(settings: Readonly<Record<string, unknown>>, reader: Caller, writer: Caller): readonly Case[] {
  const delegationSettings = { ...settings, 'security.delegation': true }
  return [
    {
      name: 'with svc:runs:read a caller follows threads of other users of its tenant',
      needs,
      given: delegationSettings,
      steps: async (target) => {
        const fay = { ...reader, user: 'fay', scopes: [] }
        const body = { run_id: 'of-thread', thread_id: 'of-fay' }
        await target.request({ method: 'POST', path: runs, as: fay, body })
        await target.request({ method: 'POST', path: `${runs}/of-thread/events`, as: fay, body: started })
        const path = '/api/svc/threads/of-fay/stream?user=fay'
        const thread = await target.open({ path, as: reader })
        same('event', (await readEvents(thread, 1)).events[0]?.data, started)
        thread.close()
        same('without the scope', (await target.request({ path, as: writer })).status, 403)
        same(
          'of oneself',
          (await target.request({ path: path.replace('user=fay', 'user=reader'), as: writer })).status,
          403,
        )
      },
    },
    {
      name: 'GET /api/svc/threads/t/stream?user=* is 400 malformed_request',
      needs,
      given: delegationSettings,
      send: { path: '/api/svc/threads/t/stream?user=*', as: reader },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    ...[
      '?user=',
      '?user=ann&user=ann',
      '?user=a%0Ab',
      `?user=${'u'.repeat(257)}`,
      '/r?user=*',
      '/r?user=',
      '/r/stream?user=*',
    ].map(
      (path): Case => ({
        name: `GET ${runs}${path.length > 40 ? '?user= of 257 bytes' : path} is 400 malformed_request`,
        needs,
        given: delegationSettings,
        send: { path: `${runs}${path}`, as: reader },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
    ...['', '/r/events'].map(
      (path): Case => ({
        name: `POST ${runs}${path}?user=* is 400 malformed_request`,
        needs,
        given: delegationSettings,
        send: { method: 'POST', path: `${runs}${path}?user=*`, as: writer, body: started },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
    ...['?user=ann', '?user=*', '/r?user=ann', '/r/stream?user=ann'].map(
      (path): Case => ({
        name: `while security.delegation is false, GET ${runs}${path} is 403 with every scope`,
        given: settings,
        send: { path: `${runs}${path}`, as: reader },
        expect: { status: 403, body: { error: { code: 'forbidden' } } },
      }),
    ),
  ]
}
