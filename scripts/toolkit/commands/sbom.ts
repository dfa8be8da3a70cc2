/** `svc-build sbom`: the bill of materials of what was really bundled. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from '../../build/prove/prove.ts'
import { toolFail } from '../errors.ts'
import { DIST_WORD, type Dist, openDist } from '../open-dist.ts'
import { type Carried, type Component, sbomOf } from '../sbom/sbom.ts'
import type { Tool } from '../tool.ts'
import { writeOut } from '../write-out.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `CycloneDX 1.6 of the packages of which a byte is in a bundle, of WebAssembly and addons, and of Node where there is an
executable. It has no date: the same build has the same bill. An executable also prints its own: svc build-info --sbom.
The profile is ${DIST_WORD}.`,
  example: 'svc-build sbom minimal --out minimal.cdx.json',
  options: {
    file: { type: 'string', value: 'NAME', summary: 'of one file of the build only, such as index.mjs' },
    out: { type: 'string', value: 'FILE', summary: 'write it there instead of to stdout' },
  },
  words: [1, 1],
  run: async ({ words, value, io }) => {
    const dist = await openDist(words[0]!)
    const file = value('file')
    const files = dist.account.bundles.map((one) => one.file)
    if (file !== undefined && !files.includes(file)) {
      throw toolFail('ERR_TOOL_UNKNOWN', {
        message: `There is no bundle ${file}.`,
        hint: `There are ${files.join(', ')}.`,
      })
    }
    const sbom = sbomOf(dist.account, file, carriedBy(dist, file))
    const components = sbom['components'] as readonly Component[]
    return writeOut(sbom, value('out'), io, `${components.length} components`)
  },
}

/** What the executable carries, where there is one and it is asked for. */
function carriedBy({ folder, account }: Dist, file: string | undefined): Carried {
  if (!account.bundles.some((one) => one.file === EXECUTABLE) || (file !== undefined && file !== EXECUTABLE)) return {}
  const manifests = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    svc?: { runtime: { node: string; sha256: string }; binaries: { name: string; sha256: string | null }[] }
  }
  const { runtime, binaries = [] } = manifests.svc ?? {}
  return { ...(runtime && { node: { version: runtime.node, sha256: runtime.sha256 } }), binaries }
}
