/**
 * The host for an app with a bridge, as Capacitor and React Native have. Files cross the bridge as base64 text, one call at a time,
 * and a call that is cut off may have written a part. The host needs the same of the JavaScript engine as the library, WebAssembly
 * included: no timers, no console, no base64.
 */
import { createDeviceKey } from 'svc/sign'
import { openHost } from './host.mjs'

/**
 * Opens the host. `bridge` has `readFile(path)`, `writeFile(path, base64)`, and for the key store of the system (Keychain, Keystore)
 * `getSecret(name)` and `setSecret(name, base64)`. Each returns a promise; a missing file or secret is null. `asset(name)` returns the
 * base64 of a file that ships with the app: copy node_modules/svc/embedded-mobile/sql-wasm.wasm there.
 */
export async function openBridgeHost(bridge) {
  const sqlWasm = fromBase64(await bridge.asset('sql-wasm.wasm'))
  const secret = await bridge.getSecret('device')
  const key = await createDeviceKey(secret === null ? undefined : fromBase64(secret))
  if (secret === null) await bridge.setSecret('device', toBase64(key.secret))
  return openHost({ files: inSlots(bridge), sqlWasm, key })
}

/**
 * Each name has two files, which are written in turn, with a number and a checksum. If a write is cut off, the other file is
 * complete. So a file is replaced atomically, although the bridge cannot rename files.
 */
function inSlots({ readFile, writeFile }) {
  const last = new Map()
  const slots = (name) => [`${name}.a`, `${name}.b`]
  const look = async (path) => {
    const [number, sum, data] = ((await readFile(path)) ?? '').split(' ')
    return data !== undefined && checksum(number + data) === sum ? { number: Number(number), data, path } : undefined
  }
  return {
    async read(name) {
      const found = (await Promise.all(slots(name).map(look))).filter((slot) => slot !== undefined)
      const [newest] = found.sort((one, other) => other.number - one.number)
      last.set(name, newest)
      return newest === undefined ? null : fromBase64(newest.data)
    },
    async write(name, bytes) {
      const before = last.get(name)
      const path = slots(name).find((slot) => slot !== before?.path)
      const number = (before?.number ?? 0) + 1
      const data = toBase64(bytes)
      await writeFile(path, `${number} ${checksum(number + data)} ${data}`)
      last.set(name, { number, path })
    },
  }
}

/** A checksum of 32 bits that detects files that were cut off (FNV-1a). It does not detect deliberate changes. */
function checksum(text) {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(16)
}

// Not every engine has atob and btoa.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function toBase64(bytes) {
  const parts = []
  for (let i = 0; i < bytes.length; i += 3) {
    const [one, two = 0, three = 0] = bytes.subarray(i, i + 3)
    const group = (one << 16) | (two << 8) | three
    const four = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]).join('')
    parts.push(i + 3 <= bytes.length ? four : four.slice(0, bytes.length - i + 1).padEnd(4, '='))
  }
  return parts.join('')
}

function fromBase64(text) {
  const digits = text.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  for (let i = 0, group = 0, at = 0; i < digits.length; i++) {
    group = ((group << 6) | ALPHABET.indexOf(digits[i])) & 0xffffff
    if (i % 4 > 0) bytes[at++] = group >> (6 - 2 * (i % 4))
  }
  return bytes
}
