/** Runs the built service behind Caddy and Traefik, with the recipes of docs/examples/deploy. Debian has no package of Traefik. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import { root } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { checkEvents, type ProxyPlace, startBehind, unbuilt } from './proxy-rig.ts'

const recipe = (name: string): string => readFileSync(join(root, 'docs/examples/deploy', name), 'utf8')

/** Starts Caddy with the recipe and a certificate of the test, because Caddy would request its own over the network. */
function startCaddy({ folder, port, behind, crt, key }: ProxyPlace): Child {
  const site = recipe('Caddyfile')
    .replace('svc.example {', `https://svc.example:${port} {\n\tbind 127.0.0.1\n\ttls ${crt} ${key}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  const env = { HOME: folder, PATH: process.env['PATH'] }
  return startChild('caddy', { args: ['run', '--config', file, '--adapter', 'caddyfile'], cwd: folder, env })
}

testUnless(
  test,
  unbuilt ?? (hasProgram('caddy') ? undefined : 'caddy is not installed'),
  'Caddy forwards requests, chunked bodies and, without delay, each event',
  async () => {
    const rig = await startBehind(startCaddy, 'SIGTERM')
    try {
      await checkEvents(rig)
    } finally {
      await rig.stop()
    }
  },
)

testUnless(
  test,
  unbuilt ?? (hasProgram('traefik') ? undefined : 'traefik is not installed, and no package of Debian has it'),
  'Traefik forwards requests, chunked bodies and, without delay, each event',
  async () => {
    const rig = await startBehind(({ folder, port, behind, crt, key }) => {
      const dynamic = recipe('traefik.yaml')
        .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
        .replace(/tls:\n +certResolver: default/, 'tls: {}')
      const pair = JSON.stringify({ certFile: crt, keyFile: key })
      writeFileSync(join(folder, 'dynamic.yaml'), `${dynamic}\ntls:\n  certificates: [${pair}]\n`)
      const args = [
        `--entryPoints.websecure.address=127.0.0.1:${port}`,
        `--providers.file.filename=${join(folder, 'dynamic.yaml')}`,
      ]
      return startChild('traefik', { args, cwd: folder, env: { HOME: folder, PATH: process.env['PATH'] } })
    }, 'SIGTERM')
    try {
      await checkEvents(rig)
    } finally {
      await rig.stop()
    }
  },
)

test.run()
