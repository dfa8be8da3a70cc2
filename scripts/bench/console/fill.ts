/** Fills a service with a long run and a large board. */
import { randomUUID } from 'node:crypto'
import type { Command } from '../../../plugins/kbd/api.ts'
import { rankAfter } from '../../../plugins/protocol/ranks.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { readDeviceKey, type Service } from '../../service.ts'

/** Creates a run with a number of events: streamed messages and state patches. */
export async function fillRun(service: Service, runId: string, events: number): Promise<void> {
  const post = await service.poster('')
  await post('/api/svc/runs', { run_id: runId, thread_id: runId })
  const all = [
    { type: 'RUN_STARTED', threadId: runId, runId },
    { type: 'STATE_SNAPSHOT', snapshot: { count: 0, seen: [] } },
    ...Array.from({ length: events - 3 }, (_, index) => eventOf(index, index < events - 3 - ((events - 3) % 32))),
    { type: 'RUN_FINISHED', threadId: runId, runId },
  ]
  for (let from = 0; from < all.length; from += 64)
    await post(`/api/svc/runs/${runId}/events`, all.slice(from, from + 64))
}

/** One event of a message of 32 events, or a patch after the last complete message. */
function eventOf(index: number, isWhole: boolean): unknown {
  const id = `m${Math.floor(index / 32)}`
  if (index % 32 === 31 || !isWhole)
    return { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/count', value: index }] }
  if (index % 32 === 0) return { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' }
  if (index % 32 === 30) return { type: 'TEXT_MESSAGE_END', messageId: id }
  return { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: `word ${index} ` }
}

/** Creates a board with four columns and a number of cards. */
export async function fillBoard(service: Service, cards: number): Promise<void> {
  await service.svc('device', 'keygen', '--out', 'ada.key')
  await service.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
  const key = readDeviceKey(service, 'ada')
  let heads: readonly string[] = []
  const enter = async (command: Command): Promise<void> => {
    const envelope = await signCommand(await key, { project: 'demo', command, parents: heads })
    const path = '/api/v1/kbd/projects/demo/commands'
    heads = (await service.local<{ frontier: { heads: string[] } }>('POST', path, envelope)).frontier.heads
  }
  const boardId = randomUUID()
  await enter({ type: 'board.create', boardId, title: 'Large' })
  const columns = Array.from({ length: 4 }, () => randomUUID())
  const ranks = new Map<string, string>()
  let rank: string | undefined
  for (const [index, columnId] of columns.entries()) {
    rank = rankAfter(rank)
    await enter({ type: 'column.create', columnId, boardId, title: `Column ${index + 1}`, rank })
  }
  for (let index = 0; index < cards; index++) {
    const columnId = columns[index % columns.length]!
    const place = rankAfter(ranks.get(columnId))
    ranks.set(columnId, place)
    await enter({
      type: 'card.create',
      cardId: randomUUID(),
      boardId,
      columnId,
      rank: place,
      title: `Card ${index} of many`,
    })
  }
}
