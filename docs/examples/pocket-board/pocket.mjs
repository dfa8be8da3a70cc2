/**
 * A board on a single device. The host provides everything around the engine: storage for the bytes, the time, the delivery of
 * pushes. This module uses no API of a browser or of Node.
 */
import { createBoards, createEmbedded } from 'pocket-board' // dist/pocket-board/index.mjs, by the name that your bundler gives it
import { createDeviceKey, signCommand, signPush } from 'svc/sign'

const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value))

/**
 * Opens the board of a project. `platform` has the parts of the host: `{ sqlWasm, persistence, now, log, timers?, deliver? }`. With a
 * library on a SQLite of the host, `database` is in the place of `sqlWasm` and `persistence`. `key` signs for this device, or `secret` is
 * its private key, 32 bytes. `others` are the key ids of other devices that may change the board.
 */
export async function openPocket({ platform, database, project, secret, key, others = [] }) {
  const device = key ?? (await createDeviceKey(secret))
  const domain = `kbd-control:${project}`
  const known = new Set([device.keyId, ...others])
  const engine = await createEmbedded({
    ...(database !== undefined && { database }),
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
  const frontier = () => boards.read((reads) => reads.standing(project).frontier)

  /** Signs a command, with everything that this device has seen as its past. */
  const sign = async (command, over = {}) =>
    signCommand(device, { project, command, parents: (await frontier()).heads, ...over }, platform)
  /** Enters a signed command of this device. */
  const enter = (signed) => boards.enter(project, toBytes(signed))

  return {
    keyId: device.keyId,
    boards,
    sync: engine.sync,
    close: () => engine.close(),
    show: () => boards.read((reads) => reads.snapshot(project)),
    sign,
    enter,
    change: async (command, over) => enter(await sign(command, over)),

    /** Takes the signed commands of other devices, parents first. */
    take: (envelopes) => boards.admit(project, toBytes(envelopes)),

    /** Lets another device change the board, because a service that this device trusts has taken its commands. */
    trust: (keyId) => void known.add(keyId),

    /** Signs a push of the board as this device has it. */
    signPush: async (targetEndpointIds = []) =>
      signPush(device, { domain, expectedFrontier: await frontier(), targetEndpointIds }, platform),

    /** Takes a push of the current board for other nodes. */
    async push(targetEndpointIds) {
      return engine.sync.submit(toBytes(await this.signPush(targetEndpointIds)))
    },
  }
}
