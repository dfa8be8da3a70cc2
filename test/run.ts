/** Runs the test files, each in a process of its own, and fails for everything that is not a clean pass. */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clearCounts, printCounts } from './conformance/table.ts'
import { readArguments, usage } from './runner/arguments.ts'
import { toDetails, toNotes, toSummary, toTable } from './runner/report.ts'
import { abandonAll, type FileResult, runFile } from './runner/run-file.ts'

async function main(args: readonly string[]): Promise<number> {
  const wish = readArguments(args)
  if (wish === undefined) {
    process.stdout.write(usage)
    return 0
  }
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => wish.only.length === 0 || wish.only.some((part) => file.includes(part)))
    .sort()
  if (files.length === 0) {
    process.stderr.write(`No test file has a path that contains ${wish.only.join(' or ')}.\n`)
    return 1
  }
  clearCounts()
  const results: FileResult[] = []
  const queue = files.values()
  const work = async (): Promise<void> => {
    for (const file of queue) {
      const result = await runFile(file, wish)
      results.push(result)
      process.stdout.write(toDetails(result))
    }
  }
  await Promise.all(Array.from({ length: wish.jobs }, work))
  results.sort((a, b) => (a.file < b.file ? -1 : 1))
  const shown = wish.grep === undefined ? results : results.filter(({ passed, failed }) => passed + failed > 0)
  const notes = toNotes(shown)
  process.stdout.write(`\n${toTable(shown)}\n`)
  printCounts()
  process.stdout.write(`\n${notes === '' ? '' : `${notes}\n`}${toSummary(shown)}\n`)
  if (shown.length === 0) process.stderr.write(`No test has a name that contains "${wish.grep}".\n`)
  return shown.length > 0 && shown.every(({ failed }) => failed === 0) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    abandonAll()
    process.exit(1)
  })
}
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}`)
  process.exitCode = 64
}
