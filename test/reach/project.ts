/**
 * A project with the packed library installed: the library's modules by name and by path, and one module for each cell.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync, transformSync } from 'esbuild'
import { distDir, root } from '../../scripts/build/paths.ts'
import type { Cell, VectorSuite } from './cells.ts'

/** How the modules of a platform import those of the package. */
export type Naming = 'names' | 'paths'

/** The project on disk. */
export interface Project {
  readonly folder: string
  /** Paths of the modules of the suites, below the folder. */
  readonly suites: readonly string[]
  /** Path of the file behind an entry, below the folder. */
  fileOf(entry: string): string
  /** Paths of the files that an entry loads on demand. */
  partsOf(entry: string): readonly string[]
  /**
   * Writes the module of a cell and returns its name. The module exports `report()`, which resolves with the results.
   */
  writeCell(cell: Cell, naming: Naming, sqlWasm: string): string
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The tarball under test. */
export const tarball: string = join(distDir('minimal'), '..', `svc-${version}.tgz`)

/** The reason why there is no project. Undefined if the package was built. */
export const unpacked: string | undefined = existsSync(tarball) ? undefined : 'make package has not been run'

const suites = ['runner', 'minimal', 'client', 'embedded-engine', 'embedded-mobile', 'embedded-native', 'node']

/** Creates the project in an empty folder. */
export function makeProject(folder: string): Project {
  rmSync(folder, { recursive: true, force: true })
  const installed = join(folder, 'node_modules', 'svc')
  mkdirSync(installed, { recursive: true })
  mkdirSync(join(folder, 'suite'))
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  symlinkSync(join('node_modules', 'svc'), join(folder, 'svc'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "reach", "private": true, "type": "module" }\n')
  for (const name of suites) writeFileSync(join(folder, 'suite', `${name}.js`), withoutTypes(name))
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, { default: string }>>
  }
  const fileOf = (entry: string): string => `svc/${exports[entry.replace(/^svc/, '.')]!.default.slice(2)}`
  return {
    folder,
    suites: suites.map((name) => `suite/${name}.js`),
    fileOf,
    partsOf: (entry) =>
      entry === 'svc/minimal'
        ? globSync('svc/minimal/*-*.mjs', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))
        : [],
    writeCell(cell, naming, sqlWasm) {
      const specifier = (entry: string): string => (naming === 'names' ? entry : `./${fileOf(entry)}`)
      const name = `${cell.id}.js`
      if (cell.vectors !== undefined) {
        bundleVectors(cell.vectors, join(folder, name))
        return name
      }
      const imports = cell.entries.map((entry, index) => `import * as entry${index} from '${specifier(entry)}'`)
      const report = `import { runSteps } from './suite/runner.js'\nexport const report = () => runSteps(steps())`
      writeFileSync(join(folder, name), [...imports, cell.steps, report, ''].join('\n'))
      if (cell.asm === true) bundleSqlAsm(join(folder, 'sql-asm.js'))
      if (cell.wasm === true) writeFileSync(join(folder, 'sql-wasm.js'), sqlWasm)
      return name
    },
  }
}

/** Bundles the suite, the sources under test and the cases into one module without imports. */
function bundleVectors({ module, steps, cases }: VectorSuite, outfile: string): void {
  const contents = `import { runSteps } from './runner.ts'
import { ${steps} } from './${module}.ts'
const cases = JSON.parse(${JSON.stringify(JSON.stringify(cases()))})
export const report = () => runSteps(${steps}(cases))
`
  buildSync({
    stdin: { contents, resolveDir: join(import.meta.dirname, 'suite'), loader: 'js' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    charset: 'utf8',
    logLevel: 'error',
  })
}

/**
 * Bundles the asm.js build of sql.js into one module, for realms that have neither WebAssembly nor a host. It would
 * take a process, a worker or a page for its platform, and needs a console.
 */
function bundleSqlAsm(outfile: string): void {
  buildSync({
    stdin: {
      contents: `import startSqlJs from ${JSON.stringify(join(root, 'node_modules/sql.js/dist/sql-asm.js'))}\nexport default startSqlJs`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    minifyWhitespace: true,
    banner: { js: 'const silentConsole = { log() {}, error() {}, warn() {} }' },
    define: {
      console: 'silentConsole',
      ...Object.fromEntries(
        ['process', 'window', 'document', 'WorkerGlobalScope'].map((name) => [`globalThis.${name}`, 'undefined']),
      ),
    },
    logLevel: 'error',
  })
}

/** The bytes of the engine's WebAssembly, as a module that any platform with base64 can import. */
export function wasmAsText({ folder }: Project): string {
  const bytes = readFileSync(join(folder, 'svc/embedded-mobile/sql-wasm.wasm'))
  return `export default Uint8Array.from(atob('${bytes.toString('base64')}'), (byte) => byte.charCodeAt(0))\n`
}

function withoutTypes(name: string): string {
  const source = readFileSync(join(import.meta.dirname, 'suite', `${name}.ts`), 'utf8')
  return transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' }).code.replace(/\.ts";/g, '.js";')
}
