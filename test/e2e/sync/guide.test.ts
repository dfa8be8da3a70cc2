import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { program, unbuilt } from './shipped.ts'

/** The shell blocks of a document that contain `svc push`. */
function commandsOf(document: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../..', document), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => block!)
    .filter((block) => /svc push/.test(block))
}

/** Runs work with a shell in which `svc` is the shipped program, and with a service on the default socket. */
async function withService(work: (run: (text: string) => string) => void): Promise<void> {
  const folder = createFolder()
  const runtime = join(folder, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const socket = join(runtime, 'svc', 'sync.sock')
  const bin = join(folder, 'svc')
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${program}" "$@"\n`)
  chmodSync(bin, 0o755)
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    XDG_RUNTIME_DIR: runtime,
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SERVER__MODE: 'sync',
    SVC_SECURITY__JWT_SECRET: 'guide-secret-of-at-least-32-bytes!!!',
  }
  const service = spawn(bin, { env, stdio: 'ignore' })
  const ended = new Promise((done) => service.once('exit', done))
  try {
    for (let i = 0; i < 200 && !existsSync(socket); i++) await new Promise((done) => setTimeout(done, 50))
    work((text) =>
      execFileSync('sh', ['-ec', text], { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    )
  } finally {
    service.kill('SIGTERM')
    await ended
  }
}

testUnless(test, unbuilt, 'the commands of the guide work as printed, with the shipped program', () =>
  withService((run) => {
    const commands = commandsOf('docs/sync.md')
    assert.is(commands.length, 2)
    const first = run(commands[0]!)
    assert.match(first, /"localState": "applied_locally"/)
    assert.match(first, /\{"sequence":3,"kind":"applied_locally"/)
    const second = run(commands[1]!)
    assert.match(second, /"localState":"applied_locally"/)
    assert.match(second, /"status":"ready"/)
    assert.match(run('svc device list'), /^ed25519:[0-9a-f]{64}\tactive\tkbd-control:demo\tmy first device\n$/)
    const [keyId] = run('svc device list').split('\t')
    run(`svc device revoke ${keyId} --reason lost`)
    assert.throws(() => run('svc push --key demo.key --domain kbd-control:demo'))
    assert.match(run(`svc push --key demo.key --domain kbd-control:demo || true`), /"signer_revoked"/)
    assert.throws(() => run('svc device enroll --key demo.key.pub --scope kbd-control:demo'), undefined, 'final')
    assert.throws(() => run('svc device keygen --out demo.key'), undefined, 'never overwrites')
    assert.throws(() => run('svc device enroll --key demo.key --scope kbd-control:demo'), undefined, 'a private key')
    assert.match(run('svc device list --json'), /"revokedReason": "lost"/)
  }),
)

test.run()
