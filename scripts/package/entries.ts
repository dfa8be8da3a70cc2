/** The entry points of the npm package, as data. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exportingModules, TYPES_OF_ALL } from '../build/pack/delivered-types.ts'
import { root } from '../build/paths.ts'

/** One entry point: the library of a profile, or one source file. */
export interface Entry {
  /** Base name of the entry's files in the package. */
  readonly name: string
  /** Key in `exports`. */
  readonly subpath: string
  readonly profile?: string
  /** Selects the library in one file, if the profile has both. */
  readonly form?: 'single'
  /**
   * Path of the code in the package, if it is not `<name>.js`: beside this file are the files that are loaded later.
   */
  readonly file?: string
  /** Path of a source file that is bundled separately. */
  readonly source?: string
  /** Packages that the code imports and the user installs, with the versions that it takes. */
  readonly peers?: Readonly<Record<string, string>>
}

/** The profile whose program is the package's command. */
export const programProfile = 'server-full'

const all: readonly Entry[] = [
  { name: 'index', subpath: '.', profile: 'server-full' },
  { name: 'minimal', subpath: './minimal', profile: 'minimal', file: 'minimal/index.mjs' },
  { name: 'minimal', subpath: './minimal/single', profile: 'minimal', form: 'single', file: 'minimal/single.mjs' },
  { name: 'embedded-mobile', subpath: './embedded-mobile', profile: 'embedded-mobile' },
  { name: 'embedded-native', subpath: './embedded-native', profile: 'embedded-native' },
  { name: 'plugin', subpath: './plugin', source: 'core/plugin-api.ts' },
  { name: 'client', subpath: './client', source: 'plugins/client/index.ts' },
  {
    name: 'ag-ui',
    subpath: './ag-ui',
    source: 'plugins/client/ag-ui/index.ts',
    peers: { '@ag-ui/client': '^1.0.0' },
  },
  { name: 'react', subpath: './react', source: 'plugins/client/react/index.ts', peers: { react: '>=18' } },
  { name: 'dev', subpath: './dev', source: 'plugins/auth/token/dev-token.ts' },
  { name: 'node', subpath: './node', source: 'plugins/transport/to-node-handler.ts' },
  { name: 'sign', subpath: './sign', source: 'plugins/protocol/sign/index.ts' },
]

/** An entry that only has types. The types beside a user's library import from it. */
export interface TypesEntry {
  readonly name: string
  readonly subpath: string
  /** The module with the types; undefined for the types that all libraries share. */
  readonly module: string | undefined
}

/** The empty module that an entry without code resolves to, for a program that imports it as code. */
export const NO_CODE = 'types.js'

/** The entries that only have types. */
export const typesEntries: readonly TypesEntry[] = [
  [TYPES_OF_ALL, undefined] as const,
  ...Object.entries(exportingModules),
].map(([name, module]) => ({ name: `types-${name}`, subpath: `./types/${name}`, module }))

/** Path of an entry's code in the package. */
export function codeOf({ name, file = `${name}.js` }: Pick<Entry, 'name' | 'file'>): string {
  return file
}

/** The packages that users of some entries install, with the versions that the entries take. */
export const peers: Readonly<Record<string, string>> = Object.assign({}, ...all.map((entry) => entry.peers))

/** The entries whose sources exist. */
export const entries: readonly Entry[] = all.filter(
  ({ source }) => source === undefined || existsSync(join(root, source)),
)
