/** One project in numbers: its boards, what is held and in conflict, and its last change. */
import type { JSX } from 'preact'
import { count, countOf, visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Reading } from '../../lib/reading.ts'
import { at } from '../../lib/router.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Fact, Head, Panel } from '../../parts/parts.tsx'
import { archivedCount } from './archived.ts'
import { boardsOf, columnsOf, conflictsByCard, heldClaim } from './arrange.ts'
import { type CommandList, readCommands } from './command-list.ts'
import { nameOf } from './names.ts'
import type { Board, ListedCommand, Project } from './state.ts'
import { sentenceOf } from './words.ts'

/** Largest number of cards in conflict that are listed. */
const LISTED = 50

/** Shows the summary of a project. */
export function Summary({
  project,
  reading,
}: {
  readonly project: Project
  readonly reading: Reading<Project | undefined>
}): JSX.Element {
  const cards = Object.values(project.cards).filter(({ archived }) => archived !== true)
  const held = cards.filter((card) => heldClaim(project, card, now.value) !== undefined).length
  const conflicted = [...conflictsByCard(project)]
  const conflicts = Object.keys(project.conflicts).length
  const base = at(`/boards/${encodeURIComponent(project.project)}`)
  return (
    <>
      <Head title={visible(project.project)} about={<a href={base}>Show its boards</a>} />
      <Datum of={reading} name={`project ${visible(project.project, 60)}`} />
      <Panel title="Now">
        <dl class="facts">
          <Fact name="Cards">{count(cards.length)}</Fact>
          <Fact name="Held">{count(held)}</Fact>
          <Fact name="Conflicts">{conflicts === 0 ? 'none' : count(conflicts)}</Fact>
          <Fact name="Without a place">{count(project.unplaced.length)}</Fact>
          <Fact name="Archived">{count(archivedCount(project))}</Fact>
          <Fact name="Commands">{count(project.revision)}</Fact>
          <Fact name="Last change">
            <LastChange project={project} />
          </Fact>
        </dl>
      </Panel>
      {conflicted.length > 0 && (
        <Panel title="Cards in conflict">
          <ul class="card-links">
            {conflicted.slice(0, LISTED).map(([cardId, of]) => (
              <li key={cardId}>
                <a href={`${base}?card=${cardId}`} dir="auto">
                  {visible(project.cards[cardId]?.title ?? 'Untitled card', 200)}
                </a>
                <span class="nothing">{countOf(of.length, 'conflict')}</span>
              </li>
            ))}
          </ul>
          {conflicted.length > LISTED && <p>And {countOf(conflicted.length - LISTED, 'more card')}.</p>}
        </Panel>
      )}
      {boardsOf(project).map((board) => (
        <BoardNumbers key={board.boardId} project={project} board={board} base={base} />
      ))}
    </>
  )
}

function BoardNumbers({
  project,
  board: { boardId, title },
  base,
}: {
  readonly project: Project
  readonly board: Board
  readonly base: string
}): JSX.Element {
  const numbers = new Map<string, number>()
  for (const { place, archived } of Object.values(project.cards))
    if (archived !== true && place !== null) numbers.set(place.columnId, (numbers.get(place.columnId) ?? 0) + 1)
  return (
    <Panel
      title={
        <a href={`${base}?board=${encodeURIComponent(boardId)}`} dir="auto">
          {visible(title ?? 'Untitled board', 200)}
        </a>
      }
    >
      <dl class="facts">
        {columnsOf(project, boardId).map((column) => (
          <Fact key={column.columnId} name={visible(column.title ?? 'Untitled column', 60)}>
            {countOf(numbers.get(column.columnId) ?? 0, 'card')}
            {column.wipLimit !== null && `, at most ${column.wipLimit}`}
          </Fact>
        ))}
      </dl>
    </Panel>
  )
}

/** The command that this node has taken last. */
function LastChange({ project }: { readonly project: Project }): JSX.Element {
  const read = useLoad((signal) => readCommands(project.project, signal), {
    inputs: [project.project],
    changes: [project.revision],
  })
  return (
    <Datum of={read} name="the last change">
      {({ byId, isWhole }: CommandList) => {
        const last: ListedCommand | undefined = [...byId.values()].at(-1)
        if (last === undefined) return 'none'
        if (!isWhole) return `not known: the project has more than ${count(byId.size)} commands`
        const { command, signerKeyId, issuedAtMs } = last.envelope
        return (
          <>
            <span dir="auto">{visible(sentenceOf(command, project))}</span>
            <br />
            <span class="nothing">
              <span dir="auto">{visible(nameOf(signerKeyId))}</span> · <Ago timeMs={issuedAtMs} />
            </span>
          </>
        )
      }}
    </Datum>
  )
}
