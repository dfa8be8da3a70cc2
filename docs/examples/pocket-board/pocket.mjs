/**
 * A board on a device of its own. Everything around the engine is the host's: where the bytes are kept, what the time is, where
 * pushes go. This module needs nothing of a browser or of Node.
 */
import { createBoards, createEmbedded } from 'pocket-board' // dist/pocket-board/index.mjs, by the name that your bundler gives it
import { createDeviceKey, signCommand, signPush } from 'svc/sign'

const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value))

/**
 * Opens the board of a project. `platform` is what the host has: `{ sqlWasm, persistence, now, log, timers?, deliver? }`;
 * `secret` is the key of this device, 32 bytes, and `others` are the key ids of devices that it believes.
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
      // Where a project has commands the engine itself knows where it stands, and a push leaves nothing to be applied.
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

    /** Does something to the board, after everything that this device has seen. */
    async change(command, over = {}) {
      const { frontier } = await standing()
      const signed = await signCommand(key, { project, command, parents: frontier.heads, ...over }, platform)
      return boards.enter(project, toBytes(signed))
    },

    /** Takes what other devices did: signed commands, parents first. */
    take: (envelopes) => boards.admit(project, toBytes(envelopes)),

    /** Signs the board as it stands, for others to take. */
    async push(targetEndpointIds = []) {
      const { frontier } = await standing()
      return engine.sync.submit(
        toBytes(await signPush(key, { domain, expectedFrontier: frontier, targetEndpointIds }, platform)),
      )
    },
  }
}
