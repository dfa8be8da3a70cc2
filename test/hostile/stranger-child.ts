/** The stranger's process: sends requests until SIGTERM, and writes a line for each answer. */
import { Agent, request } from 'node:http'
import { startSpending } from '../support/process-time.ts'
import type { Errand } from './stranger.ts'

const { base, pid, everyMs, paths, headers, bodies, patienceMs } = JSON.parse(process.argv[2]!) as Errand
/** Every eighth request uses a new connection, so that the time to accept connections is measured too. */
const FRESH_EVERY = 8

// First in, first out, so that no kept connection is idle for so long that the server closes it during a request.
const kept = new Agent({ keepAlive: true, maxFreeSockets: 4, scheduling: 'fifo' })
let asked = 0
let waiting = 0
let over = false

function ask(): void {
  const turn = asked++
  const spent = startSpending(pid)
  let reported = false
  const report = (outcome: string): void => {
    if (reported) return
    reported = true
    const { ranMs, countedMs, stillMs } = spent()
    process.stdout.write(`${ranMs.toFixed(1)} ${countedMs.toFixed(3)} ${stillMs.toFixed(1)} ${outcome}\n`)
    waiting--
    finish()
  }
  waiting++
  const path = paths[turn % paths.length]!
  const body = bodies[path]
  const outgoing = request(
    base + path,
    {
      agent: turn % FRESH_EVERY === 0 ? false : kept,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST' }),
    },
    (answer) => {
      answer.resume()
      answer.once('end', () => report(String(answer.statusCode)))
      answer.once('error', (error: NodeJS.ErrnoException) => report(error.code ?? error.name))
    },
  )
  const late = setTimeout(() => {
    report('timeout')
    outgoing.destroy()
  }, patienceMs)
  outgoing.once('close', () => clearTimeout(late))
  outgoing.once('error', (error: NodeJS.ErrnoException) => report(error.code ?? error.name))
  outgoing.end(body)
}

function finish(): void {
  if (!over || waiting > 0) return
  kept.destroy()
}

ask()
const timer = setInterval(ask, everyMs)
process.once('SIGTERM', () => {
  over = true
  clearInterval(timer)
  finish()
})
