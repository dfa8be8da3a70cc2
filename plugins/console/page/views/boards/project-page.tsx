/** One project: its boards, its search, and the open card. */
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { countOf, visible } from '../../lib/format.ts'
import { useGradually } from '../../lib/gradually.ts'
import type { Reading } from '../../lib/reading.ts'
import { at, go, path, query, setQuery } from '../../lib/router.ts'
import { loadedSession } from '../../lib/service.ts'
import { useStreamReading } from '../../lib/stream-reading.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Empty, Head, Refusal } from '../../parts/parts.tsx'
import { Archive, Unplaced } from './archive.tsx'
import { archivedCount } from './archived.ts'
import { arrange, boardsOf, conflictsByCard } from './arrange.ts'
import { CardFilters, filterOfAddress } from './card-filters.tsx'
import { type CardFilter, isNarrow, testOf } from './card-tests.ts'
import { canWrite, pending, refused } from './changes/changes.ts'
import { Confirm, SentStrip } from './changes/confirm.tsx'
import { NewBoard, NewCard } from './changes/forms.tsx'
import { UndoBar } from './changes/undo-bar.tsx'
import { BoardKeys } from './columns/board-keys.tsx'
import { LaneBox } from './columns/lane.tsx'
import { ConflictList } from './conflicts/conflicts.tsx'
import { Detail } from './detail/detail.tsx'
import { streamState, useProject } from './follow.ts'
import { SearchField, useSearchResults } from './search.tsx'
import { newConflicts, shownProject } from './shown-project.ts'
import type { Board, Project } from './state.ts'
import { Summary } from './summary.tsx'

/** The dialog that is open over the board. */
export type Overlay = 'card' | 'board' | 'conflicts' | 'unplaced' | 'archive'

/** Follows a project and shows it. */
export function ProjectPage({
  name,
  others,
}: {
  readonly name: string
  readonly others: readonly string[]
}): JSX.Element {
  useProject(name)
  const project = shownProject.value
  const [state, reason] = streamState.value
  const isShown = project?.project === name
  const reading = useStreamReading({
    data: project,
    state: state === 'open' && !isShown ? 'connecting' : state,
    reason,
    missing: 'There is no such project on this node.',
  })
  if (project?.project !== name)
    return (
      <>
        <Head title="Boards" about={visible(name)} />
        <Datum of={reading} name={`project ${visible(name, 60)}`} />
      </>
    )
  if (path.value[2] === 'summary') return <Summary project={project} reading={reading} />
  return <Shown project={project} others={others} reading={reading} />
}

function Shown({
  project,
  others,
  reading,
}: {
  readonly project: Project
  readonly others: readonly string[]
  readonly reading: Reading<Project | undefined>
}): JSX.Element {
  const [overlay, setOverlay] = useState<Overlay | undefined>(undefined)
  const filter = filterOfAddress()
  const close = (): void => setOverlay(undefined)
  const boards = boardsOf(project)
  const open = query.value.get('card') ?? undefined
  const wantedBoardId =
    query.value.get('board') ?? (open === undefined ? undefined : project.cards[open]?.place?.boardId)
  const board = boards.find(({ boardId }) => boardId === wantedBoardId) ?? boards[0]
  const results = useSearchResults(project, filter.q)
  return (
    <div class={`boards${open === undefined ? '' : ' boards-with-detail'}`}>
      <div class="boards-main">
        <BoardHead project={project} others={others} boards={boards} board={board} onOpen={setOverlay} />
        {refused.value !== undefined && <RefusedBar />}
        {newConflicts.value.length > 0 && <NewConflictsBar onOpen={() => setOverlay('conflicts')} />}
        <Datum of={reading} name={`project ${visible(project.project, 60)}`} />
        <div class="boards-tools">
          <SearchField
            text={filter.q}
            onText={(text) => setQuery('q', text === '' ? undefined : text)}
            results={results}
          />
          {board !== undefined && <CardFilters project={project} boardId={board.boardId} filter={filter} />}
          <span class="boards-count">{board !== undefined && countsOf(project, board)}</span>
        </div>
        {board === undefined ? (
          <NoBoard project={project} onNew={() => setOverlay('board')} />
        ) : (
          <Lanes
            key={board.boardId}
            project={project}
            board={board}
            filter={filter}
            hitCardIds={results.cards}
            onNew={() => setOverlay('card')}
          />
        )}
        <SentStrip />
      </div>
      {open !== undefined && (
        <Detail key={open} project={project} cardId={open} onClose={() => setQuery('card', undefined)} />
      )}
      {overlay === 'board' && <NewBoard onClose={close} />}
      {overlay === 'card' && board !== undefined && <NewCard project={project} board={board} onClose={close} />}
      {overlay === 'conflicts' && <ConflictList project={project} onClose={close} />}
      {overlay === 'unplaced' && <Unplaced project={project} onClose={close} />}
      {overlay === 'archive' && <Archive project={project} onClose={close} />}
      <Confirm />
      <UndoBar project={project.project} />
    </div>
  )
}

function countsOf(project: Project, { boardId }: Board): string {
  const cardsOnBoard = Object.values(project.cards).filter(
    ({ place, archived }) => place?.boardId === boardId && archived !== true,
  )
  return countOf(cardsOnBoard.length, 'card')
}

function BoardHead({
  project,
  others,
  boards,
  board,
  onOpen,
}: {
  readonly project: Project
  readonly others: readonly string[]
  readonly boards: readonly Board[]
  readonly board: Board | undefined
  readonly onOpen: (overlay: Overlay) => void
}): JSX.Element {
  const conflicts = Object.keys(project.conflicts).length
  const names = others.includes(project.project) ? others : [project.project, ...others]
  return (
    <Head
      title={board === undefined ? 'Boards' : visible(board.title ?? 'Untitled board')}
      about={
        <>
          <a href={at(`/boards/${encodeURIComponent(project.project)}/summary`)}>{visible(project.project)}</a> ·{' '}
          {countOf(project.revision, 'command')}
          {!canWrite() && ' · read-only: svc console --write --key <file>'}
        </>
      }
    >
      {conflicts > 0 && (
        <button type="button" class="conflicts-button" onClick={() => onOpen('conflicts')}>
          {countOf(conflicts, 'conflict')}
        </button>
      )}
      {project.unplaced.length > 0 && (
        <button type="button" onClick={() => onOpen('unplaced')}>
          {project.unplaced.length} unplaced
        </button>
      )}
      {archivedCount(project) > 0 && (
        <button type="button" onClick={() => onOpen('archive')}>
          Archive
        </button>
      )}
      {names.length > 1 && (
        <select
          aria-label="Project"
          value={project.project}
          onChange={({ currentTarget }) => go(`/boards/${encodeURIComponent(currentTarget.value)}`)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {boards.length > 1 && (
        <select
          aria-label="Board"
          value={board?.boardId}
          onChange={({ currentTarget }) =>
            go(`/boards/${encodeURIComponent(project.project)}?board=${encodeURIComponent(currentTarget.value)}`)
          }
        >
          {boards.map(({ boardId, title }) => (
            <option key={boardId} value={boardId}>
              {visible(title ?? 'Untitled board', 60)}
            </option>
          ))}
        </select>
      )}
      {canWrite() && (
        <>
          <button type="button" onClick={() => onOpen('board')}>
            New board
          </button>
          {board !== undefined && (
            <button type="button" class="primary" onClick={() => onOpen('card')}>
              New card
            </button>
          )}
        </>
      )}
    </Head>
  )
}

function Lanes({
  project,
  board,
  filter,
  hitCardIds,
  onNew,
}: {
  readonly project: Project
  readonly board: Board
  readonly filter: CardFilter
  readonly hitCardIds: ReadonlySet<string>
  readonly onNew: () => void
}): JSX.Element {
  const moving = pending.value
  const conflicted = useMemo(() => conflictsByCard(project), [project.conflicts])
  // Only the holders change with time.
  const nowMs = filter.holder === '' ? 0 : now.value
  const lanes = useMemo(
    () =>
      arrange(project, board.boardId, {
        isShown: testOf(filter, { project, hitCardIds, conflicted, nowMs }),
        pending: moving,
      }),
    [project, board.boardId, ...Object.values(filter), hitCardIds, conflicted, nowMs, moving],
  )
  const latest = useRef(lanes)
  latest.current = lanes
  const drawn = useGradually(lanes.length)
  return (
    <>
      <BoardKeys project={project} lanes={lanes} onNew={onNew} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
      <section class="lanes" aria-label="Columns" tabIndex={0}>
        {lanes.slice(0, drawn).map((lane) => (
          <LaneBox
            key={lane.column.columnId}
            lane={lane}
            claims={project.claims}
            conflicted={conflicted}
            lanesOf={() => latest.current}
            isFiltered={isNarrow(filter)}
          />
        ))}
        {lanes.length === 0 && <p class="boards-wait">This board has no columns.</p>}
      </section>
    </>
  )
}

function NoBoard({ project, onNew }: { readonly project: Project; readonly onNew: () => void }): JSX.Element {
  return (
    <Empty
      title="There is no board yet"
      command={`svc board add --board "Release 1" --columns "To do,Doing,Done" --project ${project.project} --key me.key`}
    >
      {canWrite() ? (
        <button type="button" class="primary" onClick={onNew}>
          Add a board
        </button>
      ) : loadedSession().isWritable ? (
        'This console has no key to sign with: svc console --write --key me.key'
      ) : (
        'This console only reads: svc console --write --key me.key'
      )}
    </Empty>
  )
}

function RefusedBar(): JSX.Element {
  return (
    <div class="boards-bar">
      {refused.value !== undefined && <Refusal error={refused.value} />}
      <button
        type="button"
        class="quiet small"
        onClick={() => {
          refused.value = undefined
        }}
      >
        Close
      </button>
    </div>
  )
}

function NewConflictsBar({ onOpen }: { readonly onOpen: () => void }): JSX.Element {
  const look = (): void => {
    newConflicts.value = []
  }
  return (
    <div class="boards-news" role="status">
      <Badge tone="warn">{countOf(newConflicts.value.length, 'new conflict')}</Badge>
      <span>Another device changed the same value at the same time.</span>
      <button
        type="button"
        class="small"
        onClick={() => {
          look()
          onOpen()
        }}
      >
        Look
      </button>
      <button type="button" class="quiet small" onClick={look}>
        Later
      </button>
    </div>
  )
}
