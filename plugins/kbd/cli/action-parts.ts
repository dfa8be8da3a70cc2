/** The parts that the actions of boards share. */
import { createHash } from 'node:crypto'
import { rankAtEnd } from '../../protocol/ranks.ts'
import type { Card, Command, Project } from '../api.ts'
import type { Entered } from './api.ts'
import type { BoardClient } from './client.ts'
import { cardsOf, findCard } from './find.ts'

/** The parts of actions. */
export interface ActionParts {
  readonly client: BoardClient
  /** Finds a card of the board that the command line names. */
  readonly cardOf: (now: Project, name: string) => Card
  /** Stores a text, and returns its SHA-256. */
  readonly keep: (text: string) => Promise<string>
  /** The board that the command line names. */
  readonly board: string | undefined
}

/** Makes the parts. */
export function createActionParts(client: BoardClient, board: string | undefined): ActionParts {
  return {
    client,
    cardOf: (now, name) => findCard(now, name, board),
    async keep(text) {
      const hash = createHash('sha256').update(text).digest('hex')
      await client.service.send('PUT', `/api/v1/kbd/content/${hash}`, 'application/octet-stream', text)
      return hash
    },
    board,
  }
}

/**
 * Enters the command that `make` returns for the present project. Returns the target that `make` names as well: that of
 * the last call, because the command is made again if the project has changed.
 */
export async function enterFor<Target>(
  enter: BoardClient['enter'],
  make: (now: Project) => { readonly target: Target; readonly command: Command },
): Promise<{ readonly target: Target; readonly entered: Entered }> {
  const results: { readonly target: Target }[] = []
  const entered = await enter((now) => {
    const { target, command } = make(now)
    results.push({ target })
    return command
  })
  const last = results.pop()
  if (last === undefined) throw new Error('A command was entered that nothing made.')
  return { target: last.target, entered }
}

/** The rank behind the last card of a column. */
export function rankBehind(project: Project, columnId: string): string {
  return rankAtEnd(cardsOf(project, columnId).flatMap(({ place }) => place?.rank ?? []))
}
