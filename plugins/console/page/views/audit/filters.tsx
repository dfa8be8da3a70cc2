/** The filters above the list. */

import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../../lib/format.ts'
import { choiceOf } from '../../lib/router.ts'
import { Tabs } from '../../parts/parts.tsx'
import { nameOf } from '../boards/names.ts'
import type { AuditEntry } from './chain.ts'
import { type Filter, isNarrow, KINDS, NO_FILTER, valuesOf } from './filter.ts'

/** Shows the filters: search, kind, project, actor and outcome. */
export function Filters({
  value,
  onChange,
  entries,
}: {
  readonly value: Filter
  readonly onChange: (filter: Filter) => void
  readonly entries: readonly AuditEntry[]
}): JSX.Element {
  const projects = useMemo(() => valuesOf(entries, 'project'), [entries])
  const actors = useMemo(() => valuesOf(entries, 'actor'), [entries])
  const set = (name: keyof Filter) => (text: string) => onChange({ ...value, [name]: text })
  return (
    <div class="audit-filters">
      <input
        type="search"
        aria-label="Search the entries"
        placeholder="Search"
        value={value.search}
        onInput={(event) => set('search')(event.currentTarget.value)}
      />
      <Choice label="Kind" all="All kinds" of={KINDS} value={value.kind} onChoose={set('kind')} />
      <Choice label="Project" all="All projects" of={projects} value={value.project} onChoose={set('project')} />
      <Choice label="Actor" all="All actors" of={actors} value={value.actor} onChoose={set('actor')} />
      <Tabs
        label="Outcome"
        of={[
          ['', 'Any'],
          ['ok', 'ok'],
          ['refused', 'Refused'],
        ]}
        value={value.outcome}
        onChoose={set('outcome')}
      />
      {isNarrow(value) && (
        <button type="button" class="quiet" onClick={() => onChange(NO_FILTER)}>
          Clear
        </button>
      )}
    </div>
  )
}

function Choice({
  label,
  all,
  of,
  value,
  onChoose,
}: {
  readonly label: string
  readonly all: string
  readonly of: readonly string[]
  readonly value: string
  readonly onChoose: (value: string) => void
}): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{all}</option>
      {of.map((option) => (
        <option key={option} value={option}>
          {visible(option.startsWith('ed25519:') ? nameOf(option) : option, 40)}
        </option>
      ))}
    </select>
  )
}

const NAMES = Object.keys(NO_FILTER) as readonly (keyof Filter)[]

/** The filter of the present address. */
export function filterOfAddress(): Filter {
  const filter: Record<keyof Filter, string> = { ...NO_FILTER }
  for (const name of NAMES) filter[name] = choiceOf(name)[0]
  return filter
}

/** Writes a filter to the address. */
export function setFilterInAddress(filter: Filter): void {
  for (const name of NAMES) choiceOf(name)[1](filter[name])
}
