/** Makes the snippet of a text: the words around the first match. */

/** The most words of a snippet, and the most of them before the first match. */
const [SHOWN_WORDS, WORDS_BEFORE] = [16, 4]
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** The different words of a text, in their original spelling. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(WORD) ?? [])]
}

/** The form of a word for comparisons: without case and accents, nearly as the tokenizer unicode61 does it. */
export function fold(word: string): string {
  const lower = word.toLowerCase()
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '')
}

/**
 * The words around the first match, in the first text that has one of `words` (folded); the beginning of the first text
 * if no text has one. The time is linear in the length of the texts. The function `snippet` of FTS5 takes quadratic
 * time in the number of matches.
 */
export function snippetOf(texts: readonly string[], words: ReadonlySet<string>): string {
  for (const text of texts) {
    const snippet = around(text, words)
    if (snippet !== undefined) return snippet
  }
  const [first = ''] = texts
  return around(first) ?? first
}

/**
 * The words around the first match, or the first words of the text if `words` is absent; undefined if there is no
 * match.
 */
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
