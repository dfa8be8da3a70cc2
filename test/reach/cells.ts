/** What is run: the entries of the package, each with the suite that says whether it works. */
import { noVectors } from '../support/vectors.ts'
import { vectorFiles } from './suite/vectors.ts'
import { jwtFiles } from './suite/vectors-jwt.ts'

/** An entry of the package and its suite. */
export interface Cell {
  /** File name of its modules in a project. */
  readonly id: string
  /** As the table names it. */
  readonly title: string
  /** The entries that it imports; none for a program. */
  readonly entries: readonly string[]
  /** Whether it needs the engine's WebAssembly. */
  readonly wasm?: boolean
  /** Lines after the imports of the entries, `entry0` and so on, that export `steps`. */
  readonly steps?: string
  /** Why a platform without `node:` modules does not have it; undefined where it needs none. */
  readonly needsNode?: string
  /** What makes the steps of conformance vectors, which need no entry. */
  readonly vectors?: VectorSuite
  /** Why nothing can be tried with it on this machine. */
  readonly absent?: string | undefined
}

/** A suite of sources instead of the package. */
export interface VectorSuite {
  /** Its module below `suite/`. */
  readonly module: string
  /** The function that makes the steps of the files. */
  readonly steps: string
  /** Names of files of vectors. */
  readonly files: readonly string[]
}

const minimal = (id: string, entry: string): Cell => ({
  id,
  title: `\`${entry}\``,
  entries: [entry, 'svc/dev'],
  steps: `import { minimalSteps } from './suite/minimal.js'
export const steps = () => minimalSteps(entry0, entry1)`,
})

/** The columns of the table. */
export const cells: readonly Cell[] = [
  minimal('minimal', 'svc/minimal'),
  minimal('single', 'svc/minimal/single'),
  {
    id: 'client',
    title: '`svc/client`',
    entries: ['svc/client'],
    steps: `import { clientSteps } from './suite/client.js'
export const steps = () => clientSteps(entry0)`,
  },
  {
    id: 'embedded',
    title: '`svc/embedded-mobile`, `svc/sign`',
    entries: ['svc/embedded-mobile', 'svc/sign'],
    wasm: true,
    steps: `import { embeddedSteps } from './suite/embedded-mobile.js'
import sqlWasm from './sql-wasm.js'
export const steps = () => embeddedSteps(entry0, entry1, sqlWasm)`,
  },
  {
    id: 'node',
    title: '`svc/node`',
    entries: ['svc/node', 'svc/minimal', 'svc/dev'],
    needsNode: 'it mounts a library in `node:http`',
    steps: `import { nodeSteps } from './suite/node.js'
export const steps = () => nodeSteps(entry0, entry1, entry2)`,
  },
  { id: 'program', title: '`svc.mjs`', entries: [], needsNode: 'a program of Node' },
  { id: 'toolkit', title: '`svc-build`', entries: [], needsNode: 'a program of Node' },
  {
    id: 'vectors',
    title: 'vectors of JSON, Ed25519, AG-UI, SSE',
    entries: [],
    vectors: { module: 'vectors', steps: 'vectorSteps', files: vectorFiles },
    absent: noVectors,
  },
  {
    id: 'jwt',
    title: 'vectors of JWT, JWKS',
    entries: [],
    vectors: { module: 'vectors-jwt', steps: 'jwtSteps', files: jwtFiles },
    absent: noVectors,
  },
]

/** The column with an id. */
export function cellOf(id: string): Cell {
  const found = cells.find((cell) => cell.id === id)
  if (found === undefined) throw new TypeError(`no cell ${id}`)
  return found
}

/** How a cell came out: steps that passed, the first problem, or why it was not run. */
export type Outcome =
  | { readonly passed: number; readonly of: number; readonly problems: readonly string[] }
  | { readonly left: string }
