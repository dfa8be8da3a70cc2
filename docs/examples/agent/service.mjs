/** A client of the service: signed commands over the socket, reports of runs on the runtime surface. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { signCommand } from 'svc/sign'

/** Opens a project with the device of a key file. */
export function openProject({ socketPath, keyFile, project, runtime }) {
  const secret = createPrivateKey(readFileSync(keyFile))
  const publicKey = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32)
  const keyId = `ed25519:${publicKey.toString('hex')}`
  const device = { keyId, publicKey, sign: (message) => sign(null, message, secret) }
  const base = `/api/v1/kbd/projects/${project}`

  /** Sends a request to the local surface. Rejects with the `code` of the error if the service refuses. */
  const ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      const read = async (answer) => {
        const value = JSON.parse(Buffer.concat(await answer.toArray()).toString())
        if (value.error !== undefined) throw Object.assign(new Error(value.error.message), value.error)
        return value
      }
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      request({ socketPath, method, path: base + path, headers, agent: false })
        .once('response', (answer) => read(answer).then(resolve, reject))
        .once('error', reject)
        .end(body && JSON.stringify(body))
    })

  /** Signs and enters a command on the current board. Signs it again if the board changed in between, `tries` times at most. */
  const enter = async (command, tries = 5) => {
    const { frontier } = await ask('GET', '')
    const envelope = await signCommand(device, { project, command, parents: frontier.heads })
    return ask('POST', '/commands', envelope).catch((error) => {
      if (error.code !== 'frontier_mismatch' || tries === 1) throw error
      return enter(command, tries - 1)
    })
  }

  /** Makes a run, or adds an event to one. */
  const report = async (path, body) => {
    const headers = { authorization: `Bearer ${process.env.SVC_TOKEN}`, 'content-type': 'application/json' }
    const answer = await fetch(`${runtime}/api/svc/runs${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the run was not reported: ${answer.status} ${await answer.text()}`)
  }
  return { board: () => ask('GET', ''), claims: () => ask('GET', '/claims'), enter, report }
}
