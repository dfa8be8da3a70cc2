/** The palette: finds views, runs, cards and pushes to go to, and commands of `svc` to copy. It changes nothing by itself. */
import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { visible } from '../lib/format.ts'
import { useLoad } from '../lib/load.ts'
import { go } from '../lib/router.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { View } from '../views/view.ts'
import { commandTargets, matching, readCards, readTargets, type Target, viewTargets } from './palette-targets.ts'

/** Largest number of targets in the list. */
const LISTED = 40
/** How long the reader must pause before the service is asked, in milliseconds. */
const PAUSE_MS = 150

/** Shows the palette in a dialog. */
export function Palette({
  views,
  onClose,
}: {
  readonly views: readonly View[]
  readonly onClose: () => void
}): JSX.Element {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const [note, setNote] = useState('')
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const found = useTargets(text, views)
  const chosen = Math.min(index, found.length - 1)
  const optionId = (at: number): string => `${list}-${at}`
  useEffect(() => document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' }), [chosen, found])
  const take = async (target: Target | undefined): Promise<void> => {
    if (target === undefined) return
    if ('to' in target) {
      onClose()
      return go(target.to)
    }
    await navigator.clipboard.writeText(target.copy)
    setNote(`Copied: ${target.copy}`)
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setIndex((chosen + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') void take(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        ref={field}
        type="search"
        dir="auto"
        // biome-ignore lint/a11y/noRedundantRoles: without a list, the role of the field is searchbox.
        role="combobox"
        list={undefined}
        aria-label="Views, runs, cards, pushes and commands"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : optionId(chosen)}
        placeholder="Views, runs, cards, pushes, commands"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={onKey}
      />
      <div id={list} class="palette" role="listbox" aria-label="Found">
        {found.map((target, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={`${target.kind} ${target.key}`}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen}
            onClick={() => void take(target)}
          >
            <span class="palette-kind">{target.kind}</span>
            <span class="palette-title" dir="auto">
              {visible(target.title, 200)}
            </span>
            <span class="palette-detail" dir="auto">
              {visible(target.detail, 120)}
            </span>
          </div>
        ))}
      </div>
      <p class="palette-note" role="status">
        {note !== '' ? note : found.length === 0 ? 'Nothing found.' : 'Enter goes there, or copies the command.'}
      </p>
    </Dialog>
  )
}

/** The targets that match a text: without a text only the views, then the newest runs and pushes. */
function useTargets(text: string, views: readonly View[]): readonly Target[] {
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: listed = [] } = useLoad(readTargets)
  const { data: cards = [] } = useLoad((signal) => readCards(searched, signal), { inputs: [searched] })
  return useMemo(
    () =>
      [
        ...matching(viewTargets(views), text),
        ...(searched === '' ? [] : cards),
        ...matching(listed, text),
        ...(text.trim() === '' ? [] : matching(commandTargets(), text)),
      ].slice(0, LISTED),
    [text, searched, listed, cards, views],
  )
}
