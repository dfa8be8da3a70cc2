/** The host on Node: a folder of files. `node node.mjs [folder]` pushes once and prints the result. */
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openHost } from './host.mjs'

/** Opens the host of a folder, in one process at a time. */
export async function openNodeHost(folder) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unlock = await lock(join(folder, 'lock'))
  try {
    const files = filesIn(folder)
    // The package exports the path of this file, which ships with the library.
    const sqlWasm = await readFile(fileURLToPath(import.meta.resolve('svc/embedded-mobile/sql-wasm.wasm')))
    const host = await openHost({ files, sqlWasm })
    return { ...host, close: () => host.close().finally(unlock) }
  } catch (error) {
    await unlock()
    throw error
  }
}

function filesIn(folder) {
  return {
    async read(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if (error.code === 'ENOENT') return null
        throw error
      }
    },
    async write(name, bytes) {
      // Written to a second file first, so that a full disk or a crash leaves the old file unchanged.
      const fresh = join(folder, `${name}.new`)
      const file = await open(fresh, 'w', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(fresh, join(folder, name))
      // The rename must be durable too, so the folder is synced. Windows cannot sync a folder.
      if (process.platform === 'win32') return
      const entries = await open(folder)
      await entries.sync().finally(() => entries.close())
    },
  }
}

/** The locks that this process holds. */
const held = new Set()

/** Takes the lock of a folder, because two engines would overwrite each other's bytes. Replaces the lock of a dead process. */
async function lock(path) {
  const file = resolve(path)
  if (held.has(file)) throw new Error('This process has this folder open already.')
  held.add(file)
  try {
    await writeLock(file)
  } catch (error) {
    held.delete(file)
    throw error
  }
  return () => rm(file, { force: true }).finally(() => held.delete(file))
}

async function writeLock(file) {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const owner = Number(await readFile(file, 'utf8'))
    // The lock of this process is not held: a dead process with the same id has left it.
    if (owner !== process.pid && isAlive(owner)) throw new Error(`Process ${owner} has this folder open.`)
    await writeFile(file, String(process.pid))
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const host = await openNodeHost(process.argv[2] ?? 'phone')
  const { receipt } = await host.submit(await host.sign())
  console.log(`${host.keyId} has pushed ${host.state().pushes} times; ${receipt.pushId} is ${receipt.localState}.`)
  await host.close()
}
