/** Changes of the project by signed commands, which are shown before they are sent. */

import { sha256 } from '@noble/hashes/sha2.js'
import { type Signal, signal } from '@preact/signals'
import { toHex } from '../../../../../protocol/codecs.ts'
import { loadedSession, local, own, ServiceError, send } from '../../../lib/service.ts'
import type { PendingMove } from '../arrange.ts'
import { placeCommand, rankIn } from '../columns/place.ts'
import { shownProject } from '../follow.ts'
import type { Card, Column, Command, CommandEnvelope, Conflict, Project } from '../state.ts'
import { enterCommands } from './enter.ts'

/** Commands that wait for the confirmation of the reader. */
export interface Question {
  readonly signed: readonly CommandEnvelope[]
  answer(isSent: boolean): void
}

/** A command that was sent without a question. */
export interface Sent {
  readonly envelope: CommandEnvelope
  /** `no answer`: it is unknown whether the service has entered the command. */
  readonly outcome: 'sending' | 'sent' | 'refused' | 'no answer'
}

/** The question that the reader has not answered yet. */
export const question: Signal<Question | undefined> = signal(undefined)
/** Whether the reader wants no questions in this session. The page then lists the commands in `sent`. */
export const isConfirmationOff: Signal<boolean> = signal(false)
/** The last commands that were sent, the newest first. */
export const sent: Signal<readonly Sent[]> = signal([])
/** The error of the last change. */
export const refused: Signal<ServiceError | undefined> = signal(undefined)
/** A move that the page shows before the service has entered it. */
export const pending: Signal<PendingMove | undefined> = signal(undefined)

/** Largest number of commands in `sent`. */
const KEPT = 20

/** Whether this page can change boards. */
export function canWrite(): boolean {
  const { isWritable, device } = loadedSession()
  return isWritable && device !== null
}

/**
 * Enters the commands that `make` returns for the shown project. Resolves to whether they were sent. The page shows an
 * error.
 */
export async function change(make: (project: Project) => readonly Command[]): Promise<boolean> {
  const seen = shownProject.value
  if (seen === undefined || !canWrite()) return false
  refused.value = undefined
  const path = `/api/v1/kbd/projects/${encodeURIComponent(seen.project)}`
  try {
    return await enterCommands(
      {
        read: () => local<Project>(path),
        sign: (request) => own<CommandEnvelope>('/sign', { method: 'POST', body: request }),
        show: ask,
        send: (envelope) => sendAndNote(envelope, () => local(`${path}/commands`, { method: 'POST', body: envelope })),
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

/** Enters commands that do not depend on the project. Otherwise like `change`. */
export function enter(...commands: readonly Command[]): Promise<boolean> {
  return change(() => commands)
}

function ask(signed: readonly CommandEnvelope[]): Promise<boolean> {
  if (isConfirmationOff.value) return Promise.resolve(true)
  // A new question replaces one without an answer.
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

async function sendAndNote(envelope: CommandEnvelope, post: () => Promise<unknown>): Promise<unknown> {
  const note = (outcome: Sent['outcome']): void => {
    sent.value = [{ envelope, outcome }, ...sent.value.filter((entry) => entry.envelope !== envelope)].slice(0, KEPT)
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

/** Whether an error is an answer of the service, and not a failed connection. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 400 && error.code !== 'service_away'
}

/** Stores a text on the node and resolves to its hash. Resolves to null for an empty text. */
async function storeText(text: string): Promise<string | null> {
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

/** Stores a text, and enters the commands that `make` returns for its hash. The page shows an error. */
export async function changeWithText(
  text: string,
  make: (hash: string | null) => readonly Command[],
): Promise<boolean> {
  if (!canWrite()) return false
  try {
    const hash = await storeText(text)
    return await enter(...make(hash))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.value = error
    return false
  }
}

/**
 * Moves a card before the card at `index` of `cards`, which are the other cards of the column. The page shows the move
 * at once.
 */
export async function moveCard(card: Card, column: Column, cards: readonly Card[], index: number): Promise<void> {
  const command = placeCommand(card.cardId, column, cards, index)
  const rank = command === undefined ? undefined : rankIn(command, card.cardId)
  const { boardId, columnId } = column
  if (command === undefined || rank === undefined || boardId === null) {
    refused.value = new ServiceError(
      0,
      'no_room',
      'There is no rank left between these cards. Move the card to another place.',
    )
    return
  }
  pending.value = { cardId: card.cardId, place: { boardId, columnId, rank } }
  const ownMove = pending.value
  const isSent = await enter(command)
  // The stream reports the new place, mostly before the answer. Until then the page shows the pending move.
  if (isSent) await untilPlaced(card.cardId, rank)
  if (pending.value === ownMove) pending.value = undefined
}

/** Longest wait for the stream to report an entered move, in milliseconds. */
const PLACED_MS = 2_000

function untilPlaced(cardId: string, rank: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, PLACED_MS)
    const stop = shownProject.subscribe((project) => {
      if (project?.cards[cardId]?.place?.rank === rank) queueMicrotask(end)
    })
    function end(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

/** Resolves a conflict with one of its candidates. */
export function resolveConflict({ conflictId, register, candidates }: Conflict, id: string): Promise<boolean> {
  const ids = candidates.map((candidate) => candidate.id).sort()
  return enter({ type: 'conflict.resolve', conflictId, register, candidates: ids, choose: { id } })
}
