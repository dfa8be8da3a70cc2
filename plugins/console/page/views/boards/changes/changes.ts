/** Changes of the project: each a signed command that is shown before it is sent. */

import { sha256 } from '@noble/hashes/sha2.js'
import { type Signal, signal } from '@preact/signals'
import { toHex } from '../../../../../protocol/codecs.ts'
import { loadedSession, local, own, ServiceError, send } from '../../../lib/service.ts'
import type { PendingMove } from '../arrange.ts'
import { placeCommand, rankIn } from '../columns/place.ts'
import { shown } from '../follow.ts'
import type { Card, Column, Command, CommandEnvelope, Conflict, Project } from '../state.ts'
import { enterCommands } from './enter.ts'

/** Commands that wait for the reader's word. */
export interface Question {
  readonly signed: readonly CommandEnvelope[]
  answer(isSent: boolean): void
}

/** A command that was sent without a question. */
export interface Sent {
  readonly envelope: CommandEnvelope
  /** Without an answer it may have been entered. */
  readonly outcome: 'sending' | 'sent' | 'refused' | 'no answer'
}

/** What the reader is asked now. */
export const question: Signal<Question | undefined> = signal(undefined)
/** Whether the reader wants no question in this session; then what is sent is shown in `sent`. */
export const asksNoMore: Signal<boolean> = signal(false)
/** The newest commands that were sent, the newest first. */
export const sent: Signal<readonly Sent[]> = signal([])
/** The refusal of the last change. */
export const refused: Signal<ServiceError | undefined> = signal(undefined)
/** A move that is shown before it was entered. */
export const pending: Signal<PendingMove | undefined> = signal(undefined)

/** Commands that are kept in `sent`. */
const KEPT = 20

/** Whether this page can change boards. */
export function canWrite(): boolean {
  const { isWritable, device } = loadedSession()
  return isWritable && device !== null
}

/** Enters what `make` gives for the project as it is seen. Resolves to whether it was sent; a refusal is shown. */
export async function change(make: (project: Project) => readonly Command[]): Promise<boolean> {
  const seen = shown.value
  if (seen === undefined || !canWrite()) return false
  refused.value = undefined
  const path = `/api/v1/kbd/projects/${encodeURIComponent(seen.project)}`
  try {
    return await enterCommands(
      {
        read: () => local<Project>(path),
        sign: (request) => own<CommandEnvelope>('/sign', { method: 'POST', body: request }),
        show: ask,
        send: (envelope) => noted(envelope, () => local(`${path}/commands`, { method: 'POST', body: envelope })),
      },
      seen,
      make,
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.value = error
    return false
  }
}

/** The same for one command that needs nothing of the project. */
export function enter(...commands: readonly Command[]): Promise<boolean> {
  return change(() => commands)
}

function ask(signed: readonly CommandEnvelope[]): Promise<boolean> {
  if (asksNoMore.value) return Promise.resolve(true)
  // A question that was not answered is taken back.
  question.value?.answer(false)
  return new Promise((resolve) => {
    question.value = {
      signed,
      answer(isSent) {
        question.value = undefined
        resolve(isSent)
      },
    }
  })
}

async function noted(envelope: CommandEnvelope, post: () => Promise<unknown>): Promise<unknown> {
  const note = (outcome: Sent['outcome']): void => {
    sent.value = [{ envelope, outcome }, ...sent.value.filter((one) => one.envelope !== envelope)].slice(0, KEPT)
  }
  note('sending')
  try {
    const answer = await post()
    note('sent')
    return answer
  } catch (error) {
    note(isRefusal(error) ? 'refused' : 'no answer')
    throw error
  }
}

/** Whether the service itself refused. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 400 && error.code !== 'service_away'
}

/** Keeps a text on the node; gives the hash that names it. Null for none. */
async function keepText(text: string): Promise<string | null> {
  if (text === '') return null
  const bytes = new TextEncoder().encode(text)
  const hash = toHex(sha256(bytes))
  await send(`/local/api/v1/kbd/content/${hash}`, {
    method: 'PUT',
    body: new Blob([bytes], { type: 'application/octet-stream' }),
    headers: { 'content-type': 'application/octet-stream' },
  })
  return hash
}

/** Runs a change that keeps a text first; a refusal is shown. */
export async function changeWithText(
  text: string,
  make: (hash: string | null) => readonly Command[],
): Promise<boolean> {
  if (!canWrite()) return false
  try {
    const hash = await keepText(text)
    return await enter(...make(hash))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.value = error
    return false
  }
}

/** Puts a card before the card at `index` of a column; `cards` are those of the column without it. It is shown there at once. */
export async function moveCard(card: Card, column: Column, cards: readonly Card[], index: number): Promise<void> {
  const command = placeCommand(card.cardId, column, cards, index)
  const rank = command === undefined ? undefined : rankIn(command, card.cardId)
  const { boardId, columnId } = column
  if (command === undefined || rank === undefined || boardId === null) {
    refused.value = new ServiceError(0, 'no_room', 'There is no rank left at this place. Put the card elsewhere.')
    return
  }
  pending.value = { cardId: card.cardId, place: { boardId, columnId, rank } }
  const mine = pending.value
  const isSent = await enter(command)
  // Once it was sent, the stream brings the new place, mostly before the answer; until then the card stays where it was put.
  if (isSent) await untilPlaced(card.cardId, rank)
  if (pending.value === mine) pending.value = undefined
}

/** How long the stream may take to bring what was entered, in milliseconds. */
const PLACED_MS = 2_000

function untilPlaced(cardId: string, rank: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, PLACED_MS)
    const stop = shown.subscribe((project) => {
      if (project?.cards[cardId]?.place?.rank === rank) queueMicrotask(end)
    })
    function end(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

/** Settles a conflict with one of its candidates. */
export function resolveConflict({ conflictId, register, candidates }: Conflict, id: string): Promise<boolean> {
  const ids = candidates.map((candidate) => candidate.id).sort()
  return enter({ type: 'conflict.resolve', conflictId, register, candidates: ids, choose: { id } })
}
