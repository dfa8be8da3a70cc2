/** Writes or checks the copy of the matrix in a page. */
import { matrixFeatures } from '../../build/plan/locate-feature.ts'
import { plan } from '../../build/plan/plan.ts'
import { toolFail } from '../errors.ts'
import { readText, writeFile } from '../files.ts'
import { orderedProfiles } from './columns.ts'

const BEGIN = /<!-- matrix: generated[^>]*-->/
const END = '<!-- /matrix -->'

/** Size limit of a page in bytes. */
const LONGEST_BYTES = 16 * 1_048_576

/**
 * Writes the copy in `file` if `write` is true. Resolves to whether the copy was up to date before.
 * @throws SvcError `ERR_TOOL_INPUT` if the page has no place for the copy
 */
export async function keepCopy(file: string, write: boolean): Promise<boolean> {
  const text = readPage(file)
  const fresh = await withMatrix(text, file)
  if (write) writeFile(file, fresh)
  return fresh === text
}

/**
 * The text of a page with the present matrix.
 * @throws SvcError `ERR_TOOL_INPUT` if the page has no place for the copy
 */
export async function withMatrix(text: string, file: string): Promise<string> {
  const begin = BEGIN.exec(text)
  const from = begin === null ? -1 : begin.index + begin[0].length
  const to = text.indexOf(END)
  if (from < 0 || to < from) {
    throw toolFail('ERR_TOOL_INPUT', {
      message: `${file} has no place between <!-- matrix: generated --> and ${END}.`,
    })
  }
  return `${text.slice(0, from)}\n\n${(await table()).join('\n')}\n\n${text.slice(to)}`
}

function readPage(file: string): string {
  try {
    return readText(file, LONGEST_BYTES)
  } catch (cause) {
    throw toolFail('ERR_TOOL_INPUT', { message: `${file} cannot be read: ${(cause as Error).message}`, cause })
  }
}

/** The table of the copy. It has no sizes, because they would change with every edit. */
async function table(): Promise<string[]> {
  const plans = await Promise.all(orderedProfiles().map((name) => plan(name)))
  const cell = (targets: (typeof plans)[number]['targets'], id: string): string => {
    const holders = targets.filter(({ features }) => features.some((one) => one.id === id))
    if (holders.length === 0) return ''
    return holders.length < targets.length ? 'server' : 'yes'
  }
  return [
    `| feature | ${plans.map(({ profile }) => profile.name).join(' | ')} |`,
    `|---|${plans.map(() => ':-:|').join('')}`,
    ...Object.entries(matrixFeatures).map(
      ([id, { summary }]) => `| **${id}** ${summary} | ${plans.map(({ targets }) => cell(targets, id)).join(' | ')} |`,
    ),
  ]
}
