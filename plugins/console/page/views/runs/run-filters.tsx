/** The filters of the list of runs. They are in the address. */
import type { JSX } from 'preact'
import { visible } from '../../lib/format.ts'
import { choiceOf } from '../../lib/router.ts'
import { type Run, type RunFilter, STATUS_TONES, valuesOf } from './run-record.ts'

/** The filter of the address. */
export function filterOfAddress(): RunFilter {
  return {
    search: choiceOf('q')[0],
    status: choiceOf('status')[0],
    agent: choiceOf('agent')[0],
    thread: choiceOf('thread')[0],
  }
}

/** Shows the filters. A choice of agent or thread is offered where the runs have several. */
export function RunFilters({ runs }: { readonly runs: readonly Run[] }): JSX.Element {
  const [search, setSearch] = choiceOf('q')
  return (
    <>
      <input
        type="search"
        placeholder="Search by id"
        aria-label="Search runs by id"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <Choice label="Status" name="status" of={Object.keys(STATUS_TONES)} />
      <Choice label="Agent" name="agent" of={valuesOf(runs, 'agent')} />
      <Choice label="Thread" name="thread" of={valuesOf(runs, 'thread_id')} />
    </>
  )
}

function Choice({
  label,
  name,
  of,
}: {
  readonly label: string
  readonly name: string
  readonly of: readonly string[]
}): JSX.Element | null {
  const [value, choose] = choiceOf(name)
  if (of.length === 0 && value === '') return null
  const options = value === '' || of.includes(value) ? of : [value, ...of]
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{`${label}: all`}</option>
      {options.slice(0, 200).map((option) => (
        <option key={option} value={option}>
          {visible(option, 60)}
        </option>
      ))}
    </select>
  )
}
