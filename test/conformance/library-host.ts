/**
 * A process that hosts a library, one runtime after the other, and sends requests to it. The library has its own
 * stdout, whose lines are its log, and shares no global with the tests.
 */
import type { Send } from '../../core/testing/contract.ts'
// The source form of a user's profile imports `svc/plugin`.
import '../../scripts/build/modules/resolve-hook.ts'
import { fetchTarget } from './fetch-target.ts'

/** A message to the host. */
export type ToHost =
  | {
      readonly kind: 'start'
      readonly id: number
      /** A line that is written to stdout and stderr before the runtime starts. */
      readonly mark: string
      readonly file: string
      readonly defines: Readonly<Record<string, boolean | string>>
      readonly settings: unknown
    }
  | { readonly kind: 'request' | 'open'; readonly id: number; readonly send: Send }
  | { readonly kind: 'next' | 'close'; readonly id: number; readonly stream: number }
  | { readonly kind: 'stop'; readonly id: number }

/** An answer of the host. `error` is the message of a thrown error. */
export interface FromHost {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

interface Library {
  createRuntime(options: { settings: unknown }): {
    fetch(request: Request): Promise<Response>
    ready(): Promise<void>
    close(): Promise<void>
  }
}

let runtime: ReturnType<Library['createRuntime']>
const streams = new Map<number, Awaited<ReturnType<ReturnType<typeof fetchTarget>['open']>>>()

async function act(message: ToHost): Promise<unknown> {
  const target = fetchTarget((request) => runtime.fetch(request))
  switch (message.kind) {
    case 'start': {
      process.stdout.write(message.mark)
      process.stderr.write(message.mark)
      // Sources read defines as globals. Bundles contain their values.
      Object.assign(globalThis, message.defines)
      const { createRuntime } = (await import(message.file)) as Library
      runtime = createRuntime({ settings: message.settings })
      return runtime.ready()
    }
    case 'request': {
      const { status, headers, text } = await target.request(message.send)
      return { status, headers, text }
    }
    case 'open': {
      const stream = await target.open(message.send)
      streams.set(message.id, stream)
      return { status: stream.status, headers: stream.headers }
    }
    case 'next':
      return streams.get(message.stream)!.next()
    case 'close':
      return streams.get(message.stream)!.close()
    case 'stop':
      return runtime.close()
  }
}

process.on('message', (message: ToHost) => {
  const { id } = message
  act(message).then(
    (value) => process.send!({ id, value } satisfies FromHost),
    (error: Error) => process.send!({ id, error: error.message } satisfies FromHost),
  )
})
