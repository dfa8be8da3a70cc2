/**
 * A host of the sync engine, the same on every platform. The platform provides `files`, which store bytes by name, and the
 * WebAssembly of the engine. It also provides the key of the device, if it has a safer place than a file.
 */
import { createEmbedded } from 'svc/embedded-mobile'
import { createDeviceKey, signPush } from 'svc/sign'

const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value))
const fromBytes = (bytes) => JSON.parse(new TextDecoder().decode(bytes))

/**
 * Opens the host. `files.read(name)` returns bytes, or null if nothing was written. `files.write(name, bytes)` replaces the file
 * atomically, and resolves once the bytes are durable. No other code may write files with these names.
 */
export async function openHost({ files, sqlWasm, key, project = 'demo', log = () => {} }) {
  const domain = `kbd-control:${project}`
  const device = key ?? (await keyInFile(files))
  // The state that pushes are applied to. A real host has documents here; this example counts pushes.
  const found = await files.read('project.json')
  let state = found === null ? { heads: [], pushes: 0, last: null } : fromBytes(found)

  const engine = await createEmbedded({
    host: {
      sqlWasm,
      persistence: { load: () => files.read('sync.db'), save: (bytes) => files.write('sync.db', bytes) },
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: {
        get: (keyId) =>
          keyId === device.keyId ? { keyId, scopes: [domain], status: 'active', expiresAtMs: null } : null,
      },
      projects: { has: (asked) => asked === domain },
      frontier: () => ({ heads: state.heads }),
      async apply(_domain, { pushId, canonicalPayloadHash }) {
        // After a crash the engine may call this again for a push that is applied and whose receipt was lost.
        if (state.last === pushId) return
        const next = { heads: [canonicalPayloadHash], pushes: state.pushes + 1, last: pushId }
        await files.write('project.json', toBytes(next))
        state = next
      },
      now: () => Date.now(),
      log,
    },
  })

  return {
    /** The key id that other nodes enrol: `svc device enroll`. */
    keyId: device.keyId,
    state: () => state,
    /** Signs a push of the current project. The push is accepted for five minutes, and can be sent any number of times. */
    sign: async () => toBytes(await signPush(device, { domain, expectedFrontier: { heads: state.heads } })),
    /** Applies a signed push on this device. If the disk is full, submit the same bytes again once there is room. */
    submit: (signed) => engine.sync.submit(signed),
    receipt: (pushId) => engine.sync.receipt(pushId),
    close: () => engine.close(),
  }
}

/** Returns the key of this device. The first start makes it, and stores it before the first use. Anyone who can read the file can sign. */
async function keyInFile(files) {
  const secret = await files.read('device.key')
  const key = await createDeviceKey(secret ?? undefined)
  if (secret === null) await files.write('device.key', key.secret)
  return key
}
