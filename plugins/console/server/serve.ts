/** Runs the console until a signal ends it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandIo } from '../../../core/declare/command.ts'
import { createBuilds } from './builds.ts'
import { createNodeStore } from './node-store.ts'
import { createRoutes } from './routes.ts'
import { openServer } from './server.ts'
import { createSession } from './session.ts'
import type { ConsoleOptions } from './surfaces.ts'
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

/**
 * Opens a file that only this user can read and that redirects to the address. Resolves to a function that removes the
 * file. Rejects if the program that opens files cannot be started.
 */
async function openBrowser(address: string): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-console-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const file = join(folder, 'open.html')
  const page = `<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0;url=${address}">\n<title>svc console</title>\n`
  try {
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
    await start(process.platform === 'darwin' ? 'open' : 'xdg-open', file)
  } catch (error) {
    remove()
    throw error
  }
  return remove
}

function start(program: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
