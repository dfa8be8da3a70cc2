/** The sections of docs/benchmarks.md, one for each comparison. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

const file = join(root, 'docs/benchmarks.md')

/** Replaces the section of a comparison by its output of now. The rest of the page stays. */
export function writeSection(name: string, output: string, isKept: boolean): void {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const said = `\`make bench ONLY=${name}\`, ${day}, ${machine}${isKept ? '' : '; a bar was missed'}`
  writeFileSync(
    file,
    withSection(readFileSync(file, 'utf8'), name, `${said}\n\n\`\`\`text\n${output.trim()}\n\`\`\`\n`),
  )
}

/** The page with another text below the heading `## name`. A page without this heading gets it at its end. */
export function withSection(page: string, name: string, text: string): string {
  const section = `## ${name}\n\n${text}`
  const begin = `\n${page}`.indexOf(`\n## ${name}\n`)
  if (begin < 0) return `${page}\n${section}`
  const next = page.indexOf('\n## ', begin + 1)
  return `${page.slice(0, begin)}${section}${next < 0 ? '' : page.slice(next)}`
}
