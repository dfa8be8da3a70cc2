/** Fills the service of the pictures: runs, boards with a conflict, keys, and a push to a peer. */
import type { Project } from '../../plugins/kbd/api.ts'
import { signCommand } from '../../plugins/protocol/sign/index.ts'
import { type Post, readDeviceKey, type Service } from '../service.ts'

/** The run that one picture shows. */
export const RUN = 'review-42'
/** The push that one picture shows. */
export const PUSH = '0b0e1c3a-1111-4000-8000-00000000000a'

const MESSAGE =
  'I looked at the receipts of the last night and compared them with the audit chain. ' +
  'Every entry is as it was written, and the checkpoint is signed by this node. Two ' +
  'cards on the release board disagree about their title, so I list both candidates below.'

type Event = Readonly<Record<string, unknown>>

/** Fills the service `desk`, and a second one, `lamp`, which becomes its peer. Takes some seconds. */
export async function tell(desk: Service, lamp: Service): Promise<void> {
  await Promise.all([tellRuns(desk), tellBoards(desk, lamp)])
}

async function tellRuns(service: Service): Promise<void> {
  const post = await service.poster('kbd:read')
  await runOf(post, 'nightly-7', failed())
  await runOf(post, RUN, finished(RUN))
  await runOf(post, 'triage-3')
  for (const name of ['ci', 'agent of Ada', 'backup']) await post('/api/svc/auth/keys', { name, scopes: ['kbd:read'] })
}

/** Publishes more events, for the picture of live events. */
export async function tellMore(service: Service): Promise<void> {
  await runOf(await service.poster('kbd:read'), 'review-43', finished('review-43'))
  for (const [card, column] of Object.entries({ 'Two nodes': 'Done', 'Ask operators': 'Doing' }))
    await service.svc('board', 'move', card, column, '--key', 'ada.key', '--project', 'demo')
}

async function runOf(post: Post, run: string, end?: Event): Promise<void> {
  await post('/api/svc/runs', { run_id: run, thread_id: `thread-of-${run}` })
  const events = [...firstEvents(run), ...workEvents(), ...(end === undefined ? [] : [end])]
  for (let from = 0; from < events.length; from += 64)
    await post(`/api/svc/runs/${run}/events`, events.slice(from, from + 64))
}

function firstEvents(run: string): readonly Event[] {
  return [
    { type: 'RUN_STARTED', threadId: `thread-of-${run}`, runId: run },
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'STATE_SNAPSHOT', snapshot: { step: 'plan', cards: [], budget: { tokens: 8_000, spent: 0 } } },
  ]
}

function workEvents(): readonly Event[] {
  return [
    ...message('m1', MESSAGE),
    ...tool('t1', 'board_show', { project: 'demo' }, { columns: 4, cards: 8 }),
    {
      type: 'STATE_DELTA',
      delta: [
        { op: 'replace', path: '/step', value: 'read' },
        { op: 'add', path: '/cards/-', value: { id: 'c1', title: 'Write the notes' } },
        { op: 'replace', path: '/budget/spent', value: 1_240 },
      ],
    },
    { type: 'STEP_FINISHED', stepName: 'plan' },
    ...tool('t2', 'card_move', { card: 'Write the notes', to: 'Doing' }, { ok: true }),
    { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/step', value: 'done' }] },
    ...message('m2', 'The card is moved, and the board shows who did it.'),
  ]
}

function message(messageId: string, text: string): readonly Event[] {
  const words = text.split(/(?<= )/)
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...words.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
}

function tool(toolCallId: string, name: string, input: unknown, result: unknown): readonly Event[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: name },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
    { type: 'TOOL_CALL_END', toolCallId },
    {
      type: 'TOOL_CALL_RESULT',
      messageId: `result of ${toolCallId}`,
      toolCallId,
      content: JSON.stringify(result),
      role: 'tool',
    },
  ]
}

const finished = (run: string): Event => ({ type: 'RUN_FINISHED', threadId: `thread-of-${run}`, runId: run })
const failed = (): Event => ({ type: 'RUN_ERROR', message: 'The model answered 529 three times.', code: 'overloaded' })

const CARDS: readonly (readonly [title: string, ...labels: string[]])[] = [
  ['Write the release notes', 'docs'],
  ['Console at 390 pixels', 'ui', 'docs'],
  ['A replay after a restart keeps its epoch', 'runs'],
  ['Two nodes, one claim', 'peers', 'bug'],
  ['What a proof costs in seconds'],
  ['Rotate the key of the endpoint', 'ops'],
  ['Ask operators about backups'],
  ['Draw the architecture as it is', 'docs'],
]

async function tellBoards(desk: Service, lamp: Service): Promise<void> {
  for (const [name, label] of Object.entries({ ada: 'Ada’s laptop', grace: 'Grace, phone' })) {
    await desk.svc('device', 'keygen', '--out', `${name}.key`)
    await desk.svc('device', 'enroll', '--key', `${name}.key.pub`, '--scope', 'kbd-control:demo', '--label', label)
  }
  const code = await desk.svc('peer', 'pair', '--project', 'demo', '--devices', '--label', 'lamp')
  await lamp.svc('peer', 'join', code, '--devices', '--label', 'desk')
  const board = (...args: readonly string[]): Promise<string> =>
    desk.svc('board', ...args, '--key', 'ada.key', '--project', 'demo')
  await board('add', '--board', 'Release 1', '--columns', 'To do,Doing,Review,Done')
  for (const [title, ...labels] of CARDS) await board('add', title, ...labels.flatMap((label) => ['--label', label]))
  await board('move', 'Console at', 'Doing')
  await board('move', 'A replay', 'Doing')
  await board('move', 'Two nodes', 'Review')
  await board('move', 'What a proof', 'Done')
  await board('move', 'Rotate', 'Done')
  await board('claim', 'Console at', '--agent', 'ada', '--minutes', '30')
  await board('claim', 'Two nodes', '--agent', 'bot', '--minutes', '5')
  await contradict(desk)
  await desk.svc(...'push --key ada.key --domain kbd-control:demo --target lamp --follow --request-id'.split(' '), PUSH)
}

/** Two devices rename the same card from the same frontier, which creates a conflict. */
async function contradict(desk: Service): Promise<void> {
  const { frontier, cards } = await desk.local<Project>('GET', '/api/v1/kbd/projects/demo')
  const [cardId] = Object.entries(cards).find(([, { title }]) => title === CARDS[0]![0])!
  const titles = { ada: 'Write the release notes, in short', grace: 'Write the release notes, in full' }
  for (const [name, title] of Object.entries(titles)) {
    const key = await readDeviceKey(desk, name)
    const command = { type: 'card.update', cardId, title } as const
    const envelope = await signCommand(key, { project: 'demo', command, parents: frontier.heads })
    await desk.local('POST', '/api/v1/kbd/projects/demo/commands', envelope)
  }
}
