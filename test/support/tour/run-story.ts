/** Runs a story in a shell, from an empty folder, and gives what its commands printed. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { groupEnds, signalGroup } from '../../runner/process-group.ts'
import { folderWith } from '../folder.ts'
import { type Surroundings, toPage, toRun } from './masks.ts'
import type { Block } from './page.ts'

/** Ports that a story may name; a run has free ones in their places. */
const PORTS = ['8080', '8081', '9090'] as const
/** Who takes the tour, as paths show it. */
const HOME = '/home/ada'
const MARK = '\u0001'

/**
 * Runs the blocks one after the other in one shell. In its home, `svc` is this project with what it has built; it begins in the
 * empty folder `tour`. What the story left running is ended with it.
 * @returns for each block what its steps printed, as the page has it
 * @throws Error with all that was printed where a command fails, or `limitMs` pass
 */
export async function runStory(blocks: readonly Block[], limitMs: number): Promise<string[][]> {
  const home = folderWith()
  const begin = join(home, 'tour')
  mkdirSync(begin)
  symlinkSync(root, join(home, 'svc'))
  const here: Surroundings = {
    paths: { [home]: HOME, [root]: `${HOME}/svc` },
    ports: await freePorts(blocks.map(({ source }) => source).join()),
  }
  const steps = blocks.flatMap((block) => block.steps)
  const script = steps.map((step, index) => {
    if (step.kind === 'command') return toShell(toRun(step.command, here))
    const kept = join(home, `.file-${index}`)
    writeFileSync(kept, toRun(step.text, here))
    return toShell(`mkdir -p "$(dirname '${step.name}')" && cp '${kept}' '${step.name}'`)
  })
  const text = await runShell(script.join('\n'), { home, cwd: begin, limitMs })
  const printed = text.split(new RegExp(`\n${MARK}(\\d+)\n`))
  const failed = steps.findIndex((_, index) => printed[2 * index + 1] !== '0')
  if (failed >= 0) {
    const step = steps[failed]!
    const what = step.kind === 'command' ? step.command : step.name
    const status = printed[2 * failed + 1]
    throw new Error(
      `${status === undefined ? 'did not end' : `exit code ${status}`}: ${what}\n${text.replaceAll(MARK, '')}`,
    )
  }
  const outputs = steps.map((_, index) => toPage(printed[2 * index]!, here))
  return blocks.map((block) => outputs.splice(0, block.steps.length))
}

/** A command whose end and exit code are marked; the first that fails ends the story. */
function toShell(command: string): string {
  return `{\n${command}\n} </dev/null 2>&1\nstory=$?; printf '\\n${MARK}%d\\n' $story; [ $story -eq 0 ] || exit 0`
}

interface ShellOptions {
  readonly home: string
  readonly cwd: string
  readonly limitMs: number
}

async function runShell(script: string, { home, cwd, limitMs }: ShellOptions): Promise<string> {
  const programs = join(home, '.programs')
  mkdirSync(programs)
  symlinkSync(process.execPath, join(programs, 'node'))
  // Nothing of the environment of whoever runs the tests, and no network.
  const env = {
    HOME: home,
    PATH: `${programs}:${process.env['PATH']}`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  const shell = spawn('sh', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const group = shell.pid!
  const end = (): void => void signalGroup(group, 'SIGKILL')
  process.once('exit', end)
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const limit = setTimeout(end, limitMs)
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

/** Of four digits, so that tables keep their columns; none that `page` has in it, so that each can be told from the text. */
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
