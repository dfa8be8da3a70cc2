/** Conflicts: values that were written concurrently. The reader keeps one of them, or gives another value. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { countOf, visible } from '../../../lib/format.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/parts.tsx'
import { canWrite, enter, resolution } from '../changes/changes.ts'
import { hrefOf } from '../columns/card.tsx'
import type { Conflict, Project } from '../state.ts'
import { type Choice, ConflictBox } from './conflict-box.tsx'

/** Largest number of cards, columns and boards in the list. */
const LISTED = 50

/** Lists the conflicts of the project in a dialog, those of a card together. */
export function ConflictList({
  project,
  onClose,
}: {
  readonly project: Project
  readonly onClose: () => void
}): JSX.Element {
  const groups = [...byEntity(project)]
  return (
    <Dialog title="Conflicts" onClose={onClose} isWide>
      {groups.length === 0 && <Empty title="There is no conflict">No two values contradict each other.</Empty>}
      {groups.slice(0, LISTED).map(([key, { entity, conflicts }]) => (
        <section key={key} class="conflict-group">
          <h3>
            <EntityName entity={entity} project={project} onLeave={onClose} />
          </h3>
          <Conflicts of={conflicts} project={project} />
        </section>
      ))}
      {groups.length > LISTED && <p>And {groups.length - LISTED} more, which are shown when these are resolved.</p>}
    </Dialog>
  )
}

/**
 * Shows the conflicts of one card, column or board. One conflict is resolved by its choice; of several each gets its
 * choice, and all are signed together.
 */
export function Conflicts({
  of,
  project,
}: {
  readonly of: readonly Conflict[]
  readonly project: Project
}): JSX.Element | null {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const resolvable = of.filter(({ kind }) => kind !== 'claim')
  // Another device may have resolved a conflict whose choice is still here.
  const chosen = resolvable.filter(({ conflictId }) => choices.has(conflictId))
  const resolve = async (conflicts: readonly Conflict[], by: ReadonlyMap<string, Choice>): Promise<void> => {
    const commands = conflicts.flatMap((conflict) => {
      const choice = by.get(conflict.conflictId)
      return choice === undefined ? [] : [resolution(conflict, choice)]
    })
    if (await enter(...commands)) setChoices(new Map())
  }
  const choose = (conflict: Conflict, choice: Choice): void => {
    const next = new Map(choices).set(conflict.conflictId, choice)
    if (resolvable.length === 1) void resolve([conflict], next)
    else setChoices(next)
  }
  if (of.length === 0) return null
  return (
    <>
      {of.map((conflict) => (
        <ConflictBox
          key={conflict.conflictId}
          conflict={conflict}
          project={project}
          choice={choices.get(conflict.conflictId)}
          onChoose={(choice) => choose(conflict, choice)}
        />
      ))}
      {canWrite() && resolvable.length > 1 && (
        <p class="conflict-all">
          <button
            type="button"
            class="primary small"
            disabled={chosen.length === 0}
            onClick={() => void resolve(chosen, choices)}
          >
            Resolve {chosen.length} of {countOf(resolvable.length, 'conflict')}
          </button>
        </p>
      )}
    </>
  )
}

function EntityName({
  entity: { type, id },
  project,
  onLeave,
}: {
  readonly entity: Conflict['entity']
  readonly project: Project
  readonly onLeave: () => void
}): JSX.Element {
  const entities = type === 'card' ? project.cards : type === 'column' ? project.columns : project.boards
  const text = visible(entities[id]?.title ?? type, 200)
  if (type !== 'card')
    return (
      <span class="conflict-name" dir="auto">
        {text}
      </span>
    )
  return (
    <a class="conflict-name" dir="auto" href={hrefOf(id)} onClick={onLeave}>
      {text}
    </a>
  )
}

type Group = { readonly entity: Conflict['entity']; readonly conflicts: readonly Conflict[] }

function byEntity({ conflicts }: Project): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const conflict of Object.values(conflicts)) {
    const { entity } = conflict
    const key = `${entity.type}/${entity.id}`
    groups.set(key, { entity, conflicts: [...(groups.get(key)?.conflicts ?? []), conflict] })
  }
  return groups
}
