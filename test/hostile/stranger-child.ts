/** The stranger's process: asks until SIGTERM, and writes a line for each answer. */
import { Agent, request } from 'node:http'
import { startSpending } from '../support/process-time.ts'
import type { Errand } from './stranger.ts'

const { base, pid, everyMs, paths, headers, patienceMs } = JSON.parse(process.argv[2]!) as Errand
/** Every so many requests come on a connection of their own, so that accepting is watched too. */
const FRESH_EVERY = 8

// First in, first out: no kept connection lies idle for so long that the server closes it under a request.
const kept = new Agent({ keepAlive: true, maxFreeSockets: 4, scheduling: 'fifo' })
let asked = 0
let waiting = 0
let over = false

function ask(): void {
  const turn = asked++
  const spent = startSpending(pid)
  let told = false
  const tell = (outcome: string): void => {
    if (told) return
    told = true
    const { ranMs, stillMs } = spent()
    process.stdout.write(`${ranMs.toFixed(1)} ${stillMs.toFixed(1)} ${outcome}\n`)
    waiting--
    finish()
  }
  waiting++
  const outgoing = request(
    base + paths[turn % paths.length]!,
    { agent: turn % FRESH_EVERY === 0 ? false : kept, headers },
    (answer) => {
      answer.resume()
      answer.once('end', () => tell(String(answer.statusCode)))
      answer.once('error', (error: NodeJS.ErrnoException) => tell(error.code ?? error.name))
    },
  )
  const late = setTimeout(() => {
    tell('timeout')
    outgoing.destroy()
  }, patienceMs)
  outgoing.once('close', () => clearTimeout(late))
  outgoing.once('error', (error: NodeJS.ErrnoException) => tell(error.code ?? error.name))
  outgoing.end()
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
