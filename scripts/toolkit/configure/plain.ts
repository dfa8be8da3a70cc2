/**
 * The choice as a dialogue in lines, for screen readers, pipes and scripts: a line is a command, and its answer is a
 * few lines.
 */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { isSvcError } from '../../../core/declare/errors.ts'
import { nearest } from '../../../core/kernel/nearest.ts'
import type { Where } from './model/catalogue.ts'
import { matchingRows } from './model/cycle.ts'
import { detailLines } from './model/details.ts'
import type { RowView } from './model/view.ts'
import { bytesWords, chosenWords, targetWords, whereWords } from './model/words.ts'
import type { Session } from './session.ts'

/** The streams of a dialogue. */
export interface PlainIo {
  readonly input: Readable
  readonly out: (line: string) => void
  /** Shows that an answer is expected; a pipe needs nothing. */
  readonly prompt: (text: string) => void
  readonly step: (text: string) => void
}

const HELP = [
  'list [words]           the features, or those whose name or summary has all the words',
  'show FEATURE           everything about a feature',
  'on FEATURE [program | library]   switch it on, with what it needs: in the program only, or in both',
  'off FEATURE            switch it off, with what needs it',
  'variant FEATURE NAME [library | program]   choose a variant',
  'undo                   take the last change back',
  'size                   the sizes and where they come from',
  'measure                bundle the choice now, and measure it',
  'conflicts              why a build would refuse the choice',
  'diff                   what saving would change in the file',
  'save                   show the difference, ask, and write the file',
  'quit                   end; asks if there are changes that are not saved',
]

/** Runs the dialogue until `quit` or the end of the input. Resolves to whether everything was saved. */
export async function runPlain(session: Session, io: PlainIo): Promise<boolean> {
  const lines = createInterface({ input: io.input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  const ask = async (prompt: string): Promise<string | undefined> => {
    io.prompt(prompt)
    const { value, done } = await lines.next()
    return done === true ? undefined : (value as string).trim()
  }
  for (const line of opening(session)) io.out(line)
  for (let line = await ask('> '); line !== undefined; line = await ask('> ')) {
    const [command = '', ...words] = line.split(/\s+/)
    try {
      if (command === 'quit') {
        if (!session.isChanged() || (await confirm(ask, io, 'There are changes that are not saved. End all the same?')))
          break
      } else if (command === 'save') await save(session, io, (question) => confirm(ask, io, question))
      else for (const text of await answer(session, command, words, io)) io.out(text)
    } catch (error) {
      if (!isSvcError(error)) throw error
      io.out(`refused: ${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`)
    }
  }
  await lines.return?.()
  return !session.isChanged()
}

function opening(session: Session): string[] {
  return [
    `${session.file}: profile ` +
      `${session.view().profile}${session.isNew ? ', a new file' : ''}. help lists the commands.`,
    ...summary(session),
  ]
}

/** The sizes, and the conflicts by number. */
function summary(session: Session): string[] {
  const { targets, verdict } = session.view()
  const count = verdict.conflicts.length
  return [
    targetWords(targets),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? 'conflict' : 'conflicts'}: ${verdict.conflicts[0]!.message}`]),
  ]
}

async function answer(session: Session, command: string, words: readonly string[], io: PlainIo): Promise<string[]> {
  const [id = '', second, third] = words
  const commands: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
    '': () => [],
    help: () => HELP,
    list: () => list(session, words),
    show: () => detailLines(rowOf(session, id)),
    on: () => [...session.on(id, whereWord(second)), ...summary(session)],
    off: () => [...session.off(id), ...summary(session)],
    variant: () => [...session.variant(id, second ?? '', placeWord(third)), ...summary(session)],
    undo: () => [...session.undo(), ...summary(session)],
    size: () =>
      session
        .view()
        .targets.map(
          ({ file, size }) =>
            `${file}: ${targetWords(session.view().targets.filter((one) => one.file === file))}; ${size.from}`,
        ),
    measure: async () => [...(await session.measure(io.step)), ...summary(session)],
    conflicts: () => conflicts(session),
    diff: async () => {
      const { lines, notes } = await session.planSave(io.step)
      return [...(lines.length === 0 ? ['no difference to the file'] : lines), ...notes.map((note) => `note: ${note}`)]
    },
  }
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (run !== undefined) return run()
  const near = nearest(command, [...Object.keys(commands), 'save', 'quit'].slice(1))
  return [`There is no command "${command}".${near === undefined ? '' : ` Did you mean ${near}?`} help lists them.`]
}

/** A feature of the library is in the program too. */
function whereWord(word: string | undefined): Where | undefined {
  const place = placeWord(word)
  return place === 'library' ? 'both' : place
}

function placeWord(word: string | undefined): 'main' | 'library' | undefined {
  return word === 'program' || word === 'main' ? 'main' : word === 'library' ? 'library' : undefined
}

function conflicts(session: Session): string[] {
  const { conflicts: problems, warnings } = session.view().verdict
  if (problems.length === 0) return ['no conflicts', ...warnings]
  return problems.flatMap(({ code, message, hint }) => [
    `${code}: ${message}`,
    ...(hint === undefined ? [] : [`  → ${hint}`]),
  ])
}

function rowOf(session: Session, id: string): RowView {
  const { rows } = session.view()
  const row = rows.find((one) => one.id === id)
  if (row !== undefined) return row
  // The session names the nearest feature in its error.
  session.off(id)
  throw new Error(`the session accepted the unknown feature ${id}`)
}

function list(session: Session, words: readonly string[]): string[] {
  const rows = matchingRows(session.view().rows, words.join(' '))
  if (rows.length === 0) return [`No feature has "${words.join(' ')}" in its name or summary.`]
  return rows.map((row) => {
    const where = row.where === null ? 'off' : `on, ${whereWords[row.where]}`
    const variants =
      row.variants.length === 0 ? '' : `, ${row.where === null ? 'variants' : 'variant'} ${chosenWords(row)}`
    return `${row.id}: ${where}${variants}, ${bytesWords(row)}. ${row.summary}`
  })
}

async function confirm(
  ask: (prompt: string) => Promise<string | undefined>,
  io: PlainIo,
  question: string,
): Promise<boolean> {
  io.out(`${question} yes or no`)
  return /^y(?:es)?$/i.test((await ask('? ')) ?? 'no')
}

async function save(session: Session, io: PlainIo, ask: (question: string) => Promise<boolean>): Promise<void> {
  const plan = await session.planSave(io.step)
  for (const line of plan.lines) io.out(line)
  for (const note of plan.notes) io.out(`note: ${note}`)
  if (plan.text === undefined) return
  if (plan.lines.length === 0) return io.out(`${session.file} is as you want it already`)
  if (!(await ask(`Write ${session.file}?`))) return io.out('not saved')
  for (const line of await session.save(plan)) io.out(line)
}
