/** Labels of devices have one limit at enrolment, import and pairing. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDevices } from '../../../plugins/sync/engine/devices/devices.ts'
import { createServer, createSigner } from './platforms.ts'

const FAMILIES = [{ name: 'kbd-control' }]

test('a label that is too long is refused with its length, at enrolment and at import', async () => {
  const server = createServer()
  const devices = createDevices(server.store, FAMILIES, { now: Date.now, uuid: () => crypto.randomUUID() })
  const { publicKey } = createSigner()
  const enrolment = { publicKey, scopes: ['kbd-control:demo'], expiresAtMs: null }
  const tooLong = /A label has at most 256 bytes of UTF-8; this has 300/
  const refused = async (work: Promise<unknown>): Promise<void> =>
    assert.match(await work.then(() => 'taken', String), tooLong)
  await refused(devices.enrol({ ...enrolment, label: 'é'.repeat(150) }))
  const device = await devices.enrol({ ...enrolment, label: 'é'.repeat(128) })
  await refused(devices.take({ context: 'svc-device-export-1', devices: [{ ...device, label: 'x'.repeat(300) }] }))
  await server.close()
})

test.run()
