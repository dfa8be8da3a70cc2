import { get } from 'node:http'

/** Longest time in milliseconds that a probe may take. */
const LIMIT_MS = 1_000

/** Whether the service on a port of this machine reports that it is ready. */
export function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: LIMIT_MS }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve(false))
  })
}
