/** Profiles in unusual places, and packages with hostile metadata. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { folderWith } from '../../support/folder.ts'
import type { Case } from '../case.ts'
import { rigIn } from '../rig.ts'

const STEERING = '\u001b]0;owned\u0007\u001b[2J'

/** Copies the build cache of one folder to another, so that its first build does not read every file again. */
function keepCacheOf(home: string, folder: string): void {
  cpSync(join(home, '.build/cache'), join(folder, '.build/cache'), { recursive: true })
}

/** The cases. */
export const hostileCases: readonly Case[] = [
  [
    'a profile behind a link, in a read-only folder with spaces and quotes in its name, with a package that contains HTML and control characters',
    ({ folder: home, read }) => {
      const at = join(folderWith(), `it's a "folder" with <b> & more é`)
      const put = (name: string, text: string): void => {
        mkdirSync(dirname(join(at, name)), { recursive: true })
        writeFileSync(join(at, name), text)
      }
      const script = '<script>alert(1)</script>'
      const quote = read('quote.ts')
        .replace("'So be it.'", 'more')
        .replace("'Quotes by number'", JSON.stringify(`"><img src=x onerror=alert(1)>`))
        .replace("platform: 'web',", "platform: 'web', packages: ['evil'],")
      put('quote.ts', `import { text as more } from 'evil'\n${quote}`)
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
          .replace("name: 'edge'", "name: 'odd'"),
      )
      const before = readdirSync(at, { recursive: true }).sort()
      chmodSync(at, 0o555)
      const work = folderWith()
      keepCacheOf(home, work)
      symlinkSync(at, join(work, 'link'))
      const { good, run, read: made } = rigIn(work, home)
      assert.match(good('build', 'link/edge.ts'), /→ \.\/dist\/odd\/\n$/)
      assert.equal(readdirSync(at, { recursive: true }).sort(), before, 'nothing is written beside the profile')
      const outputs = [
        'explain link/edge.ts evil',
        'notice link/edge.ts',
        'sbom link/edge.ts',
        'diff minimal link/edge.ts',
      ].map((line) => good(...line.split(' ')))
      for (const text of outputs) assert.not.match(text, /[\u0000-\u0008\u000b-\u001f\u007f]/)
      assert.match(outputs[0]!, 'package evil is in odd')
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
    'a folder that cannot be written is named in the error, without a stack, and no partial output is left',
    ({ folder: home }) => {
      const work = folderWith({ dist: 'a file in the place of the folder\n', 'edge.ts': '' })
      keepCacheOf(home, work)
      const { run, json } = rigIn(work, home)
      const { code, out, err } = run(['build', 'embedded-mobile'])
      assert.is(code, 78)
      assert.is(out, '')
      assert.match(err, /\/dist\/embedded-mobile\.unfinished'\.\n {2}→ Is there such a folder/)
      assert.not.match(err, /^ {4}at /m)
      const { error } = json<{ error: { code: string } }>(
        ['report', join(home, 'dist/edge'), '--out', 'dist/x.html'],
        78,
      )
      assert.is(error.code, 'ERR_TOOL_INPUT')
      assert.equal(readdirSync(work).sort(), ['.build', 'dist', 'edge.ts'])
    },
  ],
  [
    'files that are much too large are refused before they are read',
    ({ run, write, path }) => {
      for (const name of ['large.json', 'large.pem']) {
        write(name, '')
        truncateSync(path(name), 2 ** 33)
      }
      assert.match(run(['advisory', 'edge.ts', 'large.json']).err, /large\.json cannot be read: it has over/)
      for (const args of [
        ['sign', 'edge.ts', '--key', 'large.pem'],
        ['verify', 'edge.ts', '--key', 'large.pem'],
      ]) {
        const { code, err } = run(args)
        assert.is(code, 78, err)
        assert.match(err, 'large.pem holds no Ed25519 key in PEM: it has over')
      }
      const signature = run(['verify', 'edge.ts', '--key', 'release.pem.pub', '--signature', 'large.json'])
      assert.is(signature.code, 1)
      assert.match(signature.out, /FAIL signature\n {5}\.\/large\.json holds no signature: it has over/)
      mkdirSync(path('large'))
      write('large/account.json', '')
      truncateSync(path('large/account.json'), 2 ** 33)
      assert.match(run(['explain', './large', 'jose']).err, 'large holds no account.json that can be read.')
    },
  ],
  [
    'without its own Node svc-build fails with a message, and does not start another Node',
    ({ run, path }) => {
      const name = readdirSync(path('node_modules/svc-toolkit/toolkit/node_modules')).find((entry) =>
        /^node-(?:bin-)?\w+-/.test(entry),
      )!
      const node = path(`node_modules/svc-toolkit/toolkit/node_modules/${name}/bin/node`)
      renameSync(node, `${node}.away`)
      try {
        const { code, out, err } = run(['--version'])
        assert.equal([code, out], [78, ''])
        assert.match(err, `The toolkit's own Node is not installed: ${node}\n  → `)
      } finally {
        renameSync(`${node}.away`, node)
      }
    },
  ],
  [
    'a folder without a readable build is refused',
    ({ run, write, path }) => {
      write('account.json', '{}')
      mkdirSync(path('types'), { recursive: true })
      const { code, err } = run(['explain', './types', 'jose'])
      assert.is(code, 78)
      assert.match(err, /types holds no account\.json that can be read\.\n {2}→ Build the profile/)
      assert.is(run(['verify', './types']).code, 78)
    },
  ],
]
