/** `svc-build dev`, as whoever develops starts it. */
import { spawn } from 'node:child_process'
import { type Contestant, untilSaid } from './contestant.ts'

/** Starts it for a profile and waits for its first process. */
export async function openDev(cli: string, profile: string, cwd: string): Promise<Contestant> {
  const child = spawn(process.execPath, [...process.execArgv, cli, 'dev', profile, '--port', '0'], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let port = 0
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const [, found] = /127\.0\.0\.1:(\d+)/.exec(said) ?? []
      if (found === undefined) return
      port = Number(found)
      resolve()
    })
    void ended.then(() => reject(new Error(said)))
  })
  return {
    round: async (save, wanted) => {
      const sinceMs = performance.now()
      save()
      const ms = (await untilSaid(() => port, wanted)) - sinceMs
      // It plans anew where nobody has saved for a while; rounds are as far apart as somebody who types.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return ms
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
