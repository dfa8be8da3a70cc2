/**
 * Bundlers: each bundles the packed library with its suite, with and without minification, and Node runs the result.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { startChild } from '../support/child.ts'
import type { Cell } from './cells.ts'
import { makeProject, type Project, wasmAsText } from './project.ts'
import { installed, packageFile } from './runtimes/installed.ts'
import { MARK, resultsOf } from './runtimes/runtime.ts'

/** One row of the table of bundlers. */
export interface Bundler {
  readonly title: string
  readonly version: string
  readonly absent: string | undefined
  /** The bundler's program and its arguments. Its warnings go to stderr. */
  command(options: BundleOptions): readonly string[]
}

interface BundleOptions {
  readonly folder: string
  readonly main: string
  readonly out: string
  readonly minify: boolean
}

/** The result of one bundle of an entry. */
export interface BundleRun {
  readonly passed: number
  readonly of: number
  /** Bytes of all files after compression, including the suite. */
  readonly gzipBytes: number
  /** The warnings that the bundler wrote to stderr. */
  readonly warnings: string
  readonly problems: readonly string[]
}

/** The results with and without minification. */
export interface BundleOutcome {
  readonly minified: BundleRun
  readonly plain: BundleRun
}

/** A bundler that is called by a script. `body` has `options` and `require` in scope. */
function byScript(title: string, name: string, body: string): Bundler {
  return {
    title,
    ...installed(name, 'package.json'),
    command(options) {
      const script = join(options.folder, `bundle-${title}.mjs`)
      const url = pathToFileURL(packageFile(name)).href
      const text = `import { createRequire } from 'node:module'
const options = ${JSON.stringify(options)}
const require = createRequire(${JSON.stringify(url)})
${body}`
      writeFileSync(script, text)
      return [process.execPath, script]
    },
  }
}

/** webpack and Rspack have the same form of configuration. */
const compiler = (name: string): string => `const { default: made, ...rest } = await import(require.resolve('${name}'))
const compile = made?.rspack ?? made ?? rest.rspack
compile({
  mode: options.minify ? 'production' : 'development',
  devtool: false,
  context: options.folder,
  entry: './' + options.main,
  target: ['web', 'es2022'],
  experiments: { outputModule: true },
  output: { path: options.out, filename: 'main.mjs', module: true, chunkFormat: 'module', chunkLoading: 'import' },
  performance: false,
}, (error, stats) => {
  if (error) throw error
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
  for (const { message } of [...errors, ...warnings]) console.error(message)
  if (errors.length > 0) process.exitCode = 1
})
`

const bun = installed('@oven/bun-linux-x64', 'bin/bun')

/** Every bundler, in the order of the table. */
export const bundlers: readonly Bundler[] = [
  byScript(
    'esbuild',
    'esbuild',
    `const { build } = await import(require.resolve('esbuild'))
await build({
  entryPoints: [options.main], absWorkingDir: options.folder, outdir: options.out, outExtension: { '.js': '.mjs' },
  entryNames: 'main', bundle: true, splitting: true, format: 'esm', minify: options.minify, logLevel: 'warning',
})
`,
  ),
  byScript(
    'Vite',
    'vite',
    `const { build } = await import(require.resolve('vite'))
await build({
  root: options.folder, configFile: false, logLevel: 'warn',
  build: {
    outDir: options.out, minify: options.minify, target: 'es2022', modulePreload: false,
    rollupOptions: { input: options.main, output: { entryFileNames: 'main.mjs' } },
  },
})
`,
  ),
  byScript(
    'Rollup',
    'rollup',
    `const { rollup } = await import(require.resolve('rollup'))
const { exports } = JSON.parse((await import('node:fs')).readFileSync(options.folder + '/svc/package.json', 'utf8'))
const bundle = await rollup({
  input: options.folder + '/' + options.main,
  // What @rollup/plugin-node-resolve does with the one package here.
  plugins: [{ name: 'svc', resolveId: (name) =>
    name.startsWith('svc/') ? options.folder + '/node_modules/svc/' + exports['.' + name.slice(3)].default : null }],
})
await bundle.write({ dir: options.out, entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs', compact: options.minify })
`,
  ),
  byScript('webpack', 'webpack', compiler('webpack')),
  byScript('Rspack', '@rspack/core', compiler('@rspack/core')),
  {
    title: 'Bun',
    ...bun,
    command: ({ main, out, minify }) => [
      ...[bun.program, 'build', main, '--outdir', out, '--target', 'browser', '--format', 'esm', '--splitting'],
      ...['--entry-naming', 'main.mjs', '--chunk-naming', '[name]-[hash].mjs', ...(minify ? ['--minify'] : [])],
    ],
  },
]

/** Bundles a cell and runs the bundle, once minified and once not. */
export async function bundleCell(bundler: Bundler, cell: Cell, folder: string): Promise<BundleOutcome> {
  const project = makeProject(folder)
  const name = project.writeCell(cell, 'names', wasmAsText(project))
  const main = `main-${name}`
  const text = `import { report } from './${name}'\nreport().then((results) => console.log('${MARK}' + JSON.stringify(results)))\n`
  writeFileSync(join(folder, main), text)
  const plain = await bundleOnce(bundler, project, main, false)
  return { plain, minified: await bundleOnce(bundler, project, main, true) }
}

async function bundleOnce(bundler: Bundler, { folder }: Project, main: string, minify: boolean): Promise<BundleRun> {
  const out = join(folder, minify ? 'out-minified' : 'out')
  mkdirSync(out)
  const [program, ...args] = bundler.command({ folder, main, out, minify })
  const bundling = startChild(program!, { args, cwd: folder })
  const { code } = await bundling.exited
  if (code !== 0)
    return {
      passed: 0,
      of: 1,
      gzipBytes: 0,
      warnings: '',
      problems: [`${bundling.err}${bundling.out}`.slice(0, 1_500)],
    }
  const results = await resultsOf(startChild(process.execPath, { args: [join(out, 'main.mjs')], cwd: out }))
  const problems = results.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  const files = globSync('**/*.{js,mjs}', { cwd: out }).map((name) => readFileSync(join(out, name)))
  return {
    passed: results.length - problems.length,
    of: results.length,
    gzipBytes: files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0),
    warnings: bundling.err.trim(),
    problems,
  }
}
