/** The entry points of the npm package, as data. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exportingModules, TYPES_OF_ALL } from '../build/pack/delivered-types.ts'
import { root } from '../build/paths.ts'

/** One entry point: the library of a profile, or a source file of its own. */
export interface Entry {
  /** Base name of its files in the package. */
  readonly name: string
  /** Key in `exports`. */
  readonly subpath: string
  readonly profile?: string
  /** Which of the profile's libraries, where it has one that is a single file too. */
  readonly form?: 'single'
  /** Where its code stands in the package, where that is not `<name>.js`: beside it the files that it loads later. */
  readonly file?: string
  /** Path of a source file that is bundled by itself. */
  readonly source?: string
}

/** The profile whose program is the package's command. */
export const programProfile = 'server-full'

const all: readonly Entry[] = [
  { name: 'index', subpath: '.', profile: 'server-full' },
  { name: 'minimal', subpath: './minimal', profile: 'minimal', file: 'minimal/index.mjs' },
  { name: 'minimal', subpath: './minimal/single', profile: 'minimal', form: 'single', file: 'minimal/single.mjs' },
  { name: 'embedded-mobile', subpath: './embedded-mobile', profile: 'embedded-mobile' },
  { name: 'plugin', subpath: './plugin', source: 'core/public.ts' },
  { name: 'client', subpath: './client', source: 'plugins/client/index.ts' },
  { name: 'dev', subpath: './dev', source: 'plugins/auth/token/dev-token.ts' },
  { name: 'node', subpath: './node', source: 'plugins/transport/to-node-handler.ts' },
  { name: 'sign', subpath: './sign', source: 'plugins/protocol/sign/index.ts' },
]

/** An entry that has types alone: what the types beside a library that a user built are made of. */
export interface TypesEntry {
  readonly name: string
  readonly subpath: string
  /** The module that has them; undefined for what all libraries have in common. */
  readonly module: string | undefined
}

/** What an entry without code leads to, for whoever imports it all the same. */
export const NO_CODE = 'types.js'

/** Those entries. */
export const typesEntries: readonly TypesEntry[] = [
  [TYPES_OF_ALL, undefined] as const,
  ...Object.entries(exportingModules),
].map(([name, module]) => ({ name: `types-${name}`, subpath: `./types/${name}`, module }))

/** Path of an entry's code in the package. */
export function codeOf({ name, file = `${name}.js` }: Pick<Entry, 'name' | 'file'>): string {
  return file
}

/** The entries whose sources exist. */
export const entries: readonly Entry[] = all.filter(
  ({ source }) => source === undefined || existsSync(join(root, source)),
)
