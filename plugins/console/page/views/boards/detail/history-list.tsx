/** The history of a card: its commands and their signers. The page verifies the signatures. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { verifyCommand } from '../../../../../protocol/sign/verify.ts'
import { countOf, visible } from '../../../lib/format.ts'
import type { Reading } from '../../../lib/reading.ts'
import { at } from '../../../lib/router.ts'
import { loadedSession, local, ServiceError } from '../../../lib/service.ts'
import { Datum } from '../../../parts/datum.tsx'
import { Ago, Badge } from '../../../parts/parts.tsx'
import { CommandText } from '../changes/confirm.tsx'
import { nameOf } from '../names.ts'
import type { ListedCommand, Place, Project } from '../state.ts'
import { wordsOf } from '../words.ts'
import { addTouching, createTouching, placesBefore } from './history.ts'

/**
 * Number of commands per page. All commands of the project are read, because the service has no list of the commands of
 * a card.
 */
const PAGE = 1_000
/** Number of commands that are shown before the reader asks for older commands. */
const SHOWN = 30

interface Walk {
  readonly commands: readonly ListedCommand[]
  readonly read: number
  readonly isDone: boolean
}

const NOTHING: Reading<Walk> = { data: undefined, error: undefined, atMs: undefined }

/** Shows the commands that change the card, the newest first. */
export function HistoryList({
  project,
  cardId,
  revision,
}: {
  readonly project: Project
  readonly cardId: string
  readonly revision: number
}): JSX.Element {
  const walk = useWalk(project.project, cardId, revision)
  const [isWhole, setWhole] = useState(false)
  return (
    <section class="detail-section">
      <h3>History</h3>
      <Datum of={walk} name="the history of this card">
        {({ commands, read, isDone }) => {
          const before = placesBefore(cardId, commands)
          const newest = commands.toReversed()
          const shown = isWhole ? newest : newest.slice(0, SHOWN)
          return (
            <>
              {!isDone && <p class="nothing">{countOf(read, 'command')} read…</p>}
              <ol class="history">
                {shown.map((listed) => (
                  <Entry key={listed.id} listed={listed} project={project} from={before.get(listed.id)} />
                ))}
              </ol>
              {shown.length < newest.length && (
                <button type="button" class="quiet small" onClick={() => setWhole(true)}>
                  Show {countOf(newest.length - shown.length, 'older command')}
                </button>
              )}
            </>
          )
        }}
      </Datum>
    </section>
  )
}

function Entry({
  listed,
  project,
  from,
}: {
  readonly listed: ListedCommand
  readonly project: Project
  readonly from: Place | null | undefined
}): JSX.Element {
  const { envelope } = listed
  const verdict = useVerdict(listed, project.project)
  return (
    <li>
      <details>
        <summary>
          <span class="history-words" dir="auto">
            {visible(wordsOf(envelope.command, project, from))}
          </span>
          <span class="history-who">
            <span dir="auto">{visible(nameOf(envelope.signerKeyId))}</span> · <Ago timeMs={envelope.issuedAtMs} />
          </span>
          {listed.fromFuture === true && (
            <Badge tone="warn" title="Its time was ahead of the clock of this service when the service took it.">
              from the future
            </Badge>
          )}
          {verdict !== undefined && (
            <Badge
              tone={verdict ? 'ok' : 'bad'}
              title={
                verdict
                  ? `This page verified the signature of ${envelope.signerKeyId}.`
                  : 'The signature or the id does not match this command.'
              }
            >
              {verdict ? 'verified' : 'not verified'}
            </Badge>
          )}
        </summary>
        <p class="history-id">
          <code>{listed.id}</code>{' '}
          {loadedSession().views.includes('audit') && (
            <a href={at(`/audit?search=${listed.id}`)}>Its entry in the audit</a>
          )}
        </p>
        <CommandText envelope={envelope} isOpen />
      </details>
    </li>
  )
}

/** Reads the commands page by page, and at each new revision the new commands. */
function useWalk(project: string, cardId: string, revision: number): Reading<Walk> {
  const [walk, setWalk] = useState(NOTHING)
  const state = useRef({
    commands: [] as readonly ListedCommand[],
    read: 0,
    after: undefined as string | undefined,
    touches: createTouching(cardId),
  })
  useEffect(() => {
    const stop = new AbortController()
    const run = async (): Promise<void> => {
      const at = state.current
      const path = `/api/v1/kbd/projects/${encodeURIComponent(project)}/commands?limit=${PAGE}`
      for (;;) {
        const { commands: page } = await local<{ commands: readonly ListedCommand[] }>(
          at.after === undefined ? path : `${path}&after=${at.after}`,
          { signal: stop.signal },
        )
        if (stop.signal.aborted) return
        at.commands = addTouching(at.commands, page, at.touches)
        at.read += page.length
        at.after = page.at(-1)?.id ?? at.after
        const isDone = page.length < PAGE
        setWalk({ data: { commands: at.commands, read: at.read, isDone }, error: undefined, atMs: Date.now() })
        if (isDone) return
      }
    }
    run().catch((error: unknown) => {
      if (stop.signal.aborted) return
      if (!(error instanceof ServiceError)) throw error
      setWalk((before) => ({ ...before, error }))
    })
    return () => stop.abort()
  }, [project, cardId, revision])
  return walk
}

const verdicts = new WeakMap<ListedCommand, boolean>()
/** Signatures are verified one after another, each in a new task, so that no frame is delayed by many of them. */
let queue: Promise<unknown> = Promise.resolve()

function useVerdict(listed: ListedCommand, project: string): boolean | undefined {
  const [verdict, setVerdict] = useState(verdicts.get(listed))
  useEffect(() => {
    if (verdicts.has(listed)) return setVerdict(verdicts.get(listed))
    let isShown = true
    queue = queue.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 0))
      if (!isShown) return
      const isTrue = verifyCommand(listed.envelope, { id: listed.id, project })
      verdicts.set(listed, isTrue)
      setVerdict(isTrue)
    })
    return () => {
      isShown = false
    }
  }, [listed, project])
  return verdict
}
