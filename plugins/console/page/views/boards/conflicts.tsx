/** Conflicts: values that were written concurrently. The reader chooses one of them. */
import type { JSX } from 'preact'
import { visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Ago, Badge, Empty } from '../../parts/parts.tsx'
import { canWrite, resolveConflict } from './changes/changes.ts'
import { hrefOf } from './columns/card.tsx'
import { aboutOf, valueWords } from './detail/history.ts'
import { nameOf } from './names.ts'
import type { Conflict, Project } from './state.ts'
import { readText } from './texts.ts'

/** Largest number of conflicts in the list. */
const LISTED = 50
/** Number of characters of a value that are shown. */
const MAX_VALUE = 600

/** Lists the conflicts of the project in a dialog. */
export function ConflictList({
  project,
  onClose,
}: {
  readonly project: Project
  readonly onClose: () => void
}): JSX.Element {
  const all = Object.values(project.conflicts)
  return (
    <Dialog title="Conflicts" onClose={onClose} isWide>
      {all.length === 0 && <Empty title="There is no conflict">No two values contradict each other.</Empty>}
      {all.slice(0, LISTED).map((conflict) => (
        <ConflictBox key={conflict.conflictId} conflict={conflict} project={project} isNamed onLeave={onClose} />
      ))}
      {all.length > LISTED && <p>And {all.length - LISTED} more, which are shown when these are resolved.</p>}
    </Dialog>
  )
}

/** Shows the candidates of a conflict side by side. */
export function ConflictBox({
  conflict,
  project,
  isNamed = false,
  onLeave,
}: {
  readonly conflict: Conflict
  readonly project: Project
  /** Shows the name of the board, column or card. */
  readonly isNamed?: boolean
  readonly onLeave?: () => void
}): JSX.Element {
  const { kind, entity, register, candidates, shown } = conflict
  return (
    <section class="conflict">
      <h3>
        {isNamed && <EntityName entity={entity} project={project} onLeave={onLeave} />}
        <Badge tone="warn">{visible(kind === 'archive_edit' ? 'archived and edited' : aboutOf(register))}</Badge>
      </h3>
      <ul class="candidates">
        {candidates.map((candidate) => (
          <li key={candidate.id} class={candidate.id === shown ? 'candidate-shown' : undefined}>
            <p class="candidate-value">
              {register.endsWith('/bodyHash') && typeof candidate.value === 'string' ? (
                <TextValue hash={candidate.value} />
              ) : (
                visible(valueWords(conflict, candidate.value, project), MAX_VALUE)
              )}
            </p>
            <p class="candidate-who">
              {visible(nameOf(candidate.deviceId))}, <Ago timeMs={candidate.issuedAtMs} />
              {candidate.id === shown && ' · shown now'}
            </p>
            {canWrite() && kind !== 'claim' && (
              <button type="button" class="small" onClick={() => void resolveConflict(conflict, candidate.id)}>
                Keep this one
              </button>
            )}
          </li>
        ))}
      </ul>
      {kind === 'claim' && <p class="conflict-note">The next claim command of the card resolves this conflict.</p>}
    </section>
  )
}

function EntityName({
  entity: { type, id },
  project,
  onLeave,
}: {
  readonly entity: Conflict['entity']
  readonly project: Project
  readonly onLeave: (() => void) | undefined
}): JSX.Element {
  const title =
    type === 'card'
      ? project.cards[id]?.title
      : type === 'column'
        ? project.columns[id]?.title
        : project.boards[id]?.title
  const text = visible(title ?? type, 200)
  if (type !== 'card') return <span class="conflict-name">{text}</span>
  return (
    <a class="conflict-name" href={hrefOf(id)} onClick={onLeave}>
      {text}
    </a>
  )
}

function TextValue({ hash }: { readonly hash: string }): JSX.Element {
  const { data } = useLoad((signal) => readText(hash, signal), { inputs: [hash] })
  return <>{data === undefined ? '…' : visible(data.text ?? 'The text is not on this node.', MAX_VALUE)}</>
}
