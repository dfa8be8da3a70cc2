/** `svc-build dev`: runs a profile's program, and restarts it whenever one of its files changes. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSvcError } from '../../../core/declare/errors.ts'
import { reachLines, writeLauncher } from '../../run/launcher.ts'
import { type Front, openFront } from '../dev/front.ts'
import { type Service, startService } from '../dev/service.ts'
import { type DevBuild, openSession } from '../dev/session.ts'
import { watchFiles } from '../dev/watch.ts'
import { toolFail } from '../errors.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `Bundles the program and starts it, and does so again at every change of a file that is in it: the new process listens
before the old one drains and ends, and the port stays the same. Nothing is proven here; svc-build build does that.
When it is up, it prints the address and a call with a token, for another shell in the same folder.
Settings come from the environment; where a secret is needed and none is given, one is made for the session. Of a program
with a local surface only the runtime surface is started.`,
  example: 'svc-build dev edge.ts --port 8080',
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      summary: 'where to listen on loopback; 8080 where absent, 0 for a free one',
    },
  },
  words: [1, 1],
  run: async ({ words, value, io }) => {
    const port = Number(value('port') ?? '8080')
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw toolFail('ERR_TOOL_USAGE', { message: `${value('port')} is no port.` })
    }
    const rebuilds = await develop(words[0]!, port, io)
    return { json: { rebuilds } }
  },
}

/** Milliseconds without a save until the profile is planned again; planning takes longer than a build. */
const QUIET_MS = 300

/** Runs until a signal. Resolves to the number of started builds. */
async function develop(profile: string, port: number, io: ToolIo): Promise<number> {
  // Registered before any output, because a caller that reads the output can send the signal at once.
  const signal = ended()
  const front = await openFront(port)
  const session = await openedOrClose(front, openSession(profile))
  const secret = randomBytes(32).toString('base64url')
  let isShown = false
  let last: DevBuild | undefined
  let service: Service | undefined
  let rebuilds = 0
  const ending: Promise<void>[] = []

  const once = async (): Promise<void> => {
    const startedMs = performance.now()
    const built = await session.build()
    const builtMs = performance.now()
    watch.set(built.files)
    const next = await startService(built.program, argsOf(built), envOf(built, secret), io.json)
    front.to(next.port)
    const old = service
    service = next
    rebuilds++
    const times = `bundled in ${Math.round(builtMs - startedMs)} ms, up in ${Math.round(performance.now() - startedMs)} ms`
    io.note(`${profile}: ${times}${changeOf(last, built)}; http://127.0.0.1:${front.port}`)
    if (!isShown) showReach(built, settingsIn(envOf(built, secret)), front.port, io)
    isShown = true
    last = built
    // The old process may still have open streams, so this does not wait for its end.
    if (old !== undefined) ending.push(old.stop())
  }
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!isSvcError(error)) throw error
      io.note(`${profile}: ${error.message}${service === undefined ? '' : '\n  → what ran before runs on'}`)
      return false
    }
  }
  // One build at a time. Changes during a build are handled by the next build.
  let queue = Promise.resolve()
  let over = false
  let waiting = false
  let quiet: NodeJS.Timeout | undefined
  let planning: Promise<unknown> | undefined
  // Runs outside the queue, so that a build after the next save does not wait for the planning.
  const replan = (): void => {
    planning ??= attempt(async () => {
      if ((await session.replan()) && !over) changed()
    }).finally(() => {
      planning = undefined
    })
  }
  const changed = (): void => {
    clearTimeout(quiet)
    if (waiting || over) return
    waiting = true
    queue = queue.then(async () => {
      waiting = false
      if ((await attempt(once)) && !waiting && !over) quiet = setTimeout(replan, QUIET_MS)
    })
  }
  const watch = watchFiles(changed)
  try {
    await once()
    await signal
  } finally {
    over = true
    clearTimeout(quiet)
    watch.close()
    await queue
    await planning
    await front.close()
    await Promise.all([...ending, service?.stop()])
    await session.close()
  }
  return rebuilds
}

/** Closes the port if what was to be opened after it fails. */
async function openedOrClose<T>(front: Front, opening: Promise<T>): Promise<T> {
  return opening.catch(async (error: unknown) => {
    await front.close()
    throw error
  })
}

/**
 * Prints how to reach the program. The command that makes the token has the settings of this session, whatever the
 * variables of the other shell are.
 */
function showReach({ program, target }: DevBuild, environment: Record<string, string>, port: number, io: ToolIo): void {
  const launcher = join(dirname(program), 'svc')
  // It has secrets. A process that is interrupted a second time runs no `finally`.
  process.once('exit', () => rmSync(launcher, { force: true }))
  writeLauncher(launcher, program, { environment })
  for (const line of reachLines({ address: `127.0.0.1:${port}`, launcher, manifest: target.manifest })) io.note(line)
}

function argsOf({ target }: DevBuild): string[] {
  return target.manifest.settings.includes('sync.socket_path') ? ['--mode', 'runtime'] : []
}

function envOf({ target }: DevBuild, secret: string): NodeJS.ProcessEnv {
  const needs = target.manifest.settings.includes('security.jwt_secret')
  return { ...(needs && { SVC_SECURITY__JWT_SECRET: secret }), ...process.env }
}

/** The variables that have settings. */
function settingsIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const all = Object.entries(environment).filter(([name]) => /^SVC_\w+__\w+$/.test(name))
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The owners whose size changed, largest change first. */
function changeOf(before: DevBuild | undefined, { sizes }: DevBuild): string {
  if (before === undefined) return `, ${(sizes.get('all')! / 1024).toFixed(1)} KiB`
  const names = new Set([...before.sizes.keys(), ...sizes.keys()])
  const changes = [...names]
    .map((name) => ({ name, by: (sizes.get(name) ?? 0) - (before.sizes.get(name) ?? 0) }))
    .filter(({ name, by }) => by !== 0 && name !== 'all')
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
  if (changes.length === 0) return ', same size'
  return `, ${changes
    .slice(0, 3)
    .map(({ name, by }) => `${name} ${by > 0 ? '+' : '−'}${Math.abs(by)} bytes`)
    .join(', ')}`
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
