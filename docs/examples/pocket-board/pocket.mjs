/**
 * A board on a single device. The host provides everything around the engine: storage for the bytes, the time, the delivery of
 * pushes. This module uses no API of a browser or of Node.
 */
import { createBoards, createEmbedded } from 'pocket-board' // dist/pocket-board/index.mjs, by the name that your bundler gives it
import { createDeviceKey, signCommand, signPush } from 'svc/sign'

const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value))

/**
 * Opens the board of a project. `platform` has the parts of the host: `{ sqlWasm, persistence, now, log, timers?, deliver? }`.
 * `secret` is the private key of this device, 32 bytes. `others` are the key ids of other devices that may change the board.
 */
export async function openPocket({ platform, project, secret, others = [] }) {
  const key = await createDeviceKey(secret)
  const domain = `kbd-control:${project}`
  const known = new Set([key.keyId, ...others])
  const engine = await createEmbedded({
    host: {
      ...platform,
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: {
        get: (keyId) => (known.has(keyId) ? { keyId, scopes: [domain], status: 'active', expiresAtMs: null } : null),
      },
      projects: { has: (asked) => asked === domain },
      // The engine knows the frontier of a project with commands, so a push has nothing to apply here.
      frontier: () => null,
      apply: () => {},
    },
  })
  const boards = createBoards(engine)
  const standing = () => boards.read((reads) => reads.standing(project))

  return {
    keyId: key.keyId,
    boards,
    sync: engine.sync,
    close: () => engine.close(),
    show: () => boards.read((reads) => reads.snapshot(project)),

    /** Signs and enters a command, with everything that this device has seen as its past. */
    async change(command, over = {}) {
      const { frontier } = await standing()
      const signed = await signCommand(key, { project, command, parents: frontier.heads, ...over }, platform)
      return boards.enter(project, toBytes(signed))
    },

    /** Takes the signed commands of other devices, parents first. */
    take: (envelopes) => boards.admit(project, toBytes(envelopes)),

    /** Signs a push of the current board for other nodes. */
    async push(targetEndpointIds = []) {
      const { frontier } = await standing()
      return engine.sync.submit(
        toBytes(await signPush(key, { domain, expectedFrontier: frontier, targetEndpointIds }, platform)),
      )
    },
  }
}
