/** Sends GET /health to a server from another core, with wrk if it is installed, or else with autocannon. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pinned } from './contestant.ts'

const CONNECTIONS = 50
const wrk = spawnSync('wrk', ['-v']).error === undefined

/** Name of the load generator. */
export const generator: string = wrk ? 'wrk' : 'autocannon'

/** Loads a server for `seconds`. Resolves to the number of answers and the measured seconds. */
export async function load(port: number, seconds: number): Promise<{ answers: number; seconds: number }> {
  const url = `http://127.0.0.1:${port}/health`
  if (wrk) {
    const text = await run(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, url])
    const [, answers, took] = /(\d+) requests in ([\d.]+)s/.exec(text) ?? []
    if (answers === undefined || /Non-2xx|Socket errors/.test(text)) throw new Error(`wrk says:\n${text}`)
    return { answers: Number(answers), seconds: Number(took) }
  }
  const cannon = fileURLToPath(import.meta.resolve('autocannon'))
  const text = await run([process.execPath, cannon, '-j', '-c', String(CONNECTIONS), '-d', String(seconds), url])
  const { requests, duration, non2xx, errors } = JSON.parse(text)
  if (non2xx > 0 || errors > 0) throw new Error(`autocannon counts ${non2xx} refusals and ${errors} errors.`)
  return { answers: requests.total, seconds: duration }
}

function run(command: readonly string[]): Promise<string> {
  const [file, args] = pinned(1, command)
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${command[0]}: ${stderr}`))))
  })
}
