/**
 * The palette: finds views, runs, cards and pushes to go to, and commands of `svc` to copy. It changes nothing by
 * itself.
 */
import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { visible } from '../lib/format.ts'
import { useLoad } from '../lib/load.ts'
import { go } from '../lib/router.ts'
import { copyText } from '../lib/shell-commands.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { View } from '../views/view.tsx'
import { commandTargets, matching, readCards, readTargets, viewTargets } from './palette-targets.ts'
import type { Target } from './target.ts'
import { noteInWords, type PaletteState } from './target.ts'

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
  const { targets, ...state } = useTargets(text, views)
  const options = useMemo(() => targets.slice(0, LISTED), [targets])
  const chosen = Math.min(index, options.length - 1)
  const optionId = (at: number): string => `${list}-${at}`
  useEffect(() => document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' }), [chosen, options])
  const take = async (target: Target | undefined): Promise<void> => {
    if (target === undefined) return
    if ('to' in target) {
      onClose()
      return go(target.to)
    }
    const isCopied = await copyText(target.copy)
    setNote(isCopied ? `Copied: ${target.copy}` : `The browser does not allow to copy: ${target.copy}`)
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setIndex((chosen + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') void take(options[chosen])
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
        aria-activedescendant={options.length === 0 ? undefined : optionId(chosen)}
        placeholder="Views, runs, cards, pushes, commands"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setIndex(0)
          setNote('')
        }}
        onKeyDown={onKey}
      />
      <div id={list} class="palette" role="listbox" aria-label="Found">
        {options.map((target, at) => (
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
        {note !== '' ? note : noteInWords({ ...state, listedCount: options.length, matchCount: targets.length })}
      </p>
    </Dialog>
  )
}

/** The targets that match a text: without a text only the views, then the newest runs and pushes. */
function useTargets(
  text: string,
  views: readonly View[],
): Pick<PaletteState, 'isReading' | 'notRead'> & { readonly targets: readonly Target[] } {
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: listed } = useLoad(readTargets)
  const read = useLoad((signal) => readCards(searched, signal), { inputs: [searched] })
  // Until the service is asked for the present words, its cards are those of other words.
  const cards = searched === text.trim() ? read.data : undefined
  const targets = useMemo(
    () => [
      ...matching(viewTargets(views), text),
      ...(cards?.targets ?? []),
      ...matching(listed?.targets ?? [], text),
      ...(text.trim() === '' ? [] : matching(commandTargets(), text)),
    ],
    [text, listed, cards, views],
  )
  const isReading = listed === undefined || cards === undefined
  return { targets, isReading, notRead: [...(listed?.notRead ?? []), ...(cards?.notRead ?? [])] }
}
