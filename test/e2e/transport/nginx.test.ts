/**
 * Tests nginx in front of uWebSockets.js and in front of services that stop, and the recipe
 * docs/examples/deploy/nginx-shards.conf in front of servers of this file. proxies.test.ts has the recipe nginx.conf.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { type Child, startChild } from '../../support/child.ts'
import { countOf } from '../../support/count.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { shippedProgram, startEnvironment, unbuilt } from '../telemetry/built-service.ts'
import { nginx } from './proxies.ts'
import { cannotStart, send, sendRaw, startBehind } from './proxy-rig.ts'

const noNginx = spawnSync('nginx', ['-v']).error === undefined ? undefined : 'nginx is not installed'

/** Starts nginx with a recipe as its only site. */
function runNginx(recipe: string): Child {
  const folder = folderWith()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const main = folderWith({
    'svc.conf': recipe,
    'nginx.conf': `daemon off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http { access_log off; ${temporary.join(' ')} include svc.conf; }
`,
  })
  return startChild('nginx', { args: ['-p', main, '-c', join(main, 'nginx.conf'), '-e', 'stderr'] })
}

testUnless(test, cannotStart ?? noNginx, 'nginx forwards no field with an empty name to uWebSockets.js', async () => {
  const rig = await startBehind(nginx, { SVC_SERVER__TRANSPORT: 'uws', SVC_SERVER__UWS_BEHIND_PROXY: 'true' })
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
  unbuilt ?? noNginx,
  'stops of two services behind nginx, which keeps connections, fail none of 1 200 POST/s',
  async () => {
    const port = await freePort()
    const ports = [await freePort(), await freePort()]
    const startService = async (behind: number): Promise<Child> => {
      const env = {
        ...startEnvironment(folderWith()),
        SVC_SERVER__MODE: 'runtime',
        SVC_SERVER__PORT: String(behind),
        SVC_SERVER__DRAIN_DELAY_MS: '1500',
        SVC_REALTIME__TOPICS: 'news',
      }
      const service = startChild(process.execPath, {
        args: ['--disable-warning=ExperimentalWarning', shippedProgram],
        env,
      })
      await service.waitFor(/Listening/)
      return service
    }
    const services = await Promise.all(ports.map(startService))
    const servers = ports.map((behind) => `server 127.0.0.1:${behind} max_fails=0;`).join(' ')
    const nginx = runNginx(`upstream svc { ${servers} keepalive 32; }
server { listen 127.0.0.1:${port}; keepalive_requests 1000000; location / {
  proxy_pass http://svc; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } }`)
    const load = startLoad(port, 1_200)
    try {
      await until('nginx passes requests', async () => load.statuses.has('202'), 60_000)
      load.statuses.clear()
      for (let stop = 0; stop < countOf({ quick: 4, deep: 20 }); stop++) {
        assert.is((await services[stop % 2]!.stop()).code, 0)
        services[stop % 2] = await startService(ports[stop % 2]!)
      }
      await load.stop()
      assert.equal([...load.statuses.keys()], ['202'], JSON.stringify([...load.statuses]))
    } finally {
      await load.stop()
      await nginx.stop('SIGQUIT')
      await Promise.all(services.map((service) => service.stop()))
    }
  },
)

/** Sends POST requests at a rate, over connections that are kept, and counts their answers and errors. */
function startLoad(port: number, perSecond: number): { readonly statuses: Map<string, number>; stop(): Promise<void> } {
  const statuses = new Map<string, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const token = tokenFor({ user: 'ada', scopes: ['live:publish'] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ identifier: '1', operation: 'update', data: null })
  const sinceMs = performance.now()
  let sent = 0
  let open = 0
  const count = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const post = (): void => {
    open++
    const options = { host: '127.0.0.1', port, path: '/api/live/news', method: 'POST', agent, headers }
    const asked = request(options, (reply) => count(String(reply.resume().statusCode)))
    asked.once('error', ({ message }) => count(message)).once('close', () => open--)
    asked.end(body)
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - sinceMs) / 1_000) * perSecond)
    // What a busy machine cannot send in time is not sent at all.
    for (; sent < due; sent++) if (open < 64) post()
  }, 2)
  return {
    statuses,
    async stop() {
      clearInterval(timer)
      await until('all requests are answered', async () => open === 0, 60_000)
      agent.destroy()
    },
  }
}

testUnless(
  test,
  noNginx,
  'the recipe for several clusters forwards a request by its host, and refuses unknown hosts',
  async () => {
    const clusters = await Promise.all(['eu1', 'us1'].map(serveName))
    const port = await freePort()
    const recipe = clusters.reduce(
      (text, { name, address }) => text.replaceAll(new RegExp(`server ${name}-\\w+:8080;`, 'g'), `server ${address};`),
      readFileSync(join(root, 'docs/examples/deploy/nginx-shards.conf'), 'utf8').replace(
        'listen 8080',
        `listen 127.0.0.1:${port}`,
      ),
    )
    const nginx = runNginx(recipe)
    const ask = (host: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, headers: { host }, agent: false }, (reply) => {
          let text = String(reply.statusCode)
          reply.setEncoding('utf8').on('data', (piece: string) => (text += ` ${piece}`))
          reply.once('end', () => resolve(text))
        })
        sent.once('error', reject).end()
      })
    const answers = (): Promise<boolean> =>
      ask('acme.svc.example').then(
        () => true,
        () => false,
      )
    try {
      await until('nginx listens', answers, 60_000)
      for (const [host, answer] of [
        ['acme.svc.example', '200 eu1 acme.svc.example'],
        ['umbrella.eu1.svc.example', '200 eu1 umbrella.eu1.svc.example'],
        ['initech.us1.svc.example', '200 us1 initech.us1.svc.example'],
      ] as const)
        assert.is(await ask(host), answer)
      for (const host of ['other.svc.example', 'acme.svc.example.evil', 'eu1', `127.0.0.1:${port}`])
        assert.match(await ask(host), /^421 /)
    } finally {
      await nginx.stop('SIGQUIT')
      for (const { server } of clusters) server.close()
    }
  },
)

/** Starts a server that answers with its own name and the host of the request. */
async function serveName(
  name: string,
): Promise<{ readonly name: string; readonly address: string; readonly server: Server }> {
  const server = createServer(({ headers }, reply) =>
    reply.setHeader('connection', 'close').end(`${name} ${headers.host}`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { name, server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.run()
