/** Runs the test files, each in a process of its own, and fails for everything that is not a clean pass. */
import { globSync, rmSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { root, workDir } from '../scripts/build/paths.ts'
import { cacheDir, isCi } from '../scripts/build/record/sealed-file.ts'
import { clearCounts, printCounts } from './conformance/table.ts'
import { type RunArguments, readArguments, usage } from './runner/arguments.ts'
import { overBudget, spentBy } from './runner/budgets.ts'
import { toGroups } from './runner/groups.ts'
import { filesOfShard, longestFirst, readTimes, type Times, writeTimes } from './runner/order.ts'
import { type Plan, runAll } from './runner/pool.ts'
import { type Progress, startProgress } from './runner/progress.ts'
import { toDetails, toFailures, toFolders, toNotes, toSlowest, toSummary, toTable } from './runner/report.ts'
import { abandonAll, type FileResult, runGroup } from './runner/run-file.ts'
import { build, isBuilt, isUntouched, needsNoBuild } from './runner/ships.ts'

/** The time that each file took in earlier runs of all files on this machine. */
const times = join(workDir, '.build', 'test-times.json')

async function main(wish: RunArguments): Promise<number> {
  if (wish.deep) process.env['SVC_TEST_DEEP'] = '1'
  shareCache()
  const known = readTimes(times)
  const files = chosenFiles(wish)
  if (files.length === 0) {
    const named = wish.only.length > 0
    process.stderr.write(
      named ? `No test file has a path that contains ${wish.only.join(' or ')}.\n` : 'The shard is empty.\n',
    )
    return 1
  }
  clearCounts()
  const { results, problems } = await runFiles(longestFirst(files, known), known, wish)
  results.sort((a, b) => (a.file < b.file ? -1 : 1))
  if (isWholeRun(wish)) {
    writeTimes(times, results)
    problems.push(...overBudget(spentBy(results)))
  }
  return report(results, problems, wish.grep)
}

/** Only such runs give each file the same work, so their times can be compared. */
function isWholeRun({ only, grep, shard, deep }: RunArguments): boolean {
  return !deep && only.length === 0 && grep === undefined && shard === undefined
}

/** Lets the builds of a run in CI use one cache, which begins empty. Without this they would cache nothing in CI. */
function shareCache(): void {
  if (!isCi()) return
  rmSync(cacheDir, { recursive: true, force: true })
  process.env['CI'] = ''
}

function chosenFiles({ only, shard }: RunArguments): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
    (file) => only.length === 0 || only.some((part) => file.includes(part)),
  )
  return shard === undefined ? files : filesOfShard(files, shard)
}

function planOf(files: readonly string[], known: Times, mayBuild: boolean): Plan {
  const early = files.filter((file) => mayBuild && needsNoBuild(file))
  const others = files.filter((file) => !early.includes(file))
  return { early: toGroups(early, known), late: toGroups(others, known) }
}

/**
 * Makes the function that tells which share of the time since its last call the processors had nothing to do. It is
 * none where this process may use a part of them only: the system counts all.
 */
function createIdleShare(): () => number {
  if (availableParallelism() !== cpus().length) return () => 0
  const read = (): readonly [idle: number, all: number] =>
    cpus().reduce<[number, number]>(
      ([idle, all], { times }) => [idle + times.idle, all + Object.values(times).reduce((sum, ms) => sum + ms, 0)],
      [0, 0],
    )
  let before = read()
  return () => {
    const now = read()
    const [idle, all] = [now[0] - before[0], now[1] - before[1]]
    before = now
    return all === 0 ? 0 : idle / all
  }
}

/** Runs files in their order. Problems are those that belong to no file. */
async function runFiles(
  files: readonly string[],
  known: Times,
  wish: RunArguments,
): Promise<{ results: FileResult[]; problems: string[] }> {
  const results: FileResult[] = []
  const problems: string[] = []
  const progress = startProgress(files.length)
  const run = async (group: readonly string[]): Promise<void> => {
    progress.begin(group)
    const found = await runGroup(group, wish)
    progress.end(group)
    results.push(...found)
    for (const result of found) progress.print(toDetails(result))
  }
  const builds = wish.build && !isBuilt()
  const done = await runAll(planOf(files, known, builds), {
    jobs: wish.jobs,
    build: async () => !builds || buildAll(progress),
    run,
    idleShare: createIdleShare(),
    lookMs: 1_000,
  })
  progress.stop()
  if (!done) problems.push('make package binary failed: only test files that need no build were run')
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
    toFailures(shown),
    problems.map((problem) => `failed: ${problem}`).join('\n'),
  ]
  const above = parts.filter((part) => part !== '').join('\n\n')
  process.stdout.write(`\n${above === '' ? '' : `${above}\n\n`}${toSummary(shown, problems.length)}\n`)
  if (shown.length === 0 && grep !== undefined) process.stderr.write(`No test has a name that contains "${grep}".\n`)
  return shown.length > 0 && problems.length === 0 && shown.every(({ failed }) => failed === 0) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    abandonAll()
    process.exit(1)
  })
}

/** The command line. Prints the usage, sets the exit code and returns undefined if there is nothing to run. */
function readCommandLine(): RunArguments | undefined {
  try {
    const wish = readArguments(process.argv.slice(2))
    if (wish === undefined) process.stdout.write(usage)
    return wish
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
    process.exitCode = 64
    return undefined
  }
}

const wish = readCommandLine()
if (wish !== undefined)
  try {
    process.exitCode = await main(wish)
  } finally {
    abandonAll()
  }
