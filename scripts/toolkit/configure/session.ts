/**
 * One configuration of one profile: the present choice, its earlier choices, and what was measured. The views call it.
 */
import { nearest } from '../../../core/kernel/nearest.ts'
import { toolFail } from '../errors.ts'
import { lineDiff } from './file/line-diff.ts'
import { openProfileFile, type ProfileFile, reopened, textFor, writeProfile } from './file/profile-file.ts'
import type { Choice, Where } from './model/catalogue.ts'
import { type Catalogue, openCatalogue, type Place } from './model/catalogue.ts'
import { changesOf, choiceOf, chooseVariant, switchOff, switchOn, toggle } from './model/choice.ts'
import type { Figures } from './model/figures.ts'
import { figuresOfBuilds, measureChoice, measureOthers } from './model/measure.ts'
import { builtinsFor, notesFor } from './model/needs.ts'
import { type View, viewOf } from './model/view.ts'
import { changeWords } from './model/words.ts'

/** What saving would do. */
export interface SavePlan {
  /** The choice that the text makes. */
  readonly choice: Choice
  /** The text to write; undefined if the file is not understood. */
  readonly text: string | undefined
  /** The difference to the file, or the lists to write by hand. */
  readonly lines: readonly string[]
  /** What a person should know before: conflicts, and what a build would refuse. */
  readonly notes: readonly string[]
}

/** A running configuration. */
export interface Session {
  readonly file: string
  readonly isNew: boolean
  view(): View
  /** Whether the choice differs from the file. */
  isChanged(): boolean
  /** Each change returns what it did, in lines. An unknown feature or variant is `ERR_TOOL_UNKNOWN`. */
  toggle(id: string): string[]
  on(id: string, where?: Where): string[]
  off(id: string): string[]
  variant(id: string, name: string, place?: Place): string[]
  undo(): string[]
  measure(step?: (text: string) => void): Promise<string[]>
  /** Measures first if it can, because the text has the built-ins that the choice needs. */
  planSave(step?: (text: string) => void): Promise<SavePlan>
  /** Writes the text of a plan. */
  save(plan: SavePlan): Promise<string[]>
}

/**
 * Opens a profile for configuration.
 * @throws SvcError as {@link openProfileFile} and {@link openCatalogue}
 */
export async function openSession(word: string, parent: string): Promise<Session> {
  const file = await openProfileFile(word, parent)
  return createSession(file, await openCatalogue(file.loaded))
}

function createSession(opened: ProfileFile, catalogue: Catalogue): Session {
  let file = opened
  let saved = choiceOf(file.loaded)
  let choice = saved
  let figures: Figures = figuresOfBuilds(catalogue)
  const earlier: Choice[] = []
  let view: View | undefined
  const change = (id: string, next: Choice): string[] => {
    const changes = changesOf(choice, next)
    if (changes.length > 0) earlier.push(choice)
    choice = next
    view = undefined
    return changeWords(id, changes)
  }
  const measured = (next: Figures): void => {
    figures = next
    view = undefined
  }
  const session: Session = {
    file: file.name,
    get isNew() {
      return file.before === undefined
    },
    view: () => (view ??= viewOf(catalogue, figures, choice)),
    isChanged: () => file.before === undefined || changesOf(saved, choice).length > 0,
    toggle: (id) => change(id, toggle(catalogue, choice, requireRow(session, id))),
    on: (id, where) => change(id, switchOn(catalogue, choice, requireRow(session, id), where)),
    off: (id) => change(id, switchOff(catalogue, choice, requireRow(session, id))),
    variant: (id, name, place) => {
      requireVariant(session, id, name)
      return change(id, chooseVariant(catalogue, choice, id, name, place))
    },
    undo() {
      const before = earlier.pop()
      if (before === undefined) return ['nothing to undo']
      choice = before
      view = undefined
      return ['the last change is undone']
    },
    async measure(step = silent) {
      refuseConflicts(session.view())
      measured(await measureChoice(catalogue, figures, choice, step))
      measured(await measureOthers(catalogue, figures, step))
      return session.view().targets.map(({ file: name, size }) => `${name}: ${size.from}`)
    },
    async planSave(step = silent) {
      const wanted = choice
      if (session.view().verdict.conflicts.length === 0) {
        measured(await measureChoice(catalogue, figures, wanted, step))
      }
      const planned = await textFor(file, wanted, builtinsFor(catalogue, figures, wanted))
      const notes = notesFor(catalogue, figures, wanted)
      if ('text' in planned)
        return { choice: wanted, text: planned.text, lines: lineDiff(file.before ?? '', planned.text), notes }
      const why =
        `The lists of ${session.file} are not plain lists, so ` + 'this cannot change them. Write this into the file:'
      return { choice: wanted, text: undefined, lines: [why, ...planned.lists.split('\n')], notes }
    },
    async save({ choice: written, text }) {
      if (text === undefined) {
        throw toolFail('ERR_TOOL_INPUT', { message: 'The file is not understood, so it is not written.' })
      }
      if (text === file.before) return [`${session.file} is as you want it already`]
      writeProfile(file, text)
      file = await reopened(file, text)
      saved = written
      return [`saved ${session.file}`, `→ svc-build build ${session.file}`]
    },
  }
  return session
}

const silent = (): void => undefined

function requireRow(session: Session, id: string): string {
  const { rows } = session.view()
  if (rows.some((row) => row.id === id)) return id
  const near = nearest(
    id,
    rows.map((row) => row.id),
  )
  throw toolFail('ERR_TOOL_UNKNOWN', {
    message: `There is no feature "${id}".`,
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  })
}

function requireVariant(session: Session, id: string, name: string): void {
  requireRow(session, id)
  const row = session.view().rows.find((one) => one.id === id)!
  if (row.where === null) {
    throw toolFail('ERR_TOOL_UNKNOWN', { message: `${id} is off.`, hint: `Switch it on first.` })
  }
  if (row.variants.some((variant) => variant.name === name)) return
  const names = row.variants.map((variant) => variant.name)
  throw toolFail('ERR_TOOL_UNKNOWN', {
    message: `${id} has no variant "${name}".`,
    hint: names.length === 0 ? 'It has no variants.' : `Its variants are ${names.join(', ')}.`,
  })
}

function refuseConflicts({ verdict: { conflicts } }: View): void {
  const [first] = conflicts
  if (first === undefined) return
  throw toolFail('ERR_TOOL_INPUT', {
    message: `A choice with conflicts cannot be bundled, and so not be measured: ${first.message}`,
    ...(first.hint !== undefined && { hint: first.hint }),
  })
}
