/** Adapts a fetch handler to a target. */
import type { OpenAnswer, Send, Target } from '../../core/testing/contract.ts'
import { toWire } from './wire.ts'

/** Creates a WHATWG request whose URL has exactly this path. The constructor alone would normalise dots and escapes. */
function toRequest(send: Send, signal: AbortSignal): Request {
  const { headers, body } = toWire(send)
  const made = new Request('http://svc.test/', {
    method: send.method ?? 'GET',
    headers,
    signal,
    ...(body === undefined ? {} : { body }),
  })
  return new Proxy(made, {
    get: (target, name) => {
      if (name === 'url') return `http://svc.test${send.path}`
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** Creates a target that sends requests to a fetch handler. */
export function fetchTarget(fetch: (request: Request) => Promise<Response>): Omit<Target, 'logs'> {
  return {
    request: async (send) => {
      const response = await fetch(toRequest(send, new AbortController().signal))
      const text = await response.text()
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: () => JSON.parse(text) as unknown,
      }
    },
    open: async (send) => {
      const abort = new AbortController()
      return toOpen(await fetch(toRequest(send, abort.signal)), abort)
    },
  }
}

function toOpen(response: Response, abort: AbortController): OpenAnswer {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    next: async () => (await reader?.read())?.value,
    close: () => {
      abort.abort()
      reader?.cancel().catch(() => undefined)
    },
  }
}
