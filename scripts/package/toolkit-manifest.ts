/** The two package.json of the toolkit's package, and the installed packages that go into it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

/** The development dependencies that make builds, proofs and executables, and run contracts. */
const tools = ['esbuild', 'postject', 'typescript', 'uvu']

interface RootManifest {
  readonly version: string
  readonly license: string
  readonly imports: unknown
  readonly dependencies: Names
  readonly optionalDependencies: Names
  readonly devDependencies: Names
}

type Names = Readonly<Record<string, string>>

interface LockEntry {
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
}

/** What the package of the toolkit is made of. */
export interface ToolkitPackage {
  readonly manifest: Readonly<Record<string, unknown>>
  /** The package.json of the sources inside: what they read of the project's own. */
  readonly inner: Readonly<Record<string, unknown>>
  /** Places of packages, such as `node_modules/pino`. */
  readonly places: readonly string[]
}

/**
 * Makes it. The packages travel inside, each at the place that the lock file gives it: the proof holds every file of them
 * to its pin, and a registry may serve another version tomorrow. So the package is one of this platform. It names none of them,
 * because yarn would ask a registry for each that it names.
 */
export function toolkitManifest(): ToolkitPackage {
  const { version, license, imports, ...groups } = readJson<RootManifest>('package.json')
  const { packages } = readJson<{ packages: Readonly<Record<string, LockEntry>> }>('package-lock.json')
  const own = { ...groups.dependencies, ...groups.optionalDependencies, ...pick(groups.devDependencies, tools) }
  const manifest = {
    name: 'svc-toolkit',
    version,
    private: true,
    description: 'svc-build: builds a service into exactly the profile you want, and proves what is in and what is out',
    license,
    type: 'module',
    engines: { node: '>=20' },
    os: [process.platform],
    cpu: [process.arch],
    bin: { 'svc-build': './svc-build.js' },
    exports: { './package.json': './package.json' },
  }
  const inner = { name: 'svc', version, private: true, type: 'module', imports, ...groups }
  const names = Object.keys(own).filter((name) => isInstalled(`node_modules/${name}`))
  return { manifest, inner, places: reached(packages, names) }
}

/** The places of all installed packages that some of them lead to, each found as Node would find it. */
function reached(packages: Readonly<Record<string, LockEntry>>, names: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (name: string, from: string): void => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
      const entry = packages[place]
      if (entry !== undefined && isInstalled(place)) {
        if (found.has(place)) return
        found.add(place)
        const next = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
        for (const one of Object.keys(next)) visit(one, place)
        return
      }
      if (at === '') return
    }
  }
  for (const name of names) visit(name, '')
  return [...found].sort()
}

function isInstalled(place: string): boolean {
  return existsSync(join(root, place, 'package.json'))
}

function pick(all: Names, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, all[name]!]))
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as T
}
