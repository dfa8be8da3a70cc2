/** `make pins`: writes package-trees.json from the packages as they are downloaded, after a change of package-lock.json. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counts, type Locked, lockedPackages, type Pin, pinsFile } from '../build/prove/packages/pins.ts'
import { treeHash } from '../build/prove/packages/tree-hash.ts'

/** Development tools that make a build or its proof; everything else of that kind leaves no trace in either. */
const tools =
  /^node_modules\/(esbuild|@esbuild\/[^/]+|typescript|postject(\/node_modules\/commander)?|commander|uWebSockets\.js)$/

/** Platforms for which package.json pins a Node. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']

const work = mkdtempSync(join(tmpdir(), 'svc-pins-'))
try {
  const made: Record<string, Pin> = {}
  const wanted = Object.entries(lockedPackages()).filter(([place, entry]) => isWanted(place, entry))
  for (const [place, entry] of wanted) made[place] = pin(place, entry)
  writeFileSync(pinsFile, `${JSON.stringify(made, null, 2)}\n`)
  console.log(`→ package-trees.json (${wanted.length} packages)`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function isWanted(place: string, { dev, os, cpu, integrity }: Locked): boolean {
  if (integrity === undefined || (dev && !tools.test(place))) return false
  return platforms.some((platform) => {
    const [system, processor] = platform.split('-') as [string, string]
    return (os?.includes(system) ?? true) && (cpu?.includes(processor) ?? true)
  })
}

function pin(place: string, { version, name, integrity }: Locked): Pin {
  const spec = `${name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
  const folder = join(work, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const args = ['pack', spec, '--pack-destination', work, '--prefer-offline', '--silent']
  const file = join(work, execFileSync('npm', args, { encoding: 'utf8', cwd: work }).trim())
  const sha512 = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (sha512 !== integrity) throw new Error(`${spec} is ${sha512}, and the lock file says ${integrity}.`)
  // The first folder has no fixed name.
  execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  rmSync(file)
  return { version, integrity, sha256: treeHash(folder, (file) => counts(place, file)) }
}
