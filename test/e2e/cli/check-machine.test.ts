/** svc check-config finds on this machine what a start would refuse, in the words of the start, and changes nothing. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { shippedProgram, startBuilt, startEnvironment, unbuilt } from '../telemetry/built-service.ts'

interface Refused {
  readonly env?: Readonly<Record<string, string>>
  readonly program?: string
  readonly says: RegExp
}

async function run(env: Readonly<Record<string, string>>, program: string, ...args: readonly string[]) {
  const child = startChild(process.execPath, { args: ['--no-warnings', program, ...args], env })
  const { code } = await child.exited
  return { code, out: child.out, err: child.err }
}

/** What is wrong with a machine, made in a folder. */
const wrongs: Readonly<Record<string, (folder: string) => Refused>> = {
  'a store folder that others may write to': (folder) => {
    mkdirSync(join(folder, 'state'))
    chmodSync(join(folder, 'state'), 0o777)
    return { says: /state cannot be used: it has mode 0777: others may write there/ }
  },
  'a store of another program': (folder) => {
    mkdirSync(join(folder, 'state'), { mode: 0o700 })
    execFileSync(process.execPath, [
      '-e',
      "new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('CREATE TABLE t (a)')",
      join(folder, 'state/sync.db'),
    ])
    return { says: /sync\.db: The file is a database of another program/ }
  },
  'a store that is gone': (folder) => {
    mkdirSync(join(folder, 'state'), { mode: 0o700 })
    writeFileSync(join(folder, 'state/sync.db.mark'), '')
    return { says: /sync\.db: A receipt store was here, and its file is gone or empty/ }
  },
  'a socket folder that others may enter': (folder) => {
    mkdirSync(join(folder, 'open'), { mode: 0o755 })
    return {
      env: { SVC_SYNC__SOCKET_PATH: join(folder, 'open/s.sock') },
      says: /The folder \S+\/open has mode 0755/,
    }
  },
  'a file in the place of the socket': (folder) => {
    mkdirSync(join(folder, 'run'), { mode: 0o700 })
    writeFileSync(join(folder, 'run/s.sock'), '')
    return {
      env: { SVC_SYNC__SOCKET_PATH: join(folder, 'run/s.sock') },
      says: /Something that is not a socket stands at/,
    }
  },
  'a token file with another mode': (folder) => {
    writeFileSync(join(folder, 'token'), 'x'.repeat(40), { mode: 0o644 })
    return {
      env: { SVC_SYNC__TCP: '0', SVC_SYNC__TOKEN_FILE: join(folder, 'token') },
      says: /The token file \S+\/token has mode 0644/,
    }
  },
  'a certificate that is not there': (folder) => ({
    env: { SVC_SERVER__TLS__CERT: join(folder, 'no.crt'), SVC_SERVER__TLS__KEY: join(folder, 'no.key') },
    says: /server\.tls\.cert: \S+no\.crt cannot be read \(ENOENT\)/,
  }),
  'an addon that is not there': (folder) => ({
    env: { SVC_SERVER__TRANSPORT: 'uws', SVC_SERVER__UWS_ADDON: join(folder, 'no.node') },
    says: /no\.node/,
  }),
  'a copy of the program without koffi': (folder) => {
    cpSync(shippedProgram, join(folder, 'svc.mjs'))
    return { program: join(folder, 'svc.mjs'), says: /The package koffi is not installed/ }
  },
}

for (const [name, make] of Object.entries(wrongs))
  testUnless(test, unbuilt, `${name}: check-config says what the start says`, async () => {
    const folder = folderWith()
    const { env: more = {}, program = shippedProgram, says } = make(folder)
    const env = { ...startEnvironment(folder), ...more }
    const before = readdirSync(folder, { recursive: true }).sort()
    const checked = await run(env, program, 'check-config')
    assert.is(checked.code, 78, checked.err)
    assert.match(checked.err, /^svc: A start would fail on this machine:\n {2}\S+: /)
    assert.match(checked.err, says)
    assert.equal(readdirSync(folder, { recursive: true }).sort(), before, 'nothing was made')
    assert.is((await run(env, program, 'check-config', '--settings-only')).code, 0)
    const started = await run(env, program)
    assert.is.not(started.code, 0)
    assert.match(started.err, says)
  })

testUnless(test, unbuilt, 'ports that other programs hold are reported together', async () => {
  const folder = folderWith()
  const ports = [await freePort(), await freePort(), await freePort()]
  const servers = await Promise.all(
    ports.map(async (port) => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      return server
    }),
  )
  writeFileSync(join(folder, 'token'), 'x'.repeat(40), { mode: 0o600 })
  try {
    const { code, err } = await run(
      {
        ...startEnvironment(folder),
        SVC_SERVER__PORT: String(ports[0]),
        SVC_SYNC__TCP: String(ports[1]),
        SVC_SYNC__TOKEN_FILE: join(folder, 'token'),
        SVC_PEER__LISTEN: `127.0.0.1:${ports[2]}`,
      },
      shippedProgram,
      'check-config',
    )
    assert.is(code, 78, err)
    for (const [at, variable] of ['SVC_SERVER__PORT', 'SVC_SYNC__TCP', 'SVC_PEER__LISTEN'].entries())
      assert.match(err, new RegExp(`${variable}: .*EADDRINUSE.*:${ports[at]}`))
  } finally {
    for (const server of servers) server.close()
  }
})

testUnless(test, unbuilt, 'what the running service holds is no error', async () => {
  const port = await freePort()
  const service = await startBuilt({ SVC_SERVER__PORT: String(port) })
  try {
    await service.child.waitFor(/"socket":/, 60_000)
    const env = { ...startEnvironment(service.folder), SVC_SERVER__PORT: String(port) }
    const { code, out, err } = await run(env, shippedProgram, 'check-config')
    assert.is(code, 0, err)
    assert.match(err, 'A service with these settings is running')
    assert.match(out, /^The settings are right\./)
    assert.ok(existsSync(join(service.folder, 'state/sync.db')))
  } finally {
    await service.stop()
  }
})

test.run()
