/** `svc device`: keys, enrolment and revocation, for the owner of the data directory. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../../core/kernel/printable.ts'
import { fromKeyId } from '../../../protocol/keys.ts'
import type { Device } from '../../api.ts'
import type { NodeKey } from '../../capabilities.ts'
import { admitJson } from '../../engine/admission/json-admission.ts'
import { createDevices, type Devices } from '../../engine/devices/devices.ts'
import { createProjectFamilies } from '../../engine/devices/project-families.ts'
import { makeFolder } from '../../store-sqlite/durable-files.ts'
import { findNextKey, openEndpointKey } from '../endpoint-key.ts'
import { rotateKey, settleRotation } from '../rotation.ts'
import { readOptions } from './arguments.ts'
import { openDeviceKey, readPublicKey, writeKeyPair } from './key-files.ts'
import { ownStorePath, withStore } from './open-store.ts'

const HELP = `Usage: svc device keygen --out <file>
       svc device enroll --key <file.pub|keyId> --scope <family:project> [--scope …] [--label <text>] [--expires-in <seconds>]
       svc device invite --scope <family:project> [--scope …] [--label <text>] [--expires-in <seconds>] [--code-expires-in <seconds>]
       svc device invite --list | --cancel <id>
       svc device list [--json]
       svc device revoke <keyId> [--reason <text>]
       svc device export [<keyId> …]
       svc device import <file>

A device signs pushes. keygen makes its key: <file> (private, mode 0600) and <file>.pub, and prints the key id.
A key that was made elsewhere, with svc/sign for instance, is enrolled by its id, ed25519:<hex>.
enroll lets it act in the domains of its scopes, such as kbd-control:demo; a scope with a project creates that
project, one with a star (kbd-control:*) covers all projects and creates none. Verbs behind a # narrow a scope:
kbd-control:demo#claim,card,push. enroll of a key that is enrolled adds scopes to its own. revoke is final.
invite prints a code with which one device enrols itself over the network (sync.remote), within 600 seconds or --code-expires-in; on a
terminal also as a QR code. export prints devices for another node, import takes them there: a
device that is known stays what it is and may do, but a revocation is taken over. The file is not signed.
A running service sees all this at its next request. The store is the one of storage.dir (SVC_STORAGE__DIR).`

/** Depth of an export. */
const MAX_DEPTH = 8

/** The command `device`. */
export const deviceCommand: Command = {
  name: 'device',
  summary: 'keys of devices that sign pushes: keygen, enroll, invite, list, revoke, export, import',
  help: HELP,
  async run([action, ...args], io) {
    await actionNamed(action, actions)(args, io)
    return 0
  },
  gives: {
    DeviceKeyFile: () => openDeviceKey,
    NodeDevices: createNodeDevices,
    NodeStore: (io) => (work) => withStore(io, work),
    NodeKey: (io) => createNodeKey(io),
  },
}

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>> = {
  async keygen(args, io) {
    const { out } = parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values
    if (out === undefined) throw new UsageError('--out is missing')
    io.out(writeKeyPair(out))
    io.err(`Wrote ${out} and ${out}.pub.`)
  },
  async enroll(args, io) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        key: { type: 'string' },
        scope: { type: 'string', multiple: true },
        label: { type: 'string' },
        'expires-in': { type: 'string' },
      },
    })
    if (values.key === undefined || values.scope === undefined) throw new UsageError('--key and --scope are needed')
    const seconds = values['expires-in']
    if (seconds !== undefined && !/^[1-9]\d{0,11}$/.test(seconds))
      throw new UsageError('--expires-in takes a number of seconds')
    const enrolment = {
      publicKey: publicKeyOf(values.key),
      scopes: values.scope,
      label: values.label ?? null,
      expiresAtMs: seconds === undefined ? null : Date.now() + Number(seconds) * 1000,
    }
    const device = await createNodeDevices(io).enrol(enrolment)
    io.out(device.keyId)
    io.err(`Enrolled for ${device.scopes.join(', ')}.`)
  },
  async invite(args, io) {
    const inviteDevice = io.find('InviteDevice')
    if (inviteDevice === undefined) throw new UsageError('this build takes no devices over the network (sync.remote)')
    await inviteDevice(args)
  },
  async list(args, io) {
    const { json } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values
    const devices = await createNodeDevices(io).list()
    if (json === true) io.out(toJsonText(devices, 2))
    else for (const device of devices) io.out(toLine(device))
  },
  async export(args, io) {
    const { positionals } = readOptions(args, {})
    io.out(toJsonText(await createNodeDevices(io).export(positionals)))
  },
  async import(args, io) {
    const { positionals } = readOptions(args, {})
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new UsageError('name one file')
    const value = admitJson(readFileSync(file), MAX_DEPTH)
    const { enrolled, revoked } = await createNodeDevices(io).take(value)
    io.err(`Enrolled ${enrolled} ${enrolled === 1 ? 'device' : 'devices'}, revoked ${revoked}.`)
  },
  async revoke(args, io) {
    const { values, positionals } = readOptions(args, { reason: { type: 'string' } })
    const [keyId, ...more] = positionals
    if (keyId === undefined || more.length > 0) throw new UsageError('name one key id')
    const device = await createNodeDevices(io).revoke(keyId, values.reason ?? null)
    const { revokedAtMs } = device
    io.err(revokedAtMs === null ? 'Revoked.' : `Revoked since ${new Date(revokedAtMs).toISOString()}.`)
  },
}

/** The public key of an argument: a key id, or the path of a PEM file. */
function publicKeyOf(text: string): Uint8Array {
  if (!text.startsWith('ed25519:')) return readPublicKey(text)
  const key = fromKeyId(text)
  if (key === undefined) throw new UsageError('a key id is ed25519: and 64 lower-case hex digits')
  return key
}

function toLine({ keyId, status, scopes, label, expiresAtMs }: Device): string {
  const expired = status === 'active' && expiresAtMs !== null && expiresAtMs <= Date.now()
  return [keyId, expired ? 'expired' : status, scopes.join(','), printable(label ?? '')].join('\t').trimEnd()
}

/** Creates the registry of the store in the configured folder. The store is open only during each call. */
function createNodeDevices(io: CommandIo): Devices {
  const run = <T>(work: (devices: Devices) => Promise<T>): Promise<T> =>
    withStore(io, (store) =>
      work(createDevices(store, createProjectFamilies(store), { now: Date.now, uuid: randomUUID })),
    )
  return {
    enrol: (enrolment) => run((devices) => devices.enrol(enrolment)),
    list: () => run((devices) => devices.list()),
    export: (keyIds) => run((devices) => devices.export(keyIds)),
    take: (value) => run((devices) => devices.take(value)),
    revoke: (keyId, reason) => run((devices) => devices.revoke(keyId, reason)),
  }
}

/** The key in the configured folder. Throws as `ownStorePath` and `openEndpointKey` do. */
function createNodeKey(io: CommandIo): NodeKey {
  return {
    async own() {
      const folder = dirname(ownStorePath(io))
      makeFolder(folder)
      if (findNextKey(folder) !== undefined) await withStore(io, (store) => settleRotation(folder, store))
      return openEndpointKey(folder)
    },
    rotate: () => withStore(io, (store) => rotateKey(dirname(ownStorePath(io)), store, Date.now)),
  }
}
