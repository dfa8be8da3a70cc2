/** The common interface of both sides of the rebuild comparison. */
import { randomBytes } from 'node:crypto'
import { createDevToken } from '../../../plugins/auth/token/dev-token.ts'

/** A server that answers with the content of a saved file. */
export interface Contestant {
  /** Milliseconds from `save` to the first answer that contains `wanted`. */
  round(save: () => void, wanted: string): Promise<number>
  close(): Promise<void>
}

const secret = randomBytes(32).toString('hex')

/** The environment of both services: that of this process, and the secret that signs the token of the requests. */
export const environment: NodeJS.ProcessEnv = { ...process.env, SVC_SECURITY__JWT_SECRET: secret }

const token = await createDevToken({ sub: 'bench', settings: { security: { jwt_secret: secret } } })

/**
 * Requests the second quote until it contains `wanted`. Returns the time of that answer in milliseconds of the
 * monotonic clock.
 */
export async function untilServed(port: () => number, wanted: string): Promise<number> {
  const lastMs = performance.now() + 60_000
  while (performance.now() < lastMs) {
    const text = await fetch(`http://127.0.0.1:${port()}/edge/quote/1`, {
      headers: { connection: 'close', authorization: `Bearer ${token}` },
    }).then(
      (answer) => answer.text(),
      () => '',
    )
    if (text.includes(wanted)) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`"${wanted}" was not served within a minute`)
}
