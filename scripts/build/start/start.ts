/**
 * Stage 5, start: starts everything that was built once, in an empty environment, and stops it. A build whose code does
 * not start delivers nothing.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from '../../child.ts'
import { freePort } from '../../free-port.ts'
import type { Bundle } from '../bundle/bundle.ts'
import { buildFail } from '../errors.ts'
import { outputName } from '../generate/generate.ts'
import { codeOf } from '../pack/pack.ts'
import { buildDir, loaderArgs } from '../paths.ts'
import type { Plan } from '../plan/target-plan.ts'
import { syncFolder } from '../write-folder.ts'

/** Longest time in milliseconds for a start, and for a stop. The limit is high because the machine can be busy. */
const LIMIT_MS = 60_000

/** Milliseconds between two requests to a program that does not answer yet. */
const PAUSE_MS = 10

/**
 * Starts each bundle of a profile once: a program until it answers `/health`, a library until its runtime is ready or
 * its engine is open on a host in memory.
 * @throws SvcError `ERR_BUILD_START` with the output of the first bundle that does not start, or does not stop
 */
export async function startOnce(plan: Plan, bundles: readonly Bundle[]): Promise<void> {
  // Inside the folder of the build, so that packages outside of the bundles are found as they will be.
  const folder = join(buildDir(plan.profile.name), 'start')
  const state = mkdtempSync(join(tmpdir(), 'svc-start-'))
  const remove = (): void => {
    rmSync(state, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
  // A process that is interrupted runs no `finally`.
  process.once('exit', remove)
  try {
    syncFolder(folder, codeOf(bundles))
    await Promise.all(
      bundles.map(({ target }) => {
        const file = join(folder, outputName(target))
        const settings = settingsFor(plan, target.manifest.settings, join(state, target.form))
        return target.form === 'main'
          ? startProgram(file, target.manifest, settings, state)
          : startLibrary(file, settings)
      }),
    )
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** The settings of the start, by key: those of the profile, a secret, and folders that are removed afterwards. */
function settingsFor({ profile }: Plan, keys: readonly string[], state: string): Record<string, unknown> {
  const settings: Record<string, unknown> = {
    'security.jwt_secret': randomBytes(32).toString('base64url'),
    'storage.dir': state,
    'sync.socket_path': join(state, 's', 'sync.sock'),
    ...profile.startSettings,
  }
  return Object.fromEntries(Object.entries(settings).filter(([key]) => keys.includes(key)))
}

interface Served {
  readonly settings: readonly string[]
  readonly routes: readonly { readonly surface: string; readonly method: string; readonly path: string }[]
}

async function startProgram(
  file: string,
  { settings: keys, routes }: Served,
  settings: Readonly<Record<string, unknown>>,
  home: string,
): Promise<void> {
  const port = await freePort()
  const config = join(home, 'config.json')
  const listens = keys.includes('server.port')
  const address = listens ? { 'server.host': '127.0.0.1', 'server.port': port } : {}
  writeFileSync(config, JSON.stringify(nested({ ...settings, ...address })), { mode: 0o600 })
  mkdirSync(join(home, 'home'))
  // A program that does not listen has no address to ask: its version is asked for.
  const args = listens ? [file, '--config', config] : [file, '--version']
  const child = startChild(process.execPath, { args, cwd: home, env: { HOME: join(home, 'home') } })
  if (listens) {
    // The other surfaces have listeners of their own.
    const isProbed = routes.some(({ surface, path }) => surface === 'runtime' && path === '/health')
    const path = isProbed ? '/health' : '/'
    const status = await firstStatus(child, `http://127.0.0.1:${port}${path}`)
    if (status === undefined || (isProbed && status !== 200)) throw await notStarted(file, child, status)
  }
  const { code } = listens ? await child.stop('SIGTERM', LIMIT_MS) : await child.exited
  if (code !== 0) throw await notStarted(file, child, undefined, `It ended with ${code ?? 'a signal'}`)
}

/** The status of the first answer; undefined if the program ended or did not answer in time. */
async function firstStatus(child: Child, url: string): Promise<number | undefined> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const lastMs = performance.now() + LIMIT_MS
  while (!ended && performance.now() < lastMs) {
    // Without keep-alive: a program that stops waits a moment for a request on each idle connection.
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
    if (answer !== undefined) {
      await answer.body?.cancel()
      return answer.status
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}

async function startLibrary(file: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const child = startChild(process.execPath, {
    args: [...loaderArgs, '--disable-warning=ExperimentalWarning', script, file, JSON.stringify(nested(settings))],
    env: {},
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const { code } = await child.exited.finally(() => clearTimeout(timer))
  if (code !== 0) throw await notStarted(file, child)
}

const script = fileURLToPath(new URL('./start-library.ts', import.meta.url))

/** Lines of output that an error shows. */
const MOST_LINES = 12

async function notStarted(
  file: string,
  child: Child,
  status?: number,
  what: string = 'It does not start',
): Promise<Error> {
  await child.stop('SIGKILL')
  const lines = `${child.out}${child.err}`.trim().split('\n').slice(-MOST_LINES)
  const answered = status === undefined ? '' : ` and answers /health with ${status}`
  return buildFail('ERR_BUILD_START', {
    message:
      `${file.slice(file.lastIndexOf('/') + 1)}: ` +
      `${what}${answered}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    hint:
      'If a plugin needs settings to start, name them in ' +
      '`startSettings` of the profile; --no-start leaves this check out.',
  })
}

function nested(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(settings)) {
    const parts = key.split('.')
    let at = result
    for (const part of parts.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>
    at[parts.at(-1)!] = value
  }
  return result
}
