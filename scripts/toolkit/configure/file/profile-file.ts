/** Opens and saves the file of a profile. */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Profile } from '../../../../core/declare/matrix.ts'
import { readModule } from '../../../build/modules/read-module.ts'
import { type LoadedProfile, loadProfile } from '../../../build/plan/load-profile.ts'
import { standardProfiles } from '../../../build/plan/read-profile.ts'
import { toolFail } from '../../errors.ts'
import type { Choice } from '../model/catalogue.ts'
import { changesOf, choiceOf } from '../model/choice.ts'
import { entriesFor, type Inherited } from './profile-syntax.ts'
import { changedText, newProfileText } from './profile-text.ts'

/** The file of a profile. */
export interface ProfileFile {
  /** The path as it was given. */
  readonly name: string
  readonly path: string
  /** The text on the disk when it was opened; undefined if there was no file. */
  readonly before: string | undefined
  /** The text that changes are made to. */
  readonly text: string
  readonly loaded: LoadedProfile
  readonly inherited: Inherited
}

/**
 * Opens a profile by the path of its file. Without a file it is a new profile that extends `parent`.
 * @throws SvcError `ERR_TOOL_INPUT` for the name of one of our profiles, and the errors of loading
 */
export async function openProfileFile(word: string, parent: string): Promise<ProfileFile> {
  if (standardProfiles().includes(word) || !/\.[cm]?[jt]s$/.test(word)) {
    throw toolFail('ERR_TOOL_INPUT', {
      message: `"${word}" is not the file of a profile of your own.`,
      hint:
        'Name a file, such as edge.ts. A file that does not exist begins as a profile ' +
        `that extends ${standardProfiles().includes(word) ? word : parent}: svc-build ` +
        `configure edge.ts${standardProfiles().includes(word) ? ` --from ${word}` : ''}`,
    })
  }
  const isThere = existsSync(word)
  const path = isThere ? realpathSync(word) : resolve(word)
  if (isThere) {
    const text = readFileSync(path, 'utf8')
    return opened({ name: word, path }, text, text, await read(path))
  }
  const text = newProfileText(nameFor(path), parent)
  return opened({ name: word, path }, undefined, text, await readText(path, text))
}

/** The file after its text was written. */
export async function reopened({ name, path }: ProfileFile, text: string): Promise<ProfileFile> {
  return opened({ name, path }, text, text, await readText(path, text))
}

async function opened(
  { name, path }: Pick<ProfileFile, 'name' | 'path'>,
  before: string | undefined,
  text: string,
  { loaded, raw }: Loaded,
): Promise<ProfileFile> {
  return {
    name,
    path,
    before,
    text,
    loaded,
    inherited: {
      ownFeatures: { library: raw.library.features ?? {}, main: raw.main?.features ?? {} },
      parent: raw.extends === undefined ? undefined : await loadProfile(raw.extends, dirname(path)),
    },
  }
}

/** A profile as it works, and as its file has it. */
interface Loaded {
  readonly loaded: LoadedProfile
  readonly raw: Profile
}

function nameFor(path: string): string {
  const name = basename(path).replace(/\.[^.]+$/, '')
  if (/^[a-z][a-z0-9-]{0,63}$/.test(name)) return name
  throw toolFail('ERR_TOOL_INPUT', {
    message: `${basename(path)} gives no name for a profile.`,
    hint: 'Lower-case letters, digits and hyphens, a letter first: edge.ts.',
  })
}

async function read(path: string): Promise<Loaded> {
  const loaded = await loadProfile(path)
  const module = await readModule(path)
  return { loaded, raw: (module['profile'] ?? module['default']) as Profile }
}

let copies = 0

/** Loads a text as if it were the file: from a copy beside it, so that its imports are found. */
async function readText(path: string, text: string): Promise<Loaded> {
  // Each copy has a new name, because modules are read once.
  const copy = join(dirname(path), `.${process.pid}-${copies++}-${basename(path)}`)
  const remove = (): void => rmSync(copy, { force: true })
  // A process that is interrupted runs no `finally`.
  process.once('exit', remove)
  try {
    writeFileSync(copy, text, { flag: 'wx' })
    const { loaded, raw } = await read(copy)
    return { loaded: { ...loaded, path, files: loaded.files.slice(1) }, raw }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** The result of a change of the text. */
export type Planned =
  | { readonly text: string }
  /** The text is not understood; `lists` are the lists to write by hand. */
  | { readonly lists: string }

/**
 * The text of the file with a choice. It is loaded once, and compared with the choice: a text that does not make
 * exactly this choice is never written.
 */
export async function textFor(file: ProfileFile, choice: Choice, builtins: readonly string[]): Promise<Planned> {
  const entries = entriesFor(file.inherited, choice)
  const text = changedText(file.text, { ...entries, builtins })
  const isRight = async (): Promise<boolean> => {
    if (text === undefined) return false
    if (text === file.text) return changesOf(choiceOf(file.loaded), choice).length === 0
    const { loaded } = await readText(file.path, text)
    const made = choiceOf(loaded)
    return (made.main === undefined) === (choice.main === undefined) && changesOf(made, choice).length === 0
  }
  if (text !== undefined && (await isRight().catch(() => false))) return { text }
  const list = (features: object | undefined): string =>
    JSON.stringify(features ?? {}, null, 2).replaceAll('\n', '\n  ')
  const featuresAt = (place: 'library' | 'main'): object =>
    withEntries(file.inherited.ownFeatures[place], entries[place])
  return {
    lists: [
      `  library: features: ${list(featuresAt('library'))}`,
      ...(choice.main === undefined ? [] : [`  main: features: ${list(featuresAt('main'))}`]),
      ...(builtins.length === 0 ? [] : [`  builtins, in addition: ${builtins.join(', ')}`]),
    ].join('\n'),
  }
}

function withEntries(features: object, entries: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...features, ...entries }).filter(([, value]) => value !== undefined))
}

/**
 * Writes the file: a new file beside it takes its place, so that no reader gets half of it.
 * @throws SvcError `ERR_TOOL_INPUT` if another program has changed the file since it was opened
 */
export function writeProfile({ path, before }: ProfileFile, text: string): void {
  const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if (now !== before) {
    throw toolFail('ERR_TOOL_INPUT', {
      message: `${path} has changed since it was opened here, and nothing was written.`,
      hint: 'Start svc-build configure again, and make the choice in the new text.',
    })
  }
  const copy = join(dirname(path), `.${process.pid}-${copies++}-${basename(path)}`)
  const mode = now === undefined ? 0o644 : statSync(path).mode & 0o777
  try {
    writeFileSync(copy, text, { flag: 'wx', mode, flush: true })
    renameSync(copy, path)
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
}
