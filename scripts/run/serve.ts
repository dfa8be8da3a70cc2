/** Starts a built program in its folder, prints how to reach it, and waits for its end. */
import { spawn } from 'node:child_process'
import { relative } from 'node:path'
import type { Manifest } from '../../core/declare/manifest.ts'
import { reachLines } from './launcher.ts'
import type { RunFolder } from './run-folder.ts'

/** The members of a manifest that decide how a service is reached. */
type Served = Pick<Manifest, 'routes' | 'features' | 'settings'>

/**
 * Runs a service until it ends; a signal to this process stops it. The log goes to stdout, everything else to stderr.
 * @returns the exit code of the service, or 1 if one already runs in the folder
 */
export async function serve(name: string, program: string, folder: RunFolder, manifest: Served): Promise<number> {
  const running = await folder.running()
  if (running !== undefined) {
    console.error(`${name} runs already: process ${running.pid}, http://${running.address}`)
    console.error(`  → Stop it with Ctrl-C where it was started, or with: kill ${running.pid}`)
    return 1
  }
  warnOfVariables(manifest.settings)
  if (hasConsole(manifest) && folder.socket !== undefined) folder.enrolDevice()
  const child = spawn(process.execPath, [program, '--config', folder.config], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group: Ctrl-C reaches every process of the terminal's group, and a second signal would end the
    // service at once.
    detached: true,
  })
  let log = ''
  let isUp = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    if (isUp) return
    log += text
    const [, address] = /"address":"((?:127\.0\.0\.1|\[::1\]|[\d.]+):\d+)"/.exec(log) ?? []
    if (address === undefined || (folder.socket !== undefined && !log.includes('"socket":"'))) return
    isUp = true
    folder.started({ pid: child.pid!, address })
    // On stderr, because stdout is only for the log.
    process.stderr.write(invitation(name, folder, address, manifest))
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  // The terminal was closed.
  process.on('SIGHUP', () => child.kill('SIGTERM'))
  const code = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  folder.stopped()
  return code
}

/** Warns of variables in this shell: they apply to the service, but not to commands in other shells. */
function warnOfVariables(settings: readonly string[]): void {
  const variables = settings.map((key) => `SVC_${key.replaceAll('.', '__').toUpperCase()}`)
  const set = variables.filter((name) => process.env[name] !== undefined)
  if (set.length === 0) return
  console.error(
    `${set.join(', ')}: set in this shell, and goes before service.json. Commands in another shell lack it.`,
  )
}

function hasConsole({ features }: Pick<Served, 'features'>): boolean {
  return features.some(({ id }) => id === 'console')
}

/** The text about the started service and how to reach it. */
function invitation(name: string, folder: RunFolder, address: string, manifest: Served): string {
  const { routes, features } = manifest
  const has = (path: string): boolean => routes.some((route) => route.method === 'GET' && route.path === path)
  const svc = relative(process.cwd(), folder.launcher)
  const lines = reachLines({ address, launcher: folder.launcher, manifest })
  if (folder.socket !== undefined) {
    lines.push(`  socket   curl --unix-socket ${folder.socket} http://svc/ready`)
    if (has('/api/v1/kbd/projects')) lines.push(`  board    ${svc} board list`)
  }
  if (hasConsole({ features })) {
    // A port from a variable of this shell is not in the settings that `svc` reads.
    const port =
      process.env['SVC_SERVER__PORT'] === undefined ? '' : `SVC_SERVER__PORT=${new URL(`http://${address}`).port} `
    const key = folder.deviceKey === undefined ? '' : ` --key ${relative(process.cwd(), folder.deviceKey)}`
    lines.push(`  console  ${port}${svc} console --open --write${key}`)
  }
  // Absolute paths, because the hosts of agents start with another folder and another PATH.
  if (folder.deviceKey !== undefined && features.some(({ id }) => id === 'kbd.mcp')) {
    const args = ['mcp', '--key', folder.deviceKey, '--project', 'demo']
    lines.push(`  agent    ${JSON.stringify({ command: folder.launcher, args })}`)
  }
  lines.push(
    `  folder   ${relative(process.cwd(), folder.path)}, with the state, the settings and \`svc\` for this service`,
  )
  return `\n${name} is up; Ctrl-C stops it.\n${lines.join('\n')}\n\n`
}
