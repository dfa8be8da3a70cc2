/** The page: the sizes, the conflicts, and the list of the features. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useKeys } from '../../../../plugins/console/page/lib/keys.ts'
import { Dialog } from '../../../../plugins/console/page/parts/dialog.tsx'
import { Badge, Head, Panel, Refusal } from '../../../../plugins/console/page/parts/parts.tsx'
import { KeyList } from '../../../../plugins/console/page/shell/key-list.tsx'
import { matchingRows } from '../model/cycle.ts'
import type { RowView, View } from '../model/view.ts'
import { placeWords, sizeWords } from '../model/words.ts'
import type { PageState } from './api.ts'
import { Feature } from './feature.tsx'
import { busy, change, plan, planSave, refusal, save, state } from './state.ts'

/** The whole page. */
export function App(): JSX.Element {
  const loaded = state.value
  return (
    <main id="view" tabIndex={-1}>
      {refusal.value !== undefined && <Refusal error={refusal.value} />}
      {loaded === undefined ? <p class="starting">Loading…</p> : <Configure loaded={loaded} />}
    </main>
  )
}

function Configure({ loaded }: { readonly loaded: PageState }): JSX.Element {
  const { view, file, isChanged, isNew } = loaded
  const [search, setSearch] = useState('')
  const [showsKeys, setShowsKeys] = useState(false)
  const measure = (): void => void change({ do: 'measure' }, 'Bundling the choice, to measure it…')
  useKeys([
    { keys: '?', does: 'List the keyboard shortcuts', run: () => setShowsKeys(true) },
    { keys: '/', does: 'Search', run: () => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus() },
    { keys: 'j', does: 'Next feature', run: () => step(1) },
    { keys: 'k', does: 'Previous feature', run: () => step(-1) },
    { keys: 'u', does: 'Undo', run: () => void change({ do: 'undo' }) },
    { keys: 'm', does: 'Measure', run: measure },
    { keys: 's', does: 'Save', run: () => void planSave() },
  ])
  const rows = matchingRows(view.rows, search)
  return (
    <>
      <Head
        title={`Configure ${view.profile}`}
        about={`${file}${isNew ? ', a new file' : ''}${isChanged ? ' · not saved' : ''}`}
      >
        <button type="button" onClick={() => void change({ do: 'undo' })}>
          Undo
        </button>
        <button type="button" onClick={measure} disabled={busy.value !== undefined}>
          Measure
        </button>
        <button type="button" class="primary" onClick={() => void planSave()} disabled={busy.value !== undefined}>
          Save…
        </button>
        <button type="button" class="quiet" onClick={() => setShowsKeys(true)}>
          Keys
        </button>
      </Head>
      <Sizes view={view} />
      <p class="told" role="status">
        {busy.value ?? told(loaded)}
      </p>
      <Conflicts view={view} />
      <Panel
        title={`Features, ${rows.filter(({ where }) => where !== null).length} of ${rows.length} on`}
        aside={
          <input
            type="search"
            aria-label="Search features"
            placeholder="Search"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        }
      >
        <Families rows={rows} view={view} />
      </Panel>
      {showsKeys && <KeyList onClose={() => setShowsKeys(false)} />}
      {plan.value !== undefined && <SaveDialog file={file} />}
    </>
  )
}

/** Moves the focus to the next or the previous feature. */
function step(by: number): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')]
  const item = document.activeElement?.closest('.feature')
  const index = boxes.findIndex((box) => item?.contains(box) === true)
  boxes[index < 0 ? 0 : Math.min(boxes.length - 1, Math.max(0, index + by))]?.focus()
}

/** What the last change did, with the new sizes and the number of conflicts, for the live region. */
function told({ told: lines, view: { targets, verdict } }: PageState): string {
  if (lines.length === 0) return ''
  const sizes = targets.map(({ place, size }) => `${placeWords[place]} ${sizeWords(size)}`)
  const count = verdict.conflicts.length
  return [...lines, ...sizes, count === 0 ? 'no conflicts' : `${count} ${count === 1 ? 'conflict' : 'conflicts'}`].join(
    '. ',
  )
}

function Sizes({ view: { targets } }: { readonly view: View }): JSX.Element {
  return (
    <Panel title="Size">
      <dl class="sizes">
        {targets.map(({ place, file, platform, count, size }) => (
          <div key={place} class="size">
            <dt>
              {placeWords[place]}, {file}, platform {platform}, {count} features
            </dt>
            <dd>
              <strong>{sizeWords(size)}</strong>{' '}
              {size.bytes !== undefined && (
                <Badge tone={size.isMeasured ? 'ok' : 'plain'}>{size.isMeasured ? 'measured' : 'estimate'}</Badge>
              )}
              <span class="from">
                {size.from}
                {size.unmeasured.length > 0 && `; not measured yet: ${size.unmeasured.join(', ')}`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Conflicts({ view: { verdict } }: { readonly view: View }): JSX.Element | null {
  if (verdict.conflicts.length === 0) return null
  return (
    <Panel title="Conflicts: a build refuses this choice">
      <ul class="conflicts">
        {verdict.conflicts.map(({ code, message, hint }) => (
          <li key={message} class="refusal">
            <strong>{message}</strong>
            <span class="refusal-code">{code}</span>
            {hint !== undefined && <span class="refusal-hint">{hint}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The features by family: the first part of their id. */
function Families({ rows, view }: { readonly rows: readonly RowView[]; readonly view: View }): JSX.Element {
  const families = new Map<string, RowView[]>()
  for (const row of rows) {
    const family = row.id.split('.')[0]!
    families.set(family, [...(families.get(family) ?? []), row])
  }
  if (rows.length === 0) return <p>No feature has these words in its name or summary.</p>
  return (
    <>
      {[...families].map(([family, of]) => (
        <section key={family} class="family" aria-labelledby={`family-${family}`}>
          <h3 id={`family-${family}`}>{family}</h3>
          <ul>
            {of.map((row) => (
              <Feature key={row.id} row={row} hasProgram={view.targets.length > 1} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function SaveDialog({ file }: { readonly file: string }): JSX.Element {
  const { lines, notes, canBeWritten } = plan.value!
  const close = (): void => void (plan.value = undefined)
  return (
    <Dialog title={`Save ${file}`} onClose={close} isWide>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {lines.length === 0 ? (
        <p>The file is as you want it already.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long difference scrolls, and keys must reach it.
        <section class="diff" aria-label="Difference" tabIndex={0}>
          {lines.map((line, index) => (
            <code key={index} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
              {`${line}\n`}
            </code>
          ))}
        </section>
      )}
      <footer>
        <button type="button" onClick={close}>
          {canBeWritten ? 'Do not save' : 'Close'}
        </button>
        {canBeWritten && (
          <button type="button" class="primary" onClick={() => void save()}>
            Write the file
          </button>
        )}
      </footer>
    </Dialog>
  )
}
