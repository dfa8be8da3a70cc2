/**
 * A host of the sync engine, the same on every platform. The platform brings `files`, which keep bytes under names, the engine's
 * WebAssembly, and, where it has a better place for it than a file, the key of the device.
 */
import { createEmbedded } from 'svc/embedded-mobile'
import { createDeviceKey, signPush } from 'svc/sign'

const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value))
const fromBytes = (bytes) => JSON.parse(new TextDecoder().decode(bytes))

/**
 * `files.read(name)` gives bytes, or null where nothing was written; `files.write(name, bytes)` replaces them all or nothing, and
 * resolves once they will survive. Nobody else may write under these names meanwhile.
 */
export async function openHost({ files, sqlWasm, key, project = 'demo', log = () => {} }) {
  const domain = `kbd-control:${project}`
  const device = key ?? (await keyInFile(files))
  // What pushes are applied to. A real host has documents here; this one counts.
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
        // Asked a second time after a crash: it was applied, and only its receipt was lost.
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
    /** What others enrol: `svc device enroll`. */
    keyId: device.keyId,
    state: () => state,
    /** A signed push of the project as it stands. It is fresh for five minutes, and can be sent any number of times. */
    sign: async () => toBytes(await signPush(device, { domain, expectedFrontier: { heads: state.heads } })),
    /** Applies it here. Where that fails for want of room, the same bytes do once there is room again. */
    submit: (signed) => engine.sync.submit(signed),
    receipt: (pushId) => engine.sync.receipt(pushId),
    close: () => engine.close(),
  }
}

/** The key of this device, made at the first start and kept before it is used. Whoever reads the file can sign. */
async function keyInFile(files) {
  const secret = await files.read('device.key')
  const key = await createDeviceKey(secret ?? undefined)
  if (secret === null) await files.write('device.key', key.secret)
  return key
}
