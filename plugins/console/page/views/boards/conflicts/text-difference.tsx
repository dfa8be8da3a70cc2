/** A text beside another one, with the words that differ marked. */
import { diffArrays } from 'diff'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'

/** Longest time for the comparison, in milliseconds. A text that needs longer is shown without marks. */
const MAX_MS = 100

/** Shows a text, with the words marked that `other` does not have at that place. */
export function TextDifference({ text, other }: { readonly text: string; readonly other: string }): JSX.Element {
  const parts = useMemo(() => diffArrays(wordsIn(other), wordsIn(text), { timeout: MAX_MS }), [text, other])
  if (parts === undefined) return <>{visible(text)}</>
  return (
    <>
      {parts.map(({ value, added, removed }, index) => {
        if (removed) return null
        const shown = visible(value.join(''))
        return added ? <mark key={index}>{shown}</mark> : shown
      })}
    </>
  )
}

/** The words of a text and what is between them: by the rules of Unicode, so that no character is split. */
function wordsIn(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ segment }) => segment)
}
