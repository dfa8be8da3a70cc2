/** `svc-build sbom`: writes the bill of materials of the bundled code. */
import { toolFail } from '../errors.ts'
import { writeOut } from '../files.ts'
import { DIST_WORD, openDist } from '../open-dist.ts'
import { sbomOfDist } from '../sbom/sbom.ts'
import type { Tool } from '../tool.ts'

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
    const sbom = sbomOfDist(dist, file)
    const components = sbom['components'] as readonly { readonly type: string }[]
    return writeOut(sbom, value('out'), io, `${components.length} components`)
  },
}
