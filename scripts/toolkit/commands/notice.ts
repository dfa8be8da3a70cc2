/** `svc-build notice`: writes the licence texts of all delivered parts. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pinnedNode } from '../../binary/node-runtime.ts'
import { packagesIn } from '../../build/account/account.ts'
import { packageAt } from '../../build/account/packages.ts'
import { EXECUTABLE, root } from '../../build/paths.ts'
import { folderAt } from '../../build/prove/packages/identity.ts'
import { lockedPackages } from '../../build/prove/packages/pins.ts'
import { toolFail } from '../errors.ts'
import { writeOut } from '../files.ts'
import { DIST_WORD, type Dist, homeOf, openDist } from '../open-dist.ts'
import type { Tool } from '../tool.ts'

/** The licence of one part of a build. */
interface Notice {
  readonly name: string
  readonly version: string
  readonly licence: string | null
  readonly texts: readonly LicenceText[]
}

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `The licence and the licence texts of every package of which a byte is delivered, of native addons, and of Node where
there is an executable. The profile is ${DIST_WORD}.
A profile with \`licenses: ['MIT', 'Apache-2.0']\` allows no others: its build fails (ERR_POLICY_LICENCE).`,
  example: 'svc-build notice minimal --out NOTICE.txt',
  options: { out: { type: 'string', value: 'FILE', summary: 'write it there instead of to stdout' } },
  words: [1, 1],
  run: async ({ words, value, io }) => {
    const dist = await openDist(words[0]!)
    const { home } = dist.account
    const notices = noticesOf(dist, home === undefined ? await homeOf(words[0]!) : resolve(dist.folder, home))
    if (io.json && value('out') === undefined) return { json: notices }
    return writeOut(textOf(notices), value('out'), io, `${notices.length} parts`)
  },
}

function noticesOf({ account }: Dist, home: string): Notice[] {
  const svcNotice: Notice = {
    name: 'svc',
    version: account.toolkit,
    licence: 'MIT',
    texts: [{ file: 'LICENSE', text: readFileSync(join(root, 'LICENSE'), 'utf8') }],
  }
  const locked = lockedPackages()
  const packages = packagesIn(account, account.bundles).map((place): Notice => {
    const { name, version, licence, sha256 } = account.packages[place]!
    const folder = folderAt(place, home)
    if (packageAt(place, home, locked)?.sha256 !== sha256) {
      const hint = 'Install the packages that it was built with, or build it again.'
      throw toolFail('ERR_TOOL_INPUT', { message: `${place} is not installed as it was when this was built.`, hint })
    }
    return { name, version, licence: licence === null ? null : printable(licence), texts: licenceTexts(folder) }
  })
  const executable = account.bundles.some(({ file }) => file === EXECUTABLE)
  return [svcNotice, ...packages, ...(executable ? [nodeNotice()] : [])]
}

function nodeNotice(): Notice {
  const folder = dirname(dirname(pinnedNode()))
  return { name: 'node', version: process.versions.node, licence: 'MIT', texts: licenceTexts(folder) }
}

function textOf(notices: readonly Notice[]): string {
  return notices
    .map(({ name, version, licence, texts }) => {
      const head = `${name} ${version}\nLicence: ${licence ?? 'its package.json names none'}`
      const none = texts.length === 0 ? ['It brings no text of its licence.\n'] : []
      return [head, ...none, ...texts.map(({ file, text }) => `--- ${file} ---\n${text.trimEnd()}\n`)].join('\n\n')
    })
    .join(`\n${'='.repeat(80)}\n\n`)
}

/** Size limit of a licence file in bytes. */
const LONGEST_BYTES = 1_048_576

const NAME = /^(?:licen[cs]es?|copying|notice|copyright)(?:[.-][\w.-]*)?$/i

/** One licence text. */
export interface LicenceText {
  readonly file: string
  readonly text: string
}

/** The texts in a folder, sorted by file name, without characters that control a terminal. */
export function licenceTexts(folder: string): LicenceText[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const { size } = statSync(path)
      if (!statSync(path).isFile() || size > LONGEST_BYTES) return []
      return [{ file: name, text: printable(readFileSync(path, 'utf8')) }]
    })
}

/** A text without control characters, except line feeds and tabs. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}
