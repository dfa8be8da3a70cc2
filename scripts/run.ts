/** `make run`: builds a profile, starts its program with a secret made for the occasion, and prints what to paste. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isSvcError } from '../core/errors.ts'
import { buildProfile } from './build/build.ts'
import { createProgress } from './progress.ts'

const [profile = 'server-full'] = process.argv.slice(2)

try {
  await run(profile)
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}

async function run(nameOrPath: string): Promise<void> {
  const progress = createProgress(nameOrPath)
  const { plan, folder } = await buildProfile(nameOrPath, 'pack', progress.step).finally(progress.end)
  const main = plan.targets.find(({ form }) => form === 'main')
  if (main === undefined) {
    console.log(
      `Profile ${plan.profile.name} is a library, and it is built: ${folder}/index.mjs. docs/embedding.md shows its use.`,
    )
    return
  }
  const program = join(folder!, 'svc.mjs')
  const env = { ...process.env }
  const has = (key: string): boolean => main.manifest.settings.includes(key)
  if (has('security.jwt_secret')) env['SVC_SECURITY__JWT_SECRET'] ??= randomBytes(32).toString('base64url')
  const token = has('security.jwt_secret') ? mintToken(program, env) : undefined

  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    const [, address] = /"address":"((?:127\.0\.0\.1|\[::1\]|[\d.]+):\d+)"/.exec(text) ?? []
    if (said || address === undefined) return
    said = true
    // On stderr, so that the log alone is on stdout.
    process.stderr.write(`${invitation(address, token, main.manifest.routes)}\n`)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** A token as `svc token` makes it; it ends with the secret, when the program does. */
function mintToken(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const { status, stdout } = spawnSync(process.execPath, [program, 'token', '--sub', 'developer'], {
    env,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : undefined
}

function invitation(
  address: string,
  token: string | undefined,
  routes: readonly { method: string; path: string }[],
): string {
  const has = (path: string): boolean => routes.some((route) => route.method === 'GET' && route.path === path)
  const authorized = ['/api/svc/runs', '/api/svc/auth/keys'].find(has)
  const lines = ['', 'The service is up. Try:', '', `  curl http://${address}/readyz`]
  if (token !== undefined && authorized !== undefined) {
    lines.push(`  curl -H 'Authorization: Bearer ${token}' http://${address}${authorized}`)
  }
  return [...lines, '', 'Ctrl-C stops it.', ''].join('\n')
}
