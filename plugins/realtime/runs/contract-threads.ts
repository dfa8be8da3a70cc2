/** The part of the contract about streams of threads. It holds for every store of runs. */
import { type Caller, type Case, type OpenAnswer, same, type Target } from '../../../core/testing/contract.ts'
import { caller, checkStreamHeaders, type Read, readEvents } from '../contract-parts.ts'

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const failed = { type: 'RUN_ERROR', message: 'no' }
/** A whole text message. */
const message = (messageId: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `of ${messageId}` },
  { type: 'TEXT_MESSAGE_END', messageId },
]

/** What the cases of one tenant share. */
class Threads {
  readonly ann: Caller
  readonly bob: Caller

  constructor(tenant: string) {
    this.ann = caller(tenant)
    this.bob = { ...this.ann, user: 'bob' }
  }

  async post(target: Target, path: string, body: unknown, as: Caller = this.ann): Promise<void> {
    const { status } = await target.request({ method: 'POST', path, as, body })
    same(`${path} is accepted`, status < 300, true)
  }

  async make(
    target: Target,
    thread_id: string,
    run_id: string,
    events: readonly object[],
    as: Caller = this.ann,
  ): Promise<void> {
    await this.post(target, '/api/svc/runs', { run_id, thread_id }, as)
    if (events.length > 0) await this.post(target, `/api/svc/runs/${run_id}/events`, events, as)
  }

  async open(target: Target, thread: string, cursor?: string): Promise<OpenAnswer> {
    const answer = await target.open({
      path: `/api/svc/threads/${thread}/stream`,
      as: this.ann,
      headers: cursor === undefined ? {} : { 'last-event-id': cursor },
    })
    same('status of the stream', answer.status, 200)
    checkStreamHeaders(answer)
    return answer
  }
}

const typesOf = (events: readonly Read[]): readonly unknown[] => events.map(({ data }) => data['type'])

type Settings = Readonly<Record<string, unknown>>

/** The cases, for runs of one tenant and with some settings. */
export function threadCases(tenant: string, settings: Settings): readonly Case[] {
  const threads = new Threads(tenant)
  return [...orderCases(threads, settings), ...lossCases(threads, settings), ...refusalCases(threads, settings)]
}

/** What a reader gets, and in which order. */
function orderCases(threads: Threads, settings: Settings): readonly Case[] {
  return [
    {
      name: 'the stream of a thread has the newest run with a prelude, then every further run whole, and stays open',
      given: settings,
      steps: async (target) => {
        await threads.make(target, 'talk', 'talk-1', [started, ...message('m1'), finished])
        await threads.make(target, 'talk', 'talk-2', [started, ...message('m2')])
        await threads.make(target, 'other', 'talk-other', [started, ...message('m0')])
        await threads.make(target, 'talk', 'talk-bob', [started, ...message('m0')], threads.bob)
        const answer = await threads.open(target, 'talk')
        await threads.post(target, '/api/svc/runs/talk-2/events', [failed])
        await threads.make(target, 'talk', 'talk-3', [started, ...message('m3'), finished])
        await threads.make(target, 'talk', 'talk-4', [started])
        const { events } = await readEvents(answer, 10)
        answer.close()
        same('types', typesOf(events), [
          ...['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_ERROR'],
          ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED'],
          'RUN_STARTED',
        ])
        same('messages', events[2]?.data['messages'], [{ id: 'm2', role: 'assistant', content: 'of m2' }])
        const ids = events.map(({ id }) => id?.replace(/^[a-z2-7]{8}-/, ''))
        same('ids', ids, [
          ...[undefined, undefined, '4.dGFsay0y', '5.dGFsay0y'],
          ...[1, 2, 3, 4, 5].map((sequence) => `${sequence}.dGFsay0z`),
          '1.dGFsay00',
        ])
      },
    },
    {
      name: 'a position holds over all runs of a thread: at each the reader gets exactly what follows',
      given: settings,
      steps: async (target) => {
        await threads.make(target, 'long', 'long-1', [started])
        const whole = await threads.open(target, 'long')
        await threads.post(target, '/api/svc/runs/long-1/events', [...message('m1'), finished])
        await threads.make(target, 'long', 'long-2', [started, ...message('m2'), failed])
        await threads.make(target, 'long', 'long-3', [started])
        const { events } = await readEvents(whole, 13)
        whole.close()
        for (const [at, { id }] of events.entries()) {
          if (id === undefined || at === events.length - 1) continue
          const answer = await threads.open(target, 'long', id)
          const rest = await readEvents(answer, events.length - at - 1)
          answer.close()
          same('no loss', answer.headers['svc-last-event-id'], undefined)
          same(`after ${id}`, rest.events, events.slice(at + 1))
        }
      },
    },
  ]
}

/** What a reader gets whose position is lost. */
function lossCases(threads: Threads, settings: Settings): readonly Case[] {
  return [
    {
      name: 'a thread without runs waits for the first one, also at a position that nobody knows',
      given: settings,
      steps: async (target) => {
        const fresh = await threads.open(target, 'empty')
        const lost = await threads.open(target, 'empty', 'aaaaaaaa-7.eA')
        same(
          'the position',
          [fresh, lost].map(({ headers }) => headers['svc-last-event-id']),
          [undefined, 'earliest'],
        )
        await threads.make(target, 'empty', 'empty-1', [started, finished])
        const [{ events }, after] = [await readEvents(fresh, 2), await readEvents(lost, 5)]
        for (const answer of [fresh, lost]) answer.close()
        same('types', typesOf(events), ['RUN_STARTED', 'RUN_FINISHED'])
        same('types behind the loss', typesOf(after.events), [
          ...['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'CUSTOM', 'RUN_FINISHED'],
        ])
        same('the gap', after.events[3]?.data['value'], { requested: 'aaaaaaaa-7.eA', resumedAfter: 'earliest' })
      },
    },
    {
      name: 'a lost position in a thread is in the header, and in band behind RUN_STARTED',
      given: settings,
      steps: async (target) => {
        await threads.make(target, 'gone', 'gone-1', [started, finished])
        await threads.make(target, 'gone', 'gone-2', [started, ...message('m')])
        for (const position of ['aaaaaaaa-1.Z29uZS0x', 'aaaaaaaa-1', 'x', '3.Z29uZS0y', 'aaaaaaaa-1.Z29uZS0y=']) {
          const answer = await threads.open(target, 'gone', position)
          // More may come in the same piece.
          const events = (await readEvents(answer, 4)).events.slice(0, 4)
          answer.close()
          const isFirst = position.startsWith('aaaaaaaa-1.Z29uZS0x')
          const sequence = isFirst ? '1.Z29uZS0x' : '4.Z29uZS0y'
          const resumedAfter = answer.headers['svc-last-event-id'] ?? ''
          same(`header of ${position}`, resumedAfter.replace(/^[a-z2-7]{8}-/, ''), sequence)
          same(`types of ${position}`, typesOf(events), [
            ...['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'CUSTOM'],
          ])
          same(`gap of ${position}`, events[3]?.data['value'], { requested: position, resumedAfter })
        }
      },
    },
  ]
}

function refusalCases({ ann }: Threads, settings: Settings): readonly Case[] {
  return [
    {
      name: 'the thread of another user needs a scope',
      given: settings,
      send: { path: '/api/svc/threads/t/stream?user=bob', as: ann },
      expect: { status: 403, body: { error: { code: 'forbidden' } } },
    },
    {
      name: 'the id of a thread has a form',
      given: settings,
      send: { path: '/api/svc/threads/a%0Ab/stream', as: ann },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
  ]
}
