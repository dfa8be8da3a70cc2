/** `svc-build dev`, started as a developer starts it. */
import { spawn } from 'node:child_process'
import { type Contestant, environment, untilServed } from './contestant.ts'

/** Starts `svc-build dev` for a profile, and waits for the first process of the service. */
export async function openDev(cli: string, profile: string, cwd: string): Promise<Contestant> {
  const child = spawn(process.execPath, [...process.execArgv, cli, 'dev', profile, '--port', '0'], {
    cwd,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let port = 0
  await new Promise<void>((resolve, reject) => {
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
      const [, found] = /127\.0\.0\.1:(\d+)/.exec(stderr) ?? []
      if (found === undefined) return
      port = Number(found)
      resolve()
    })
    void ended.then(() => reject(new Error(stderr)))
  })
  return {
    round: async (save, wanted) => {
      const sinceMs = performance.now()
      save()
      const ms = (await untilServed(() => port, wanted)) - sinceMs
      // `svc-build dev` plans again after a pause without saves; the pause between rounds is that of a person who
      // types.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return ms
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
