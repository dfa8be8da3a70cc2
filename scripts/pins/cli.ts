/** `make pins`: downloads the packages and writes package-trees.json, after a change of package-lock.json. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { downloadPackage } from '../build/prove/packages/download.ts'
import { counts, type Locked, lockedPackages, type Pin, pinsFile } from '../build/prove/packages/pins.ts'
import { treeHash } from '../build/prove/packages/tree-hash.ts'

/** Development tools that create a build or its proof. All other development tools do not affect either. */
const tools =
  /^node_modules\/(esbuild|@esbuild\/[^/]+|typescript|postject(\/node_modules\/commander)?|commander|uWebSockets\.js)$/

/** Platforms for which package.json pins a Node. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']

const work = mkdtempSync(join(tmpdir(), 'svc-pins-'))
try {
  const pinned: Record<string, Pin> = {}
  const wanted = Object.entries(lockedPackages()).filter(([place, entry]) => isWanted(place, entry))
  for (const [place, entry] of wanted) pinned[place] = pin(place, entry)
  writeFileSync(pinsFile, `${JSON.stringify(pinned, null, 2)}\n`)
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

function pin(place: string, entry: Locked): Pin {
  const folder = join(work, 'package')
  rmSync(folder, { recursive: true, force: true })
  downloadPackage(place, entry, folder)
  return {
    version: entry.version,
    integrity: entry.integrity!,
    sha256: treeHash(folder, (file) => counts(place, file)),
  }
}
