/**
 * Builds once in a run what ships: the packages, the executables, and the bundles of all profiles in them. A record has
 * the hash of the sources and of what was built. A run with the same sources builds nothing, and a test that changes
 * `dist/`, which it should only read, is found.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { distDir, root, workDir } from '../../scripts/build/paths.ts'
import { standardProfiles } from '../../scripts/build/plan/read-profile.ts'
import { treeHash } from '../../scripts/build/prove/packages/tree-hash.ts'

/** The folders that builds read. */
const SOURCES = ['core', 'plugins', 'profiles', 'scripts', 'docs']

/** Folders of test files that use nothing of `dist/` and write nothing to `.build/`: they run while it is built. */
const INDEPENDENT = ['test/architecture/', 'test/fuzz/', 'test/runner/', 'test/simulation/', 'test/unit/']
const DEPENDENT = ['test/unit/build/', 'test/unit/package/', 'test/unit/toolkit/']

/** What is known of `dist/`. */
interface Shipped {
  /** SHA-256 of the sources. */
  readonly sources: string
  /** SHA-256 of what was built from them. */
  readonly made: string
}

/** How the build went. */
export interface BuildResult {
  readonly code: number | null
  readonly output: string
  readonly durationMs: number
}

const record = join(workDir, '.build', 'shipped.json')

/** Whether a test file needs nothing that is built. */
export function needsNoBuild(file: string): boolean {
  const under = (folder: string): boolean => file.startsWith(folder)
  return INDEPENDENT.some(under) && !DEPENDENT.some(under)
}

/** Whether `dist/` has what these sources make. */
export function isBuilt(): boolean {
  const known = readRecord()
  return known !== undefined && known.sources === hashOfSources() && known.made === hashOfDist()
}

/** Whether `dist/` is still what the last build left there. True where nothing was built. */
export function isUntouched(): boolean {
  const known = readRecord()
  return known === undefined || known.made === hashOfDist()
}

/** Runs `make package binary`, builds the profiles that no package has, and records what all was made of. */
export async function build(): Promise<BuildResult> {
  const [sinceMs, sinceDate] = [performance.now(), Date.now()]
  const sources = hashOfSources()
  let { code, output } = await make('package', 'binary')
  for (const profile of standardProfiles()) {
    const manifest = statSync(join(distDir(profile), 'manifest.json'), { throwIfNoEntry: false })
    if (code !== 0 || (manifest?.mtimeMs ?? 0) >= sinceDate) continue
    const one = await make('build', `PROFILE=${profile}`)
    code = one.code
    output += one.output
  }
  if (code === 0) {
    mkdirSync(dirname(record), { recursive: true })
    writeFileSync(record, JSON.stringify({ sources, made: hashOfDist() } satisfies Shipped))
  }
  return { code, output, durationMs: performance.now() - sinceMs }
}

async function make(...args: readonly string[]): Promise<Pick<BuildResult, 'code' | 'output'>> {
  let output = ''
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('make', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    process.once('exit', () => child.kill())
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', reject).once('close', resolve)
  })
  return { code, output }
}

function readRecord(): Shipped | undefined {
  if (!existsSync(record)) return undefined
  const { sources, made } = JSON.parse(readFileSync(record, 'utf8')) as Partial<Shipped>
  return sources === undefined || made === undefined ? undefined : { sources, made }
}

function hashOfSources(): string {
  const files = readdirSync(root).filter((name) => !name.startsWith('.') && statSync(join(root, name)).isFile())
  return hashOf(root, [...SOURCES, ...files])
}

function hashOfDist(): string {
  const names = [...standardProfiles(), 'npm', 'npm-toolkit']
  const tarballs = existsSync(distDir('')) ? readdirSync(distDir('')).filter((name) => name.endsWith('.tgz')) : []
  return hashOf(distDir(''), [...names, ...tarballs])
}

/** One hash for files and folders of `folder`. What is not there counts as such. */
function hashOf(folder: string, names: readonly string[]): string {
  const hash = createHash('sha256')
  for (const name of [...names].sort()) {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    const content = stat?.isDirectory() === true ? treeHash(path) : stat?.isFile() === true ? fileHash(path) : 'absent'
    hash.update(`${name}\0${content}\n`)
  }
  return hash.digest('hex')
}

function fileHash(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
