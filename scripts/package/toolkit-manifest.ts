/** The two package.json files of the toolkit's package, and the installed packages that it contains. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

/** The development dependencies that build, prove and create executables, describe them, and run contracts. */
const tools = ['@cyclonedx/cyclonedx-library', 'esbuild', 'postject', 'spdx-expression-parse', 'typescript', 'uvu']

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

/** The contents of the toolkit's package. */
export interface ToolkitPackage {
  readonly manifest: Readonly<Record<string, unknown>>
  /** The package.json of the inner folder, with the members that the sources read. */
  readonly inner: Readonly<Record<string, unknown>>
  /** Paths of packages, such as `node_modules/pino`. */
  readonly places: readonly string[]
}

/**
 * Creates both manifests. The toolkit's package contains the other packages, each at its path in the lock file: the
 * proof checks every file of them against its pin, and a registry could serve another version later. So the package is
 * specific to this platform. Its manifest does not list the inner packages, because yarn would request each from a
 * registry.
 */
export function toolkitManifest(): ToolkitPackage {
  const { version, license, imports, ...groups } = readJson<RootManifest>('package.json')
  const { packages } = readJson<{ packages: Readonly<Record<string, LockEntry>> }>('package-lock.json')
  const dependencies = {
    ...groups.dependencies,
    ...groups.optionalDependencies,
    ...pick(groups.devDependencies, tools),
  }
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
  const names = Object.keys(dependencies).filter((name) => isInstalled(`node_modules/${name}`))
  return { manifest, inner, places: reached(packages, names) }
}

/** The paths of all installed packages that `names` depend on, resolved as Node resolves them. */
function reached(packages: Readonly<Record<string, LockEntry>>, names: readonly string[]): string[] {
  const places = new Set<string>()
  const visit = (name: string, from: string): void => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
      const entry = packages[place]
      if (entry !== undefined && isInstalled(place)) {
        if (places.has(place)) return
        places.add(place)
        const next = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
        for (const one of Object.keys(next)) visit(one, place)
        return
      }
      if (at === '') return
    }
  }
  for (const name of names) visit(name, '')
  return [...places].sort()
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
