/** The recipe for nginx, docs/examples/deploy/nginx.conf, in front of the service as it ships. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { checkEvents, type ProxyPlace, type Rig, send, sendRaw, startBehind, unbuilt } from './proxy-rig.ts'

const cannot = unbuilt ?? (spawnSync('nginx', ['-v']).error === undefined ? undefined : 'nginx is not installed')

/** Starts nginx with the recipe. */
function startNginx({ folder, port, behind, crt, key }: ProxyPlace): Child {
  const recipe = readFileSync(join(root, 'docs/examples/deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/svc.example.crt', crt)
    .replace('/etc/ssl/svc.example.key', key)
  // `http2 on` is a directive since nginx 1.25.1; before, it is a word of `listen`.
  const version = /nginx\/(\d+)\.(\d+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr)!
  const old = Number(version[1]) === 1 && Number(version[2]) < 26
  const fitting = old ? recipe.replace('  http2 on;\n', '').replace(' ssl;', ' ssl http2;') : recipe
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const main = folderWith({
    'svc.conf': fitting,
    'nginx.conf': `daemon off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http { access_log off; ${temporary.join(' ')} include svc.conf; }
`,
  })
  return startChild('nginx', { args: ['-p', main, '-c', join(main, 'nginx.conf'), '-e', 'stderr'] })
}

const start = (more?: Readonly<Record<string, string>>): Promise<Rig> => startBehind(startNginx, 'SIGQUIT', more)

testUnless(test, cannot, 'nginx lets no field without a name through to uWebSockets.js', async () => {
  const rig = await start({ SVC_SERVER__TRANSPORT: 'uws', SVC_SERVER__UWS_BEHIND_PROXY: 'true' })
  try {
    assert.match(rig.service.out + rig.service.err, /less strictly than node:http/)
    const inner = 'GET /api/svc/auth/keys HTTP/1.1\r\nHost: svc.example\r\n\r\n'
    const head = 'HTTP/1.1\r\nHost: svc.example\r\n: x\r\n'
    for (const raw of [
      `GET /health ${head}\r\n`,
      `GET /health ${head}Content-Length: ${inner.length}\r\n\r\n${inner}`,
    ]) {
      const text = await sendRaw(rig, raw)
      assert.match(text, /^HTTP\/1\.1 400 /)
      assert.is(text.match(/HTTP\/1\.1 \d/g)?.length, 1, text)
    }
    const made = await send(rig, '/api/svc/runs', { run_id: 'r1' })
    assert.is(made.status, 201, made.text)
  } finally {
    await rig.stop()
  }
})

testUnless(
  test,
  cannot,
  'requests, bodies in chunks and events pass through nginx, each event when it happens',
  async () => {
    const rig = await start()
    try {
      await checkEvents(rig)
    } finally {
      await rig.stop()
    }
  },
)

test.run()
