/** The package.json of the npm package. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { libraryNode, type PackageCode } from './code.ts'
import { codeOf, entries, NO_CODE, peers, typesEntries } from './entries.ts'

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

/** Creates the manifest from the project's package.json and from the externals and assets of the code. */
export function packageManifest({ externals, assets }: PackageCode): Record<string, unknown> {
  const { name, version, description, license, type, ...dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as RootManifest
  const exported = entries.map((entry) => [
    entry.subpath,
    {
      types: entry.form === undefined ? `./${entry.name}.d.ts` : `${entry.subpath}.d.ts`,
      default: `./${codeOf(entry)}`,
    },
  ])
  return {
    name,
    version,
    private: true,
    description,
    license,
    type,
    // For the libraries; the command checks its own requirement.
    engines: { node: libraryNode },
    sideEffects: ['./svc.js', './program.js'],
    exports: {
      ...Object.fromEntries(exported),
      ...Object.fromEntries(
        typesEntries.map(({ name, subpath }) => [subpath, { types: `./${name}.d.ts`, default: `./${NO_CODE}` }]),
      ),
      ...Object.fromEntries(assets.map((path) => [`./${path}`, `./${path}`])),
      './package.json': './package.json',
    },
    bin: { [name]: './svc.js' },
    ...needs(externals, dependencies),
  }
}

/**
 * Native addons are large, and only the command needs them, so users of a library must not have to install them. Each
 * is an optional peer dependency, which npm installs only if the user names it; the command reports a missing one. An
 * addon that this project installs under an alias may have any version, because the user chooses the alias. The
 * packages that single entries import are optional in the same way.
 */
function needs(
  externals: readonly string[],
  {
    dependencies,
    optionalDependencies,
    devDependencies,
  }: Omit<RootManifest, 'name' | 'version' | 'description' | 'license' | 'type'>,
): Record<string, unknown> {
  const externalPeers = externals.map((name) => {
    const wanted = dependencies[name] ?? optionalDependencies[name] ?? devDependencies[name]
    if (wanted === undefined) throw new TypeError(`${name} stays outside of a bundle and is not in package.json`)
    return [name, /^(?:npm:|git)/.test(wanted) ? '*' : `^${wanted}`] as const
  })
  const all = [...externalPeers, ...Object.entries(peers)]
  return {
    peerDependencies: Object.fromEntries(all),
    peerDependenciesMeta: Object.fromEntries(all.map(([name]) => [name, { optional: true }])),
  }
}
