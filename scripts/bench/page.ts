/** The sections of docs/benchmarks.md, one for each comparison. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

const file = join(root, 'docs/benchmarks.md')

/** Whether the page is here. An installed copy of the toolkit does not have it. */
export const hasPage: boolean = existsSync(file)

/** Writes the output of a comparison into its section. All other text of the page stays. */
export function writeSection(name: string, output: string, isKept: boolean): void {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const said = `\`make bench ONLY=${name}\`, ${day}, ${machine}${isKept ? '' : '; a bar was missed'}`
  writeFileSync(
    file,
    withSection(readFileSync(file, 'utf8'), name, `${said}\n\n\`\`\`text\n${output.trim()}\n\`\`\`\n`),
  )
}

/**
 * The page with another output below the heading `## name`: up to the end of the first block of code. Text below
 * the block is kept. A page without this heading gets it at its end.
 */
function withSection(page: string, name: string, text: string): string {
  const section = `## ${name}\n\n${text}`
  const begin = `\n${page}`.indexOf(`\n## ${name}\n`)
  if (begin < 0) return `${page}\n${section}`
  return page.slice(0, begin) + section + page.slice(endOfBlock(page, begin))
}

function endOfBlock(page: string, from: number): number {
  const fence = '\n```'
  const opening = page.indexOf(fence, from)
  const closing = opening < 0 ? -1 : page.indexOf(`${fence}\n`, opening + fence.length)
  if (closing < 0) throw new Error(`a section of ${file} has no block of code`)
  return closing + fence.length + 1
}
