/** Runs test files: one in a process of its own, or several that share a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workDir } from '../../scripts/build/paths.ts'
import { sampleDescendants } from './descendants.ts'
import { temporaryFolder } from './memory-folder.ts'
import { writePrelude } from './prelude-file.ts'
import { groupEnds, signalGroup } from './process-group.ts'
import { hasEndedAll, segmentsOf } from './segments.ts'
import { type Ended, hasSummary, judge, processorSeconds, type Verdict } from './verdict.ts'

/** How a file is run. */
export interface RunOptions {
  /** Longest time for the whole file, in milliseconds. */
  readonly timeoutMs: number
  /** Runs only the tests whose name contains this. */
  readonly grep?: string | undefined
  /** Time that a process has to end by itself once its tests are through, in milliseconds. */
  readonly graceMs?: number
}

/** The result of one file, with what it wrote. */
export interface FileResult extends Verdict {
  readonly file: string
  readonly durationMs: number
  /** Seconds of processor time of the file and of what it started; undefined where the system does not count it. */
  readonly processorS?: number | undefined
  readonly output: string
}

/** Long enough for a busy machine to close sockets and to remove folders. */
const GRACE_MS = 10_000

/** Output kept of one file, in characters: the end, where the errors are. */
const KEPT = 1_000_000

const prelude = writePrelude()
const shared = fileURLToPath(new URL('./shared-process.ts', import.meta.url))

/** Test processes that run now. Each leads a process group, so that an interrupted run can end all of them. */
const running = new Set<ChildProcess>()

/** Kills every test file that runs now, with the processes it started. */
export function abandonAll(): void {
  for (const child of running) signalGroup(child.pid!, 'SIGKILL')
}

/** Runs files that share a process, and judges each. A single file has a process of its own. */
export async function runGroup(files: readonly string[], options: RunOptions): Promise<readonly FileResult[]> {
  const [file] = files
  if (file !== undefined && files.length === 1) return [await runFile(file, options)]
  const ended = await execute([shared, ...files], options, (stdout) => hasEndedAll(stdout, files))
  return segmentsOf(files, ended).map((segment) => ({
    ...judge(segment.ended, options.grep !== undefined),
    file: segment.file,
    durationMs: segment.durationMs,
    processorS: segment.processorS,
    output: segment.ended.stdout + segment.ended.stderr,
  }))
}

/** Runs `file` and judges it. */
export async function runFile(file: string, options: RunOptions): Promise<FileResult> {
  const startedMs = performance.now()
  const ended = await execute([file], options, hasSummary)
  const verdict = judge(ended, options.grep !== undefined)
  return {
    ...verdict,
    file,
    durationMs: performance.now() - startedMs,
    processorS: mostOf(processorSeconds(ended.stderr), ended.sampledS),
    output: ended.stdout + ended.stderr,
  }
}

/**
 * Lets the processes of all files share what V8 has compiled: they load the same modules, and start the same programs
 * hundreds of times. Not where coverage is counted, which compiled code makes less precise (Node's documentation of
 * `node:module`).
 */
function compileCache(): NodeJS.ProcessEnv {
  return process.env['NODE_V8_COVERAGE'] === undefined ? { NODE_COMPILE_CACHE: join(workDir, '.build/compiled') } : {}
}

/** Neither number has all: the file does not wait for every process, and samples do not see short ones. */
function mostOf(reportedS: number | undefined, sampledS: number): number | undefined {
  return reportedS === undefined ? undefined : Math.max(reportedS, sampledS)
}

/** Runs a module with its arguments. `isThrough` says of the output whether the process should end now. */
function execute(
  args: readonly string[],
  options: RunOptions,
  isThrough: (stdout: string) => boolean,
): Promise<Ended & { readonly sampledS: number }> {
  const { timeoutMs, grep, graceMs = GRACE_MS } = options
  const env = {
    ...process.env,
    NO_COLOR: '1',
    SVC_TEST_RUNNER: String(process.pid),
    ...compileCache(),
    ...temporaryFolder(args.at(-1)!),
    SVC_TEST_GREP: grep ?? '',
    SVC_TEST_GRACE_MS: String(graceMs),
  }
  // A group of its own: what the file starts and forgets can be found and ended.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', prelude, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  running.add(child)
  const sampled = sampleDescendants(child.pid!)
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    let why: Ended['ended']
    let grace: NodeJS.Timeout | undefined
    const limit = setTimeout(() => {
      why = 'time limit'
      signalGroup(child.pid!, 'SIGKILL')
    }, timeoutMs)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout = (stdout + chunk).slice(-KEPT)
      if (grace !== undefined || !isThrough(stdout)) return
      grace = setTimeout(() => {
        why = 'open handle'
        child.kill('SIGUSR2')
        grace = setTimeout(() => signalGroup(child.pid!, 'SIGKILL'), 1_000)
      }, graceMs)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-KEPT)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      clearTimeout(grace)
      let finishing = false
      const finish = async (): Promise<void> => {
        if (finishing) return
        finishing = true
        clearTimeout(late)
        const leftovers = !(await groupEnds(child.pid!, why === undefined ? graceMs : 0))
        signalGroup(child.pid!, 'SIGKILL')
        running.delete(child)
        child.stdout.destroy()
        child.stderr.destroy()
        const sampledS = sampled()
        resolve({ stdout, stderr, code, signal, ended: why, leftovers: leftovers && why === undefined, sampledS })
      }
      // `close` comes when every holder of the pipes has closed them; a process that was left behind never does.
      const late = setTimeout(() => void finish(), graceMs)
      child.once('close', () => void finish())
    })
  })
}
