/** Draws the screen as lines of text, each exactly as wide as the terminal. */
import { detailLines } from '../model/details.ts'
import type { RowView, View } from '../model/view.ts'
import { bytesWords, chosenWords, placeWords, sizeWords } from '../model/words.ts'
import { type ScreenState, shownRows } from './state.ts'

/** The size of the terminal. */
export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** What is drawn beside the view. */
export interface Head {
  readonly file: string
  readonly isChanged: boolean
}

/** One line; `isMarked` is the line of the cursor, `isStrong` a title. */
export interface Line {
  readonly text: string
  readonly isMarked?: boolean
  readonly isStrong?: boolean
}

/** Smallest size that shows a list. */
const LEAST: Screen = { columns: 40, rows: 14 }

/** Lines above and below the list: title, two sizes, conflicts; details, message, keys. */
const ABOVE = 4
const DETAILS = 6
const BELOW = DETAILS + 2

/** The number of lines of the list. */
export function listHeight({ rows }: Screen): number {
  return Math.max(1, rows - ABOVE - BELOW)
}

/** Draws the whole screen. */
export function draw(state: ScreenState, view: View, head: Head, screen: Screen): Line[] {
  if (screen.columns < LEAST.columns || screen.rows < LEAST.rows) {
    return fit([{ text: `This needs ${LEAST.columns} columns and ${LEAST.rows} lines; or use --plain.` }], screen)
  }
  const title = `svc-build configure ${head.file}${head.isChanged ? ' (not saved)' : ''}`
  const body = bodyOf(state, view, screen)
  return fit([{ text: title, isStrong: true }, ...body], screen)
}

function bodyOf(state: ScreenState, view: View, screen: Screen): Line[] {
  const height = screen.rows - 2
  switch (state.mode) {
    case 'details': {
      const row = view.rows.find(({ id }) => id === state.id)
      const lines = row === undefined ? [] : wrapAll(detailLines(row), screen.columns)
      return [
        ...page(lines, state.scroll, height),
        { text: 'Space on/off · arrows scroll, variant · any other key: back', isStrong: true },
      ]
    }
    case 'help':
      return [...page(help, state.scroll, height), { text: 'any key: back', isStrong: true }]
    case 'save':
      return saveBody(state, screen)
    default:
      return listBody(state, view, screen)
  }
}

function saveBody({ plan, scroll }: ScreenState, screen: Screen): Line[] {
  if (plan === undefined) return []
  const lines = [...plan.notes.map((note) => `note: ${note}`), ...plan.lines]
  const isSame = plan.lines.length === 0
  const question =
    plan.text === undefined
      ? 'any key: back'
      : isSame
        ? 'no difference · any key: back'
        : 'y: write this · any other key: back'
  return [...page(wrapAll(lines, screen.columns), scroll, screen.rows - 2), { text: question, isStrong: true }]
}

function listBody(state: ScreenState, view: View, screen: Screen): Line[] {
  const rows = shownRows(view, state)
  const height = listHeight(screen)
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === state.id),
  )
  const top = Math.min(Math.max(0, index - Math.floor(height / 2)), Math.max(0, rows.length - height))
  const listed = rows
    .slice(top, top + height)
    .map((row) => ({ text: rowText(row, row.id === state.id), isMarked: row.id === state.id }))
  const filled = [...listed, ...Array.from({ length: height - listed.length }, () => ({ text: '' }))]
  const current = rows[index]
  return [
    ...sizeLines(view),
    ...filled,
    ...detailPane(current, screen),
    { text: messageOf(state, rows.length) },
    { text: keysOf(state), isStrong: true },
  ]
}

function sizeLines({ targets, verdict: { conflicts } }: View): Line[] {
  const sizes = targets.map(({ place, platform, count, size }) => ({
    text:
      `${placeWords[place].padEnd(7)} ${platform.padEnd(4)} ` +
      `${String(count).padStart(3)} features  ${sizeWords(size)}`,
  }))
  const [first] = conflicts
  const conflict =
    first === undefined
      ? ''
      : `! ${conflicts.length} ${conflicts.length === 1 ? 'conflict' : 'conflicts'}: ${first.message}`
  return [...sizes, ...(sizes.length < 2 ? [{ text: '' }] : []), { text: conflict, isStrong: true }]
}

const MARKS = { both: '[*]', main: '[p]', library: '[l]', none: '[ ]' } as const

function rowText(row: RowView, isCurrent: boolean): string {
  const mark = MARKS[row.where ?? 'none']
  const flag =
    row.excludedNow.length > 0
      ? row.where === null
        ? 'excluded'
        : 'conflict'
      : row.isAlong
        ? 'along'
        : row.isOwn
          ? 'yours'
          : ''
  return (
    `${isCurrent ? '>' : ' '} ${mark} ${cut(row.id, 26).padEnd(26)} ` +
    `${cut(chosenWords(row), 23).padEnd(23)} ${bytesWords(row).padStart(10)} ${flag}`
  )
}

function detailPane(row: RowView | undefined, screen: Screen): Line[] {
  const rule = { text: '─'.repeat(screen.columns) }
  const wanted = /^(?!state:|chosen|stability:|platform:|variants:)/
  const lines =
    row === undefined
      ? []
      : wrapAll(
          detailLines(row).filter((line) => wanted.test(line)),
          screen.columns,
        )
  const most = DETAILS - 1
  const shown = lines.length > most ? [...lines.slice(0, most - 1), '… Enter shows all'] : lines
  return [rule, ...Array.from({ length: most }, (_, index) => ({ text: shown[index] ?? '' }))]
}

function messageOf({ mode, message, search }: ScreenState, count: number): string {
  if (mode === 'search') return `/${search}_   ${count} found · Enter: to the list · Esc: all`
  if (mode === 'quit') return 'The changes are not saved. y: end all the same · s: save · any other key: back'
  const filter = search === '' ? '' : `/${search}: ${count} found (Esc: all)  `
  return filter + message.join(' · ')
}

function keysOf({ mode }: ScreenState): string {
  if (mode === 'quit' || mode === 'search') return ''
  return 'Space on/off · ←→ variant · p place · / search · m measure · s save · ? help'
}

/** The help of the keys. */
const help: readonly string[] = [
  '',
  'Up, Down, j, k, Page Up, Page Down, Home, End   move',
  'Space          switch the feature on, with what it needs, or off, with what needs it',
  'Left, Right    choose a variant',
  'p              in the library and the program, or in the program only',
  'Enter          everything about the feature',
  '/              search in names and summaries; Esc shows all again',
  'u              undo',
  'm              bundle the choice now and measure it',
  's              show what changes in the file, then write it',
  'q              end',
  'Ctrl-C         end without saving',
  '',
  '[*] in the library and the program   [p] in the program only   [l] in the library only',
  'along: came with another feature     yours: a feature of your profile',
  'excluded: cannot be added to what is chosen',
  '',
  'Bytes are minified and measured, of the feature without its ' +
    'packages. A size that begins with ≈ is an estimate from measured',
  'parts; m measures it. A build proves it: svc-build build.',
]

function page(lines: readonly string[], scroll: number, height: number): Line[] {
  const top = Math.min(scroll, Math.max(0, lines.length - height))
  return Array.from({ length: height }, (_, index) => ({ text: lines[top + index] ?? '' }))
}

function fit(lines: readonly Line[], { columns, rows }: Screen): Line[] {
  return Array.from({ length: rows }, (_, index) => {
    const line = lines[index] ?? { text: '' }
    return { ...line, text: cut(line.text, columns).padEnd(columns) }
  })
}

/** Breaks lines at spaces; the rest of a line is indented. */
function wrapAll(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => {
    const parts: string[] = []
    let rest = line
    while (rest.length > columns) {
      const space = rest.lastIndexOf(' ', columns)
      const at = space > 4 ? space : columns
      parts.push(rest.slice(0, at))
      rest = `    ${rest.slice(at).trimStart()}`
    }
    return [...parts, rest]
  })
}

/**
 * A text without control characters, because a plugin's texts must not control the terminal, of at most `width`
 * characters.
 */
function cut(text: string, width: number): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
  return clean.length <= width ? clean : `${clean.slice(0, Math.max(0, width - 1))}…`
}
