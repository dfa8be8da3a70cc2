/** Serves a surface by uWebSockets.js. */

import { createServer } from 'node:http'
import type { Surface } from '../../../core/http/surface.ts'
import { listenFailed } from '../errors.ts'
import type { ListenAddress, Listener } from '../node-http/api.ts'
import { HALF_HEAD_MS, nextTurn, STUCK_MS } from '../stop-listening.ts'
import type { Uws, UwsApp } from './addon.ts'
import { type AnswerOptions, createAnswers } from './answers.ts'
import { createLoad } from './load.ts'

/** What a server runs with. */
export interface ServeOptions extends AnswerOptions {
  readonly host: string
  readonly port: number
}

/** How often a stop looks for clients that take nothing, in milliseconds. */
const SWEEP_MS = 100

/**
 * Opens a listener.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function serveUws(uws: Uws, surface: Surface, options: ServeOptions): Promise<Listener> {
  const load = createLoad(options.clock)
  const app = uws.App()
  app.filter((_res, change) => load.addConnections(change))
  const take = createAnswers(surface, options, load)
  // The library knows this method already: asking for it costs as much as reading all fields.
  app.get('/*', (res, req) => take(res, req, 'GET'))
  app.any('/*', (res, req) => take(res, req, req.getCaseSensitiveMethod()))

  const listener = await listen(app, options)
  const port = uws.us_socket_local_port(listener)
  let listening = true
  let closed = false
  const stopListening = (): void => {
    if (listening) uws.us_listen_socket_close(listener)
    listening = false
  }
  return {
    address: `${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    drain: async () => {
      // In a whole turn the library accepts all that waits; the system resets the rest.
      await nextTurn()
      await nextTurn()
      stopListening()
      const sweep = setInterval(() => {
        for (const exchange of load.open) exchange.hurry(STUCK_MS)
      }, SWEEP_MS)
      await load.until(() => load.open.size === 0)
      clearInterval(sweep)
      // The library cannot close idle connections alone, nor say whether an answer is on its way.
      await load.until(() => load.connections === 0, HALF_HEAD_MS)
    },
    close: async () => {
      stopListening()
      if (!closed) app.close()
      closed = true
    },
  }
}

async function listen(app: UwsApp, { host, port }: ServeOptions): Promise<object> {
  const listener = await new Promise<object | false>((resolve) => app.listen(host, port, EXCLUSIVE_PORT, resolve))
  if (listener !== false) return listener
  throw listenFailed({ host, port }, await reasonFor({ host, port }))
}

const EXCLUSIVE_PORT = 1

/** Finds out why an address cannot be bound, by binding it with Node. */
function reasonFor(address: ListenAddress): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.once('listening', () => server.close(() => resolve(new Error('the address could not be taken'))))
    server.listen({ ...address, exclusive: true })
  })
}
