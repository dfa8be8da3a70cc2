/**
 * An app without its screen: it enrols by a code, changes its board offline, and brings it to a service over HTTPS. It may be killed at
 * any moment: whatever it has to do is in its notes first, and every step may be taken twice. It uses no API of a browser or of Node.
 *
 * `notes` keeps values by name: `get`, `put` and `remove` are durable when they resolve, `list` returns the names with a beginning, in the
 * order in which they came.
 */
import { createClient } from 'svc/client'
import { signInvitation } from 'svc/sign'

/** A device takes at most 256 KiB of commands at once. */
const MAX_TAKE_BYTES = 262_144
/** A push that was refused with one of these codes has left nothing: it is signed again for the board as it is by then. */
const SIGN_AGAIN = ['frontier_mismatch', 'request_stale', 'request_from_future']

/** A board that changes all the time, or never becomes that of the service, must not keep the app busy: the next `sync` goes on. */
const MAX_ATTEMPTS = 5

/** The service has refused a request. */
export class Refused extends Error {
  constructor(status, { code, message }) {
    super(`${status} ${code}: ${message}`)
    this.code = code
  }
}

/**
 * Opens the app. `pocket` is the board of this device, `key` its key, `service` the address of the service, `token` returns a token of the
 * user. `step` is called, and waited for, after each step.
 */
export async function openApp({ pocket, key, notes, project, service, token, step = () => {} }) {
  const { api } = createClient({ baseUrl: service, token })
  const path = { project }

  /** The answer of the service. A refusal is thrown; without a connection the error of `fetch` is. */
  async function answerOf(call) {
    const { ok, status, data, error } = await call
    if (!ok) throw new Refused(status, error)
    return data
  }

  /** Enters a command of the queue on this device. A command that the board refuses leaves the queue. */
  async function enter(name) {
    try {
      const entered = await pocket.enter(await notes.get(name))
      await step('entered')
      return entered
    } catch (error) {
      if (error.status < 500) await notes.remove(name)
      // The change was made, entered and sent before this app was killed; only its caller had no answer.
      if (error.code === 'command_id_conflict') return undefined
      throw error
    }
  }

  /** Enrols this device, if it has a code. The service answers the same key again, so the answer may get lost. */
  async function enrol() {
    const code = await notes.get('code')
    if (code === undefined) return
    const device = await api.POST('/api/v2/sync/devices', { body: await signInvitation(key, code) })
    // A code that is not valid is no longer tried, because the service counts refused attempts.
    if (device.ok || device.error.code === 'invitation_invalid') await notes.remove('code')
    await answerOf(device)
    await step('enrolled')
  }

  /** Sends the commands of the queue, in their order: 201, or 200 for one that had arrived before this app was killed. */
  async function sendCommands() {
    for (const name of await notes.list('command ')) {
      await answerOf(api.POST('/api/svc/kbd/{project}/commands', { path, body: await notes.get(name) }))
      await step('command sent')
      await notes.remove(name)
    }
  }

  /** Takes the commands of other devices from the service, which has verified them. */
  async function pull() {
    for (let next; next !== null; ) {
      const query = { after: await notes.get('seen') }
      const page = await answerOf(api.GET('/api/svc/kbd/{project}/commands', { path, query }))
      next = page.next
      if (page.commands.length === 0) return
      for (const part of partsOf(page.commands.map(({ envelope }) => envelope))) {
        for (const { signerKeyId } of part) pocket.trust(signerKeyId)
        const { refusal } = await pocket.take(part)
        if (refusal) throw refusal.error
      }
      await notes.put('seen', page.commands.at(-1).id)
      await step('pulled')
    }
  }

  /** Sends a push, again if the board has changed meanwhile. The bytes are kept before they are sent, so that a push which had arrived is found again. */
  async function sendPush(name) {
    for (let attempts = 1; ; attempts++) {
      let { signed } = await notes.get(name)
      if (signed === undefined) {
        signed = await pocket.signPush()
        await notes.put(name, { signed })
        await step('push signed')
      }
      const answer = await api.POST('/api/v2/sync/pushes', { body: signed })
      await step(answer.ok ? 'push sent' : answer.error.code)
      if (answer.ok) {
        await notes.put(name.replace('push', 'receipt'), answer.data)
        await notes.remove(name)
        return
      }
      if (!SIGN_AGAIN.includes(answer.error.code)) await answerOf(answer)
      // The board of the service has changed: this device takes the changes, and pushes the board with them.
      await pull()
      await notes.put(name, {})
      if (attempts === MAX_ATTEMPTS) await answerOf(answer)
    }
  }

  // What was in the queue when the app was killed may not have been entered.
  for (const name of await notes.list('command ')) await enter(name)

  return {
    show: () => pocket.show(),
    /** Keeps the code of an invitation for the next `sync`. */
    invite: (code) => notes.put('code', code),
    /** Changes the board of this device, also offline. The same id is the same change: a caller without an answer asks again. */
    async change(commandId, command) {
      const name = `command ${commandId}`
      if ((await notes.get(name)) === undefined) {
        await notes.put(name, await pocket.sign(command, { commandId }))
        await step('noted')
      }
      return enter(name)
    },
    /** Asks for a push of the board with the next `sync`. The same id is the same push. */
    async push(id) {
      if ((await notes.get(`receipt ${id}`)) === undefined && (await notes.get(`push ${id}`)) === undefined)
        await notes.put(`push ${id}`, {})
    },
    /** The receipt of the service for a push; undefined until it has one. */
    receipt: (id) => notes.get(`receipt ${id}`),
    /** Sends what is in the queue and takes what is new. Offline it rejects with the error of `fetch`; nothing is lost. */
    async sync() {
      await enrol()
      await sendCommands()
      await pull()
      for (const name of await notes.list('push ')) await sendPush(name)
    },
    close: () => pocket.close(),
  }
}

/** Commands in parts that a device takes at once. */
function partsOf(envelopes) {
  const parts = [[]]
  let bytes = 2
  for (const envelope of envelopes) {
    const size = new TextEncoder().encode(JSON.stringify(envelope)).length + 1
    if (bytes + size > MAX_TAKE_BYTES) parts.push([])
    bytes = size + (bytes + size > MAX_TAKE_BYTES ? 2 : bytes)
    parts.at(-1).push(envelope)
  }
  return parts
}
