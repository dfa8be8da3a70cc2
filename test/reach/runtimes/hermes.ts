/**
 * Hermes, the engine of React Native. The command line of Hermes 0.12 runs each cell as one script, with the older
 * syntax and the globals that an app brings. Of Hermes 1.0, npm has only the compiler, which must accept each cell
 * without a change.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { startChild } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import { leftInRealm, scriptOf } from './bare.ts'
import { installed, packageFile } from './installed.ts'
import { MARK, type Runtime, resultsOf } from './runtime.ts'

const engine = installed('hermes-engine-cli', 'linux64-bin/hermes')
const compiler = installed('hermes-compiler', 'hermesc/linux64-bin/hermesc')

/** Without warnings and optimizations, which take most of the time for the database. */
const FAST = ['-w', '-O0']

const left = (cell: Cell): string | undefined =>
  cell.id === 'embedded' ? 'its engine is WebAssembly, which Hermes lacks' : leftInRealm(cell)

/** The row of the command line. */
export const hermes: Runtime = {
  title: 'Hermes, its command line',
  version: engine.version,
  absent: engine.absent,
  isPinned: true,
  left,
  async run(cell, project) {
    const text = [globalsOfApp(), await polyfills(), await scriptOf(cell, project), TAIL].join('\n')
    const script = write(project, `hermes-${cell.id}.js`, withOlderSyntax(text))
    return resultsOf(startChild(engine.program, { args: [...FAST, '-Xes6-promise', script], cwd: project.folder }))
  },
}

/** The row of the compiler, which has no engine. Its one step is that it accepts the cell. */
export const hermesCompiler: Runtime = {
  title: 'Hermes 1.0, its compiler',
  version: compiler.version,
  absent: compiler.absent,
  isPinned: true,
  left,
  async run(cell, project) {
    const script = write(project, `hermesc-${cell.id}.js`, await scriptOf(cell, project))
    const args = [...FAST, '-emit-binary', '-out', `${script}.hbc`, script]
    const child = startChild(compiler.program, { args, cwd: project.folder })
    const { code } = await child.exited
    const errors = child.err.split('\n').filter((line) => line.includes(': error:'))
    return [{ name: 'compiles', ...(code !== 0 && { problem: (errors[0] ?? child.err).slice(0, 500) }) }]
  },
}

function write({ folder }: Project, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Bytes of random numbers that a script may take. */
const RANDOM_BYTES = 4_096

/**
 * What the app has before the polyfills. The command line has no source of random numbers, so that the script has bytes
 * that take the place of Expo's native module. Its `setTimeout` does not wait, so that it counts as absent, for which
 * `clearTimeout` is enough.
 */
function globalsOfApp(): string {
  return `globalThis.global = globalThis
globalThis.clearTimeout = undefined
if (Symbol.asyncIterator === undefined) Object.defineProperty(Symbol, 'asyncIterator', { value: Symbol('Symbol.asyncIterator') })
const random = '${randomBytes(RANDOM_BYTES).toString('hex')}'
let taken = 0
const getRandomValues = (array) => {
  for (let at = 0; at < array.length; at++, taken += 2) {
    if (taken >= random.length) throw new Error('no random bytes are left')
    array[at] = parseInt(random.slice(taken, taken + 2), 16)
  }
}
globalThis.expo = { modules: { ExpoCrypto: { getRandomValues } } }
`
}

/**
 * The packages whose globals an app brings, as one script. React Native is there for its native modules, which are not
 * used.
 */
async function polyfills(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { TextDecoder, TextEncoder } from 'text-encoding'
import 'react-native-get-random-values'
globalThis.TextEncoder = TextEncoder
globalThis.TextDecoder = TextDecoder`,
      resolveDir: dirname(packageFile('text-encoding')),
    },
    bundle: true,
    format: 'iife',
    external: ['react-native'],
    banner: { js: 'globalThis.require = () => ({});' },
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

const babel = '@babel/core'
const preset = '@react-native/babel-preset'

interface Babel {
  transformSync(text: string, options: object): { code: string } | null
}

/** Replaces the syntax that Hermes before 1.0 lacks, as an app does: with the preset of React Native alone. */
function withOlderSyntax(text: string): string {
  const require = createRequire(packageFile(preset))
  const { transformSync } = require(babel) as Babel
  const options = {
    enableBabelRuntime: false,
    disableImportExportTransform: true,
    // The profile of engines without classes. The one of Hermes 1.0 is the default.
    unstable_transformProfile: 'default',
    dev: false,
  }
  const made = transformSync(text, {
    presets: [[require.resolve(preset), options]],
    configFile: false,
    babelrc: false,
    // Babel says that it does not indent files of this size.
    compact: true,
    filename: 'app.js',
  })
  return made!.code
}

const TAIL = `cell.report().then((results) => print('${MARK}' + JSON.stringify(results)), (error) => print(String(error)))
`
