/** Runs the blocks of a story in one shell, and returns the output of their commands. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { groupEnds, signalGroup } from '../../runner/process-group.ts'
import { createHome, type Home } from './home.ts'
import { type Surroundings, toPage, toRun } from './masks.ts'
import { type Block, type CommandStep, type FileStep, isCommand } from './page.ts'

/** Ports that a page may name. A run replaces them with free ports. */
const PORTS = ['8080', '8081', '8082', '8443', '9000', '9090', '7443', '7444'] as const
/** The home folder of the reader in the paths of pages. */
const HOME = '/home/ada'
const MARK = '\u0001'

/** How a story is run. */
export interface RunOptions {
  /** Whether the story begins in the clone. Otherwise it begins in the empty folder `~/tour`. */
  readonly inClone: boolean
  readonly limitMs: number
  /** Real ports for ports of the page. A run has free ports for all others. */
  readonly ports?: Readonly<Partial<Record<(typeof PORTS)[number], number>>>
  /** Further variables of the shell. */
  readonly environment?: Readonly<Record<string, string>>
  /** The command line of the shell, with its whole environment, if it is one on another machine. */
  readonly shell?: (
    script: string,
  ) => readonly [command: string, args: readonly string[], env: Readonly<Record<string, string>>]
}

/**
 * Runs the blocks one after the other in one shell, in a new home, with only `HOME` and `PATH` in the environment.
 * Kills processes that the story left running.
 * @returns for each block the outputs of its steps, in the form of the page
 * @throws Error with all output if a command fails or takes longer than `limitMs`
 */
export async function runStory(
  blocks: readonly Block[],
  { inClone, limitMs, environment = {}, shell, ...options }: RunOptions,
): Promise<string[][]> {
  const ports = { ...(await freePorts(blocks.map(({ source }) => source).join())), ...options.ports }
  const home = createHome(ports['8080']!)
  const begin = join(home.path, 'tour')
  mkdirSync(begin)
  // The longest path is replaced first, because the clone is inside the home.
  const here: Surroundings = { paths: { [home.path]: HOME, [root]: `${HOME}/svc` }, ports }
  const steps = blocks.flatMap(({ steps, goesOn }) => steps.map((step) => ({ step, goesOn })))
  const script = steps.map(({ step, goesOn }, index) => {
    if (!isCommand(step)) {
      const kept = join(home.path, `.file-${index}`)
      writeFileSync(kept, toRun(step.text, here))
      return toShell(`mkdir -p "$(dirname '${step.name}')" && cp '${kept}' '${step.name}'`)
    }
    const command = toRun(step.command, here)
    return goesOn === undefined
      ? toShell(command)
      : toBackground(command, goesOn, join(home.path, `.terminal-${index}`))
  })
  // The output of a background command is complete only at the end.
  const ends = steps.map(({ step, goesOn }, index) =>
    goesOn === undefined || !isCommand(step) ? '' : atTheEnd(step, join(home.path, `.terminal-${index}`)),
  )
  const text = await runShell([...script, ...ends].join('\n'), {
    home,
    cwd: inClone ? home.clone : begin,
    limitMs,
    environment,
    ...(shell && { shell }),
  })
  const printed = text.split(new RegExp(`\n${MARK}(\\d+)\n`))
  const failed = steps.findIndex((_, index) => printed[2 * index + 1] !== '0')
  if (failed >= 0) throw failure(steps[failed]!.step, printed[2 * failed + 1], text)
  let later = steps.length
  const outputs = steps.map(({ goesOn }, index) => toPage(printed[2 * (goesOn === undefined ? index : later++)]!, here))
  return blocks.map((block) => outputs.splice(0, block.steps.length))
}

function failure(step: FileStep | CommandStep, status: string | undefined, text: string): Error {
  const what = isCommand(step) ? step.command : step.name
  const how = status === undefined ? 'did not end' : `exit code ${status}`
  return new Error(`${how}: ${what}\n${text.replaceAll(MARK, '')}`)
}

/** Script text of a command that marks its end and its exit code. The first command that fails ends the story. */
function toShell(command: string): string {
  return `{\n${command}\n} </dev/null 2>&1\n${marked()}`
}

/** Script text of a background command. The script continues when the command has printed a text. */
function toBackground(command: string, until: string, file: string): string {
  return `: > '${file}'; {\n${command}\n} </dev/null >'${file}' 2>&1 & terminal=$!
until grep -qF -- '${until}' '${file}'; do kill -0 $terminal 2>/dev/null || { cat '${file}'; false; break; }; sleep 0.1; done
${marked()}`
}

/** Script text that prints the output of a background command once it has as many lines as the page shows. */
function atTheEnd({ output = '' }: CommandStep, file: string): string {
  const lines = output === '' ? 0 : output.split('\n').length
  return `until [ "$(wc -l < '${file}')" -ge ${lines} ]; do sleep 0.1; done; head -n ${lines} '${file}'\n${marked()}`
}

function marked(): string {
  return `story=$?; printf '\\n${MARK}%d\\n' $story; [ $story -eq 0 ] || exit 0`
}

interface ShellOptions extends Pick<RunOptions, 'shell'> {
  readonly home: Home
  readonly cwd: string
  readonly limitMs: number
  readonly environment: Readonly<Record<string, string>>
}

async function runShell(script: string, options: ShellOptions): Promise<string> {
  const { home, cwd, limitMs, environment } = options
  const [command, args, env] = options.shell?.(script) ?? ['sh', ['-c', script], { ...home.env, ...environment }]
  const shell = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const group = shell.pid!
  const end = (): void => void signalGroup(group, 'SIGKILL')
  process.once('exit', end)
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const limit = setTimeout(() => signalGroup(group, 'SIGTERM'), limitMs)
  try {
    await new Promise<void>((done, failed) => {
      shell.once('error', failed)
      shell.once('exit', () => done())
    })
    signalGroup(group, 'SIGTERM')
    if (!(await groupEnds(group, 5_000))) end()
    return text
  } finally {
    clearTimeout(limit)
    process.removeListener('exit', end)
    end()
  }
}

/**
 * Free ports for the ports of a page. They have four digits, so that tables keep their columns, and do not occur in
 * `page`, so that each can be recognised in the output.
 */
async function freePorts(page: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  const taken = new Set<number>()
  for (const shown of PORTS) {
    let port: number
    do port = randomInt(2_000, 10_000)
    while (taken.has(port) || page.includes(String(port)) || !(await isFree(port)))
    taken.add(port)
    found[shown] = port
  }
  return found
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((answer) => {
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)))
  })
}
