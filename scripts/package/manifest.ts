/** The package.json of what is packed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import type { PackageCode } from './code.ts'
import { codeOf, entries } from './entries.ts'

interface RootManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Makes it from the project's own and from what the code turned out to need. */
export function packageManifest({ externals, assets }: PackageCode): Record<string, unknown> {
  const { name, version, description, license, type, ...dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as RootManifest
  const exported = entries.map((entry) => [
    entry.subpath,
    { types: `./${entry.name}.d.ts`, default: `./${codeOf(entry)}` },
  ])
  return {
    name,
    version,
    private: true,
    description,
    license,
    type,
    // The program and svc use what Node has from 22 on.
    engines: { node: '>=22.16' },
    sideEffects: ['./svc.js'],
    exports: {
      ...Object.fromEntries(exported),
      ...Object.fromEntries(assets.map((path) => [`./${path}`, `./${path}`])),
      './package.json': './package.json',
    },
    bin: { [name]: './svc.js' },
    ...needs(externals, dependencies),
  }
}

/**
 * Native addons are optional: without them something slower or nothing takes their place. One that this project installs
 * under an alias is a peer, as the alias is for whoever installs to choose.
 */
function needs(
  externals: readonly string[],
  {
    dependencies,
    optionalDependencies,
    devDependencies,
  }: Pick<RootManifest, 'dependencies' | 'optionalDependencies' | 'devDependencies'>,
): Record<string, unknown> {
  const groups: Record<string, Record<string, unknown>> = {}
  const put = (group: string, name: string, value: unknown): void => void ((groups[group] ??= {})[name] = value)
  for (const name of externals) {
    const wanted = dependencies[name] ?? optionalDependencies[name] ?? devDependencies[name]
    if (wanted === undefined) throw new TypeError(`${name} stays outside of a bundle and is not in package.json`)
    if (wanted.startsWith('npm:') || wanted.startsWith('git')) {
      put('peerDependencies', name, '*')
      put('peerDependenciesMeta', name, { optional: true })
    } else put(name in dependencies ? 'dependencies' : 'optionalDependencies', name, wanted)
  }
  return groups
}
