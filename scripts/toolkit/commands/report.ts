/** `svc-build report`: writes a page about one build, or about two side by side. */
import { resolve } from 'node:path'
import { shown, workDir } from '../../build/paths.ts'
import { writeFile } from '../files.ts'
import { DIST_WORD, openDist } from '../open-dist.ts'
import { reportPage } from '../report/page.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile> [profile]',
  about: `Writes one HTML page without any script: the bytes of each bundle by feature, package and file, the packages with their
licences, the absent features with their controls; with two builds also what they differ in.
Each is ${DIST_WORD}.`,
  example: 'svc-build report minimal --out minimal.html',
  options: { out: { type: 'string', value: 'FILE', summary: 'where to write it; dist/<profile>.html where absent' } },
  words: [1, 2],
  run: async ({ words, value, io }) => {
    const first = await openDist(words[0]!)
    const second = words[1] === undefined ? undefined : await openDist(words[1])
    const file = resolve(value('out') ?? `${first.folder}.html`)
    const page = reportPage(first, second)
    writeFile(file, page)
    io.out(`→ ${shown(file, workDir)} (${(page.length / 1024).toFixed(0)} KiB)`)
    return { json: { file, bytes: Buffer.byteLength(page) } }
  },
}
