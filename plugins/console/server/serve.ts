/** Runs the console until a signal ends it. */
import type { CommandIo } from '../../../core/command.ts'
import { createBuilds } from './builds.ts'
import { createNodeStore } from './node-store.ts'
import { openBrowser } from './open-browser.ts'
import type { ConsoleOptions } from './options.ts'
import { createRoutes } from './routes.ts'
import { openServer } from './server.ts'
import { createSession } from './session.ts'
import { openSurfaces } from './surfaces.ts'

/** Runs the console and resolves to the exit code. Rejects if the key cannot be read, or if the port is in use. */
export async function serveConsole(options: ConsoleOptions, io: CommandIo): Promise<number> {
  const { keyFile, isWritable, port } = options
  const isElsewhere = options.url !== undefined
  const surfaces = openSurfaces(options, io)
  const key = keyFile === undefined ? undefined : io.use('DeviceKeyFile')(keyFile)
  const store = isElsewhere ? undefined : createNodeStore(io)
  const builds = createBuilds(process.argv[1]!)
  const session = () => createSession({ io, surfaces, store, key, isWritable, isElsewhere })
  let removeFile: (() => void) | undefined
  const server = await openServer({
    port,
    isWritable,
    routes: ({ folder, instance }) => createRoutes({ surfaces, store, builds, key, folder, instance, session }),
    entered: () => removeFile?.(),
    failed: (error) =>
      io.err(`svc console: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  })
  const print = (): void => {
    io.out(server.entry.address())
    io.err('Open this address: it works once. Enter prints a new address, Ctrl-C ends the console.')
  }
  if (options.isOpened) removeFile = await openOrPrint(server.entry.address(), io)
  else print()
  process.stdin.on('data', print).on('error', () => undefined)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  process.stdin.destroy()
  removeFile?.()
  await server.close()
  return 0
}

/** Opens the browser, or prints the address if no browser can be started. */
async function openOrPrint(address: string, io: CommandIo): Promise<(() => void) | undefined> {
  try {
    const remove = await openBrowser(address)
    io.err('The browser opens the console. Enter prints an address for another browser, Ctrl-C ends the console.')
    return remove
  } catch (error) {
    io.out(address)
    io.err(`No browser could be started (${(error as Error).message}). Open this address yourself: it works once.`)
    return undefined
  }
}
