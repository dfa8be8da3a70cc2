/** Starts the compared servers, each pinned to the first core. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../free-port.ts'
import { until } from '../../until.ts'
import { cpuOf, memoryOf, pinned, type Server, startServer } from '../harness/processes.ts'
import type { ServerSetup } from '../harness/server.ts'

/** A running server with streams. */
export interface Contestant extends Server {
  readonly listenPath: string
  readonly publishPath: string
  /** A header of every request, such as a credential: `Name: value`. */
  readonly header?: string
}

/** The contestants, in the order of the table. */
export const contestants: Readonly<Record<string, (folder: string) => Promise<Contestant>>> = {
  nchan: startNchan,
  loop: () => startOther('loop'),
  'better-sse': () => startOther('better-sse'),
  'svc-node': () => startSvc('node'),
  'svc-uws': () => startSvc('uws'),
}

async function startOther(kind: string): Promise<Contestant> {
  const server = await startServer(new URL('./server.ts', import.meta.url), kind, { core: 0 })
  return { ...server, listenPath: '/sub', publishPath: '/pub' }
}

/** This project: the live stream, with a guard that accepts every request. */
async function startSvc(transport: 'node' | 'uws'): Promise<Contestant> {
  const realtime = { topics: ['bench', 'quiet'], max_streams: 100_000, max_streams_per_identity: 100_000 }
  const features = ['realtime/streams', 'realtime/live']
  const setup: ServerSetup = { kind: 'svc', transport, features, settings: { realtime } }
  const server = await startServer(new URL('../harness/server.ts', import.meta.url), setup, { core: 0 })
  return { ...server, listenPath: '/api/live', publishPath: '/api/live/bench' }
}

async function startNchan(folder: string): Promise<Contestant> {
  const module = '/usr/lib/nginx/modules/ngx_nchan_module.so'
  if (!existsSync(module)) throw new Error(`there is no ${module} (Debian: libnginx-mod-nchan)`)
  const port = await freePort()
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/tmp/${what};`,
  )
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(
    configuration,
    `load_module ${module};
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 16384; }
http {
  access_log off; ${temporary.join(' ')} keepalive_requests 1000000; nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=16384;
    location = /pub { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 200; }
    location = /sub { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}
`,
  )
  const [file, ...args] = pinned(0, ['nginx', '-p', folder, '-c', configuration, '-e', 'stderr'])
  const child = spawn(file!, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  const pid = child.pid!
  const workers = (): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const isUp = async (): Promise<boolean> =>
    workers().length > 0 &&
    (await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ))
  await until('nginx answers', isUp, 10_000)
  return {
    ...{ port, pid, listenPath: '/sub', publishPath: '/pub' },
    memory: () => memoryOf([pid, ...workers()]),
    cpuSeconds: () => cpuOf([pid, ...workers()]),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
