/** Says what was sent, and undoes it, as long as it can be undone. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { useKeys } from '../../../lib/keys.ts'
import { CHANGED_SINCE, refused, undo } from './changes.ts'
import { dropUndoable, noteUndoable, type TimedUndoable, undoables } from './undoable.ts'

/** Time between two updates of the seconds left, in milliseconds. */
const TICK_MS = 250

/** Shows the newest change of the project that can be undone. */
export function UndoBar({ project }: { readonly project: string }): JSX.Element {
  const newest = undoables.value.findLast((change) => change.project === project)
  const take = (change: TimedUndoable): void => {
    dropUndoable(change)
    void undo(change).then((isDone) => {
      // What the service did not answer can be tried again.
      if (!isDone && refused.peek()?.code !== CHANGED_SINCE) noteUndoable(change)
    })
  }
  return (
    // The region stays, because screen readers only announce changes of a region that they have seen before.
    <div class={`undo${newest === undefined ? '' : ' undo-shown'}`} role="status">
      {newest !== undefined && (
        <>
          <UndoKey onUndo={() => take(newest)} />
          <span class="undo-words">
            Signed and sent: <span dir="auto">{visible(newest.words)}</span>
          </span>
          <button type="button" class="small" aria-keyshortcuts="Control+Z" onClick={() => take(newest)}>
            Undo <kbd>Ctrl Z</kbd>
          </button>
          <SecondsLeft untilMs={newest.untilMs} />
        </>
      )}
    </div>
  )
}

function UndoKey({ onUndo }: { readonly onUndo: () => void }): null {
  useKeys([{ keys: 'Control+z', does: 'Undo the last change, for ten seconds', run: onUndo }])
  return null
}

/** The seconds left. Not announced, because a number each second would drown the rest. */
function SecondsLeft({ untilMs }: { readonly untilMs: number }): JSX.Element {
  const [nowMs, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span class="undo-left" aria-hidden="true">
      {Math.max(0, Math.ceil((untilMs - nowMs) / 1_000))} s
    </span>
  )
}
