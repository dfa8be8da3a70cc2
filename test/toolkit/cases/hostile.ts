/** Profiles in odd places, and packages that want to be more than packages. */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { folderWith } from '../../support/folder.ts'
import type { Case } from '../case.ts'
import { rigIn } from '../rig.ts'

const STEERING = '\u001b]0;owned\u0007\u001b[2J'

/** The cases. */
export const hostileCases: readonly Case[] = [
  [
    'a profile behind a link, in a folder with blanks and a quote that it may not write to, with a package that tries to be seen',
    ({ folder: home, read }) => {
      const at = join(folderWith(), `it's a folder with <b> & more`)
      const put = (name: string, text: string): void => {
        mkdirSync(dirname(join(at, name)), { recursive: true })
        writeFileSync(join(at, name), text)
      }
      const script = '<script>alert(1)</script>'
      put('quote/contract.ts', read('quote/contract.ts'))
      put('quote/more-cases.ts', read('quote/more-cases.ts'))
      put('quote/operations.ts', read('quote/operations.ts'))
      put(
        'quote/plugin.ts',
        `import { text as more } from 'evil'\n${read('quote/plugin.ts').replace("'So be it.'", 'more')}`,
      )
      put(
        'node_modules/evil/package.json',
        JSON.stringify({
          name: 'evil',
          version: `1.0.0${script}`,
          type: 'module',
          main: 'index.js',
          license: `MIT${STEERING}${script}`,
        }),
      )
      put('node_modules/evil/index.js', "export const text = 'So be it.'\n")
      put('node_modules/evil/LICENSE', `Do what you want.${STEERING}\n`)
      put(
        'edge.ts',
        read('edge.ts')
          .replace("'A small server with quotes'", JSON.stringify(`${script}${STEERING}`))
          .replace("'Quotes by number'", JSON.stringify(`"><img src=x onerror=alert(1)>`))
          .replace('      contract,', "      contract,\n      packages: ['evil'],")
          .replace("name: 'edge'", "name: 'odd'"),
      )
      const before = readdirSync(at, { recursive: true }).sort()
      chmodSync(at, 0o555)
      const work = folderWith()
      symlinkSync(at, join(work, 'link'))
      const { good, run, read: made } = rigIn(work, home)
      assert.match(good('build', 'link/edge.ts'), /→ \.\/dist\/odd\/\n$/)
      assert.equal(readdirSync(at, { recursive: true }).sort(), before, 'nothing is written beside the profile')
      const said = [
        'explain link/edge.ts evil',
        'notice link/edge.ts',
        'sbom link/edge.ts',
        'diff minimal link/edge.ts',
      ].map((line) => good(...line.split(' ')))
      for (const text of said) assert.not.match(text, /[\u0000-\u0008\u000b-\u001f\u007f]/)
      assert.match(said[0]!, 'package evil is in odd')
      good('report', 'link/edge.ts', '--out', 'report.html')
      const page = made('report.html')
      assert.not.match(page, /<script|<img/i)
      assert.match(page, '&#60;script&#62;alert(1)&#60;/script&#62;')
      const { code, out } = run(['verify', 'link/edge.ts'])
      assert.is(code, 0, out)
      chmodSync(at, 0o755)
    },
  ],
  [
    'what is in the folder of a build is no profile, and a folder without a build is said to be none',
    ({ run, write }) => {
      write('account.json', '{}')
      const { code, err } = run(['explain', './quote', 'jose'])
      assert.is(code, 78)
      assert.match(err, /quote holds no account\.json that can be read\.\n {2}→ Build the profile/)
      assert.is(run(['verify', './quote']).code, 78)
    },
  ],
]
