/** The filters above the board: label, assignee, holder and conflict. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../../lib/format.ts'
import { choiceOf, query, setQuery } from '../../lib/router.ts'
import { now } from '../../lib/while-visible.ts'
import { type CardFilter, choicesOf, isNarrow, NAMES } from './card-tests.ts'
import { nameOf } from './names.ts'
import type { Project } from './state.ts'

/** Time after which the list of holders is read again, in milliseconds. */
const HOLDERS_MS = 10_000
/** Largest number of values in a list. */
const LISTED = 200

/** Shows the filters for which the board has values. */
export function CardFilters({
  project,
  boardId,
  filter,
}: {
  readonly project: Project
  readonly boardId: string
  readonly filter: CardFilter
}): JSX.Element {
  const slowNowMs = Math.floor(now.value / HOLDERS_MS) * HOLDERS_MS
  const { labels, assignees, holders } = useMemo(
    () => choicesOf(project, boardId, slowNowMs),
    [project.cards, project.claims, boardId, slowNowMs],
  )
  const hasConflicts = Object.keys(project.conflicts).length > 0
  return (
    <>
      <Choice name="label" title="Filter by label" all="All labels" of={labels} value={filter.label} />
      <Choice name="assignee" title="Filter by assignee" all="All assignees" of={assignees} value={filter.assignee} />
      <Choice
        name="holder"
        title="Filter by holder"
        all="Held or free"
        of={holders.length === 0 ? [] : ['any', ...holders]}
        value={filter.holder}
        textOf={(holder) => (holder === 'any' ? 'Held by anyone' : nameOf(holder))}
      />
      {(hasConflicts || filter.conflict !== '') && (
        <button
          type="button"
          class="small"
          aria-pressed={filter.conflict !== ''}
          onClick={() => setQuery('conflict', filter.conflict === '' ? 'yes' : undefined)}
        >
          In conflict
        </button>
      )}
      {isNarrow(filter) && (
        <button type="button" class="quiet small" onClick={clearFilter}>
          Clear
        </button>
      )}
    </>
  )
}

function Choice({
  name,
  title,
  all,
  of,
  value,
  textOf = (option) => option,
}: {
  readonly name: keyof CardFilter
  readonly title: string
  readonly all: string
  readonly of: readonly string[]
  readonly value: string
  readonly textOf?: (option: string) => string
}): JSX.Element | null {
  if (of.length === 0 && value === '') return null
  const options = value === '' || of.includes(value) ? of : [value, ...of]
  return (
    <select
      aria-label={title}
      value={value}
      onChange={({ currentTarget }) => setQuery(name, currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.slice(0, LISTED).map((option) => (
        <option key={option} value={option}>
          {visible(textOf(option), 60)}
        </option>
      ))}
    </select>
  )
}

/** The filter of the present address. */
export function filterOfAddress(): CardFilter {
  const of = (name: keyof CardFilter): string => choiceOf(name)[0]
  return { q: of('q'), label: of('label'), assignee: of('assignee'), holder: of('holder'), conflict: of('conflict') }
}

/** Removes all restrictions from the address. */
function clearFilter(): void {
  for (const name of NAMES) if (query.peek().has(name)) setQuery(name, undefined)
}
