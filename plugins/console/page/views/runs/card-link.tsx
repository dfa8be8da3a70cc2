/**
 * The link from a run to its card. An agent that works on a card reports its runs in the thread with the id of the
 * card.
 */
import type { JSX } from 'preact'
import type { CardDetail } from '../../../../kbd/api.ts'
import { visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { at } from '../../lib/router.ts'
import { loadedSession, local, ServiceError } from '../../lib/service.ts'

/** The form of the id of a card. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Most projects in which the card is looked for. */
const MOST_PROJECTS = 20

interface FoundCard {
  readonly project: string
  readonly title: string | null
}

/** Shows the card of a thread; nothing if none of the first 20 projects has a card with the id of the thread. */
export function CardLink({ threadId }: { readonly threadId: string }): JSX.Element | null {
  const { data: card } = useLoad((signal) => findCard(threadId, signal), { inputs: [threadId] })
  if (card === undefined) return null
  const { project, title } = card
  return (
    <>
      {' · '}
      <a href={at(`/boards/${encodeURIComponent(project)}?card=${threadId}`)} dir="auto">
        card {visible(title ?? 'Untitled card', 60)}
      </a>
    </>
  )
}

/** Asks each project for a card. Undefined also where this console has no boards. */
async function findCard(cardId: string, signal: AbortSignal): Promise<FoundCard | undefined> {
  if (!UUID.test(cardId) || !loadedSession().views.includes('boards')) return undefined
  const { projects } = await local<{ readonly projects: readonly { readonly project: string }[] }>(
    '/api/v1/kbd/projects',
    { signal },
  )
  for (const { project } of projects.slice(0, MOST_PROJECTS)) {
    const path = `/api/v1/kbd/projects/${encodeURIComponent(project)}/cards/${cardId}`
    const card = await local<CardDetail>(path, { signal }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return undefined
      throw error
    })
    if (card !== undefined) return { project, title: card.title }
  }
  return undefined
}
