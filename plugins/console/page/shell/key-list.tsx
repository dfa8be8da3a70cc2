/** The list of the keyboard shortcuts of the page and of the present view. */
import type { JSX } from 'preact'
import { bindings } from '../lib/keys.ts'
import { Dialog } from '../parts/dialog.tsx'

/** The shortcuts of every view that do not go to a view. */
const EVERYWHERE: readonly string[] = ['?', '/', 'Control+k']

/** Lists the shortcuts in a dialog. */
export function KeyList({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const all = bindings.value
  const general = all.filter(({ keys }) => keys.startsWith('g ') || EVERYWHERE.includes(keys))
  const ofView = all.filter((binding) => !general.includes(binding))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="key-lists">
        <List title="Everywhere" of={general} />
        {ofView.length > 0 && <List title="In this view" of={ofView} />}
      </div>
    </Dialog>
  )
}

function List({
  title,
  of,
}: {
  readonly title: string
  readonly of: readonly { keys: string; does: string }[]
}): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="key-list">
        {of.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>
                  {key.replace(/^Control\+(.)$/, (_, letter: string) => `Ctrl ${letter.toUpperCase()}`)}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
