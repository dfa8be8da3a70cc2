/** What is shown of a text: the words around the first that was searched for. */

/** Words that are shown at most, and how many of them come before the first that was searched for. */
const [SHOWN_WORDS, WORDS_BEFORE] = [16, 4]
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** The words of a text as they are written, each once. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(WORD) ?? [])]
}

/** A word as it is compared: without case and accents (ASCII has none), nearly as unicode61 has it. */
export function fold(word: string): string {
  const lower = word.toLowerCase()
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '')
}

/**
 * Some words of the first text that has one of `words` (folded), around it; the beginning of the first text where none
 * has. The time is in proportion to the texts: FTS5's own snippet takes the square of how often a word occurs.
 */
export function snippetOf(texts: readonly string[], words: ReadonlySet<string>): string {
  for (const text of texts) {
    const found = around(text, words)
    if (found !== undefined) return found
  }
  const [first = ''] = texts
  return around(first) ?? first
}

/** The words around the first of `words`, or the first words of the text without `words`; undefined if there is none. */
function around(text: string, words?: ReadonlySet<string>): string | undefined {
  const shown: RegExpExecArray[] = []
  let [isHit, isStart] = [words === undefined, true]
  const cut = (isEnd: boolean): string | undefined => {
    const [first, last] = [shown[0], shown.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const from = isStart ? 0 : first.index
    return `${isStart ? '' : '…'}${isEnd ? text.slice(from) : `${text.slice(from, last.index + last[0].length)}…`}`
  }
  for (const match of text.matchAll(WORD)) {
    isHit ||= words?.has(fold(match[0])) === true
    if (isHit && shown.length === SHOWN_WORDS) return cut(false)
    shown.push(match)
    if (isHit || shown.length <= WORDS_BEFORE) continue
    shown.shift()
    isStart = false
  }
  return isHit ? cut(true) : undefined
}
