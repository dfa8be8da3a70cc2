/** The lines in which two texts differ, in the notation of `diff -u`. */

/** Unchanged lines around each change. */
const CONTEXT = 3

interface Line {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** The differing lines with their context; empty for equal texts. A line of `…` stands for unchanged lines. */
export function lineDiff(from: string, to: string): string[] {
  if (from === to) return []
  const lines = compared(linesOf(from), linesOf(to))
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  )
  return lines.flatMap(({ sign, text }, index) => {
    if (isNear[index]) return [`${sign} ${text}`.trimEnd()]
    return index > 0 && isNear[index - 1] ? ['  …'] : []
  })
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Longest common subsequence. Profiles have hundreds of lines, so the square of their number is small. */
function compared(from: readonly string[], to: readonly string[]): Line[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0))
  for (let a = from.length - 1; a >= 0; a--) {
    for (let b = to.length - 1; b >= 0; b--) {
      lengths[a]![b] =
        from[a] === to[b] ? lengths[a + 1]![b + 1]! + 1 : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!)
    }
  }
  const lines: Line[] = []
  let [a, b] = [0, 0]
  while (a < from.length || b < to.length) {
    if (a < from.length && b < to.length && from[a] === to[b]) {
      lines.push({ sign: ' ', text: from[a]! })
      a++
      b++
    } else if (b >= to.length || (a < from.length && lengths[a + 1]![b]! >= lengths[a]![b + 1]!)) {
      lines.push({ sign: '-', text: from[a++]! })
    } else lines.push({ sign: '+', text: to[b++]! })
  }
  return lines
}
