/** Everything in the repository that is generated from the sources alone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Awaitable } from '../../core/kernel/values.ts'
import { buildFail } from '../build/errors.ts'
import { root } from '../build/paths.ts'
import { openApiText } from '../openapi/document.ts'
import { type ContractDocument, routesType } from '../openapi/routes-type.ts'
import { withMatrix } from '../toolkit/matrix/copy.ts'
import { accessTable } from './access-table.ts'
import { capabilitiesPage } from './capabilities-page.ts'
import { pagesWithWords, withWords } from './glossary-words.ts'
import { metricsTable } from './metrics-table.ts'
import { settingsPage } from './settings-page.ts'

/** Something generated: a whole file, or a part of it. */
interface Generated {
  readonly files: readonly string[]
  /** The text of the file with the generated part as it should be. */
  readonly renew: (text: string, file: string) => Awaitable<string>
}

const generated: readonly Generated[] = [
  { files: ['openapi.json'], renew: () => openApiText() },
  {
    files: ['plugins/client/routes.ts'],
    renew: async () => routesType(JSON.parse(await openApiText()) as ContractDocument),
  },
  { files: ['README.md'], renew: withMatrix },
  { files: ['docs/settings.md'], renew: () => settingsPage() },
  { files: ['docs/capabilities.md'], renew: () => capabilitiesPage() },
  {
    files: ['docs/profiles.md'],
    renew: (text) =>
      withTable(text, 'codes', [
        '| code | |',
        '|---|---|',
        ...Object.entries(buildFail.rows).map(([code, { message }]) => `| \`${code}\` | ${message} |`),
      ]),
  },
  {
    files: ['docs/operating.md'],
    renew: async (text) => withTable(text, 'metrics', await metricsTable()),
  },
  {
    files: ['docs/authentication.md'],
    renew: async (text) =>
      withTable(withTable(text, 'access', await accessTable('runtime')), 'local access', await accessTable('local')),
  },
  { files: ['docs/browser-login.md'], renew: withExamples },
  { files: pagesWithWords, renew: withWords },
]

/** Every file with generated text, by its path in the repository: the text as it should be. */
export async function renewedFiles(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const { files, renew } of generated)
    for (const file of files)
      texts.set(file, await renew(texts.get(file) ?? readFileSync(join(root, file), 'utf8'), file))
  return texts
}

/** A page with the present text of each file that it shows: a block after `<!-- example: path -->`. */
function withExamples(page: string): string {
  return page.replace(
    /(<!-- example: (\S+) -->\n```\w+\n)[\s\S]*?(```\n)/g,
    (_, begin: string, path: string, end: string) => begin + readFileSync(join(root, path), 'utf8') + end,
  )
}

/** A page with other rows between `<!-- name: … -->` and `<!-- /name -->`. */
function withTable(page: string, name: string, rows: readonly string[]): string {
  const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!place.test(page)) throw new Error(`a page has no place for the table of ${name}`)
  return page.replace(place, (_, begin: string, end: string) => `${begin}\n${rows.join('\n')}\n\n${end}`)
}
