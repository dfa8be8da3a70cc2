/**
 * Changes of the project by signed commands. A change that cannot be taken back is shown before it is sent; every other
 * change is sent at once, and can be undone for ten seconds.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { type Signal, signal } from '@preact/signals'
import { toHex } from '../../../../../protocol/codecs.ts'
import { consoleApi, loadedSession, local, ServiceError, send } from '../../../lib/service.ts'
import type { PendingMove } from '../arrange.ts'
import { placeCommand, rankIn } from '../columns/place.ts'
import { shownProject } from '../shown-project.ts'
import type { Card, Column, Command, CommandEnvelope, Conflict, Project } from '../state.ts'
import { sentenceOf } from '../words.ts'
import { enterCommands } from './enter.ts'
import { inverseOf, isUntouched } from './inverse.ts'
import { asksAlways } from './preference.ts'
import { noteUndoable, type Undoable } from './undoable.ts'

/** Commands that wait for the confirmation of the reader. */
export interface Question {
  readonly signed: readonly CommandEnvelope[]
  /** The project before the commands. */
  readonly before: Project
  answer(isSent: boolean): void
}

/** A command that was sent. */
export interface Sent {
  readonly envelope: CommandEnvelope
  /** The command in words, with the titles at that time. */
  readonly words: string
  /** `no answer`: it is unknown whether the service has entered the command. */
  readonly outcome: 'sending' | 'sent' | 'refused' | 'no answer'
}

/** The question that the reader has not answered yet. */
export const question: Signal<Question | undefined> = signal(undefined)
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

/** How a change is entered. */
interface ChangeOptions {
  /** Whether the change takes another one back. It is not asked about, and cannot be undone itself. */
  readonly isUndo?: boolean
}

/**
 * Enters the commands that `make` returns for the shown project. Resolves to whether they were sent. The page shows an
 * error.
 */
export async function change(
  make: (project: Project) => readonly Command[],
  { isUndo = false }: ChangeOptions = {},
): Promise<boolean> {
  const shown = shownProject.value
  if (shown === undefined || !canWrite()) return false
  refused.value = undefined
  const path = `/api/v1/kbd/projects/${encodeURIComponent(shown.project)}`
  const read = (): Promise<Project> => local<Project>(path)
  let made: Undoable | undefined
  let before = shown
  const noted = (project: Project): readonly Command[] => {
    const commands = make(project)
    before = project
    made = isUndo ? undefined : undoableOf(commands, project)
    return commands
  }
  try {
    const isSent = await enterCommands(
      {
        read,
        sign: (request) => consoleApi<CommandEnvelope>('/sign', { method: 'POST', body: request }),
        show: async (signed) => isUndo || (made !== undefined && !asksAlways.peek()) || ask(signed, before),
        send: (envelope) =>
          sendAndNote(envelope, sentenceOf(envelope.command, before), () =>
            local(`${path}/commands`, { method: 'POST', body: envelope }),
          ),
      },
      // The stream may not have shown yet what is to be taken back.
      isUndo ? await read() : shown,
      noted,
    )
    if (isSent && made !== undefined) noteUndoable(made)
    return isSent
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.value = error
    return false
  }
}

/** What is needed to undo commands; undefined if they have no inverse. */
function undoableOf(commands: readonly Command[], before: Project): Undoable | undefined {
  const [first] = commands
  if (first === undefined) return undefined
  const inverse = inverseOf(commands, { before, nowMs: Date.now(), newId: () => crypto.randomUUID() })
  if (inverse === undefined) return undefined
  return { project: before.project, words: sentenceOf(first, before), commands, inverse }
}

/** The code of a change that is not taken back, because somebody has changed the same since. */
export const CHANGED_SINCE = 'changed_since'

/** Takes a change back by new commands, if the project still has what the change wrote. */
export function undo({ commands, inverse }: Undoable): Promise<boolean> {
  return change(
    (project) => {
      if (isUntouched(commands, project)) return inverse
      throw new ServiceError(
        0,
        CHANGED_SINCE,
        'This has been changed again since. Nothing was undone, so that the later change stays.',
      )
    },
    { isUndo: true },
  )
}

/** Enters commands that do not depend on the project. Otherwise like `change`. */
export function enter(...commands: readonly Command[]): Promise<boolean> {
  return change(() => commands)
}

function ask(signed: readonly CommandEnvelope[], before: Project): Promise<boolean> {
  // A new question replaces one without an answer.
  question.value?.answer(false)
  return new Promise((resolve) => {
    question.value = {
      signed,
      before,
      answer(isSent) {
        question.value = undefined
        resolve(isSent)
      },
    }
  })
}

async function sendAndNote(envelope: CommandEnvelope, words: string, post: () => Promise<unknown>): Promise<unknown> {
  const note = (outcome: Sent['outcome']): void => {
    const others = sent.value.filter((entry) => entry.envelope !== envelope)
    sent.value = [{ envelope, words, outcome }, ...others].slice(0, KEPT)
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
export async function storeText(text: string): Promise<string | null> {
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

/** The command that resolves a conflict with one of its candidates, or with a value of the reader. */
export function resolution(
  { conflictId, register, candidates }: Conflict,
  choose: Extract<Command, { type: 'conflict.resolve' }>['choose'],
): Command {
  const ids = candidates.map((candidate) => candidate.id).sort()
  return { type: 'conflict.resolve', conflictId, register, candidates: ids, choose }
}
