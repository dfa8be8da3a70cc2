/** Runs the test files, each in a process of its own, and fails for everything that is not a clean pass. */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, isCi } from '../scripts/build/cache/cache-files.ts'
import { root, workDir } from '../scripts/build/paths.ts'
import { clearCounts, printCounts } from './conformance/table.ts'
import { type RunArguments, readArguments, usage } from './runner/arguments.ts'
import { overBudget, spentBy } from './runner/budgets.ts'
import { filesOf, longestFirst, readTimes, runsAlone, type Times, writeTimes } from './runner/order.ts'
import { type Plan, runAll } from './runner/pool.ts'
import { type Progress, startProgress } from './runner/progress.ts'
import { toDetails, toFolders, toNotes, toSlowest, toSummary, toTable } from './runner/report.ts'
import { abandonAll, type FileResult, runFile } from './runner/run-file.ts'
import { build, isBuilt, isUntouched, needsNoBuild } from './runner/ships.ts'

/** Seconds that each file took in earlier runs on this machine. */
const times = join(workDir, '.build', 'test-times.json')

async function main(args: readonly string[]): Promise<number> {
  const wish = readArguments(args)
  if (wish === undefined) {
    process.stdout.write(usage)
    return 0
  }
  if (wish.deep) process.env['SVC_TEST_DEEP'] = '1'
  shareCache()
  const known = readTimes(times)
  const files = chosenFiles(wish, known)
  if (files.length === 0) {
    process.stderr.write(`No test file has a path that contains ${wish.only.join(' or ')}.\n`)
    return 1
  }
  clearCounts()
  const { results, problems } = await runFiles(longestFirst(files, known), wish)
  results.sort((a, b) => (a.file < b.file ? -1 : 1))
  const isWhole = wish.grep === undefined && !wish.deep
  if (isWhole) writeTimes(times, results)
  if (isWhole && wish.only.length === 0 && wish.shard === undefined) problems.push(...overBudget(spentBy(results)))
  return report(results, problems, wish.grep)
}

/** Lets the builds of a run in CI use one cache, which begins empty. Without this they would cache nothing in CI. */
function shareCache(): void {
  if (!isCi()) return
  rmSync(cacheDir, { recursive: true, force: true })
  process.env['CI'] = ''
}

function chosenFiles({ only, shard }: RunArguments, known: Times): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
    (file) => only.length === 0 || only.some((part) => file.includes(part)),
  )
  return shard === undefined ? files : filesOf(files, known, shard)
}

function planOf(files: readonly string[], mayBuild: boolean): Plan {
  const isAlone = (file: string): boolean => runsAlone(readFileSync(join(root, file), 'utf8'))
  const alone = files.filter(isAlone)
  const others = files.filter((file) => !alone.includes(file))
  if (!mayBuild) return { early: [], late: others, alone }
  return { early: others.filter(needsNoBuild), late: others.filter((file) => !needsNoBuild(file)), alone }
}

/** Runs files in their order. Problems are those that belong to no file. */
async function runFiles(
  files: readonly string[],
  wish: RunArguments,
): Promise<{ results: FileResult[]; problems: string[] }> {
  const results: FileResult[] = []
  const problems: string[] = []
  const progress = startProgress(files.length)
  const run = async (file: string): Promise<FileResult> => {
    progress.begin(file)
    const result = await runFile(file, wish)
    progress.end(file)
    results.push(result)
    progress.print(toDetails(result))
    return result
  }
  const builds = wish.build && !isBuilt()
  const done = await runAll(planOf(files, builds), {
    jobs: wish.jobs,
    build: async () => !builds || buildAll(progress),
    run,
  })
  progress.stop()
  if (!done) problems.push('make package binary failed: the test files that need it were not run')
  if (wish.build && done && !isUntouched()) problems.push('a test changed dist/, which tests only read')
  return { results, problems }
}

/** Builds what ships. Prints the output of a build that failed. */
async function buildAll(progress: Progress): Promise<boolean> {
  const { code, output, durationMs } = await build()
  const seconds = (durationMs / 1_000).toFixed(0)
  progress.print(
    code === 0 ? `packages and executables built in ${seconds} s\n` : `\n=== make package binary\n${output}\n`,
  )
  return code === 0
}

/** Prints the results; gives the exit code. The last line of stdout is the sum. */
function report(results: readonly FileResult[], problems: readonly string[], grep: string | undefined): number {
  const shown = grep === undefined ? results : results.filter(({ passed, failed }) => passed + failed > 0)
  process.stdout.write(`\n${toTable(shown)}\n`)
  printCounts()
  const parts = [
    toFolders(spentBy(shown)),
    toSlowest(shown),
    toNotes(shown),
    problems.map((problem) => `failed: ${problem}`).join('\n'),
  ]
  const above = parts.filter((part) => part !== '').join('\n\n')
  process.stdout.write(`\n${above === '' ? '' : `${above}\n\n`}${toSummary(shown, problems.length)}\n`)
  if (shown.length === 0) process.stderr.write(`No test has a name that contains "${grep}".\n`)
  return shown.length > 0 && problems.length === 0 && shown.every(({ failed }) => failed === 0) ? 0 : 1
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
