/** The console's own routes: the session, signing, devices, the store and the builds. */
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Manifest } from '../../../core/declare/manifest.ts'
import type { BuildList, DeviceList, Session, ShownInvitation, StoreReport } from '../../../plugins/console/session.ts'
import { testUnless } from '../../support/skip.ts'
import { createNode, type TestNode } from '../kbd/node.ts'
import { program, unbuilt } from '../sync/shipped.ts'
import { type Answer, createConsoleNode, startConsole, type TestConsole } from './rig.ts'

const test = suite('svc console: its own routes')
const notRoot = process.getuid?.() === 0 ? undefined : 'only root can be another user'

let node: TestNode
let keyId: string
let reader: TestConsole
let signer: TestConsole
test.before(async () => {
  if (unbuilt !== undefined) return
  node = await createConsoleNode()
  keyId = await node.svc('device', 'keygen', '--out', 'own.key')
  await node.svc('device', 'enroll', '--key', 'own.key.pub', '--scope', 'kbd-control:demo', '--label', 'desk')
  await node.start()
  reader = await startConsole(node)
  signer = await startConsole(node, ['--write', '--key', 'own.key'])
})
test.after(async () => {
  await reader?.stop()
  await signer?.stop()
  if (unbuilt === undefined) await node.stop()
})

const refused = (answer: Answer, status: number, code: string): void =>
  assert.equal([answer.status, answer.json().error?.code], [status, code], answer.text)
const post = (shown: TestConsole, path: string, body: unknown): Promise<Answer> =>
  shown.ask(path, { method: 'POST', body })
const read = async <T>(shown: TestConsole, path: string): Promise<T> => (await shown.ask(path)).json() as T

testUnless(test, unbuilt, 'the session lists the features, the views and the rights of the console', async () => {
  const seen = await read<Session>(reader, 'console/session')
  const info = JSON.parse(await node.svc('build-info', '--json')) as Manifest
  const build = { version: info.version, profile: 'server-full', commit: info.commit }
  assert.equal([seen.program, seen.isWritable], [build, false])
  const { features, ...service } = seen.service!
  assert.equal(service, { ...build, isSame: true })
  assert.equal([seen.device, seen.runtimeRefusal, seen.storeRefusal], [null, null, null])
  assert.equal(seen.local, { socket: node.socketPath })
  assert.equal(
    features?.map(({ id, stability }) => [id, stability]),
    info.features.map(({ id, stability }) => [id, stability]),
  )
  const views = 'overview runs live boards pushes peers keys audit devices build api'
  assert.is(seen.views.join(' '), views)
  const writer = await read<Session>(signer, 'console/session')
  assert.equal([writer.isWritable, writer.device], [true, { keyId, label: 'desk' }])
})

testUnless(test, unbuilt, 'a command is signed with the key, and the service accepts it from the page', async () => {
  const command = { type: 'board.create', boardId: randomUUID(), title: 'Ünïted' }
  const signed = await post(signer, 'console/sign', { project: 'demo', command, parents: [] })
  assert.is(signed.status, 200)
  const envelope = signed.json()
  assert.equal(envelope['command'], command)
  assert.equal([envelope['domain'], envelope['signerKeyId']], ['kbd-control:demo', keyId])
  assert.is((await post(signer, 'local/api/v1/kbd/projects/demo/commands', envelope)).status, 201)
  const project = await read<{ boards: Record<string, { title: string }>; frontier: { heads: string[] } }>(
    reader,
    'local/api/v1/kbd/projects/demo',
  )
  assert.is(project.boards[command.boardId]?.title, 'Ünïted')
  const next = { type: 'board.archive', boardId: command.boardId, archived: true }
  const { heads } = project.frontier
  const again = await post(signer, 'console/sign', { project: 'demo', command: next, parents: heads })
  assert.equal(again.json()['expectedFrontier'], { heads })
})

testUnless(test, unbuilt, 'only commands of boards are signed', async () => {
  const command = { type: 'board.create', boardId: randomUUID(), title: 'x' }
  const good = { project: 'demo', command, parents: [] }
  const wrong: readonly Record<string, unknown>[] = [
    { ...good, project: 'Demo' },
    { ...good, project: 'demo#card' },
    { ...good, project: 7 },
    { ...good, command: 'board.create' },
    { ...good, command: {} },
    { ...good, command: [] },
    { ...good, command: { ...command, title: '\ud800' } },
    { ...good, parents: undefined },
    { ...good, parents: ['x'] },
  ]
  for (const body of wrong) refused(await post(signer, 'console/sign', body), 400, 'member_invalid')
  // Members of an envelope or of a push in the request are ignored.
  const more = {
    signerKeyId: 'x',
    domain: 'kbd-content:demo',
    requestId: randomUUID(),
    targetEndpointIds: [],
    commandId: 'x',
  }
  const envelope = (await post(signer, 'console/sign', { ...good, ...more, schemaVersion: '1.7' })).json()
  assert.equal(Object.keys(envelope).sort(), [
    'command',
    'commandId',
    'concurrency',
    'domain',
    'expectedFrontier',
    'issuedAtMs',
    'schemaVersion',
    'signature',
    'signerKeyId',
  ])
  assert.equal(
    [envelope['domain'], envelope['signerKeyId'], envelope['schemaVersion']],
    ['kbd-control:demo', keyId, '2'],
  )
  assert.is.not(envelope['commandId'], 'x')
  const form = { method: 'POST', body: JSON.stringify(good), headers: { 'content-type': 'text/plain' } }
  refused(await signer.ask('console/sign', form), 415, 'unsupported_media_type')
  for (const body of ['', '[]', '{', 'null', `{"project":"${'x'.repeat(10)}`])
    refused(await post(signer, 'console/sign', body), 400, 'malformed_json')
  refused(
    await post(signer, 'console/sign', { ...good, command: { ...command, title: 'x'.repeat(70_000) } }),
    413,
    'payload_too_large',
  )
  refused(await signer.ask('console/sign'), 404, 'not_found')
})

testUnless(test, unbuilt, 'without a key, and without --write, nothing is signed', async () => {
  const body = { project: 'demo', command: { type: 'board.create' }, parents: [] }
  refused(await post(reader, 'console/sign', body), 403, 'read_only')
  const keyless = await startConsole(node, ['--write'])
  const answer = await post(keyless, 'console/sign', body)
  refused(answer, 409, 'key_missing')
  assert.match(answer.json().error!.hint!, /svc console --write --key me\.key/)
  await keyless.stop()
})

testUnless(test, unbuilt, 'devices are listed, enrolled and revoked as by svc device', async () => {
  const list = async (): Promise<unknown> => JSON.parse(await node.svc('device', 'list', '--json'))
  assert.equal((await read<DeviceList>(reader, 'console/devices')).devices, await list())
  const other = await node.svc('device', 'keygen', '--out', 'other.key')
  const enrolment = {
    keyId: other,
    scopes: ['kbd-control:demo#card'],
    label: '<script>\u202e',
    expiresAtMs: 4_102_444_800_000,
  }
  refused(await post(reader, 'console/devices', enrolment), 403, 'read_only')
  const made = await post(signer, 'console/devices', enrolment)
  assert.is(made.status, 200, made.text)
  assert.equal([made.json()['keyId'], made.json()['label'], made.json()['status']], [other, enrolment.label, 'active'])
  assert.equal((await read<DeviceList>(reader, 'console/devices')).devices, await list())
  const more = await post(signer, 'console/devices', { ...enrolment, scopes: ['kbd-control:demo#comment'] })
  assert.equal([more.status, more.json()['scopes']], [200, ['kbd-control:demo#card', 'kbd-control:demo#comment']])
  refused(await post(reader, 'console/devices/revoke', { keyId: other }), 403, 'read_only')
  const gone = await post(signer, 'console/devices/revoke', { keyId: other, reason: 'lost' })
  assert.equal([gone.json()['status'], gone.json()['revokedReason']], ['revoked', 'lost'])
  assert.equal((await read<DeviceList>(reader, 'console/devices')).devices, await list())
  refused(await post(signer, 'console/devices/revoke', { keyId: `ed25519:${'0'.repeat(64)}` }), 404, 'device_unknown')
  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ ...enrolment, keyId: 'x' }, 'member_invalid'],
    [{ ...enrolment, scopes: 'kbd-control:demo' }, 'member_invalid'],
    [{ ...enrolment, scopes: [] }, 'device_scope_invalid'],
    [{ ...enrolment, scopes: ['x'] }, 'device_scope_invalid'],
    [{ ...enrolment, label: 7 }, 'member_invalid'],
    [{ ...enrolment, label: 'x'.repeat(300) }, 'device_label_invalid'],
    [{ ...enrolment, expiresAtMs: 'x' }, 'member_invalid'],
    [{ ...enrolment, keyId: `ed25519:${'0'.repeat(64)}` }, 'device_key_inadmissible'],
  ]
  for (const [body, code] of wrong) refused(await post(signer, 'console/devices', body), 400, code)
  refused(await post(signer, 'console/devices/revoke', { keyId: 7 }), 400, 'member_invalid')
})

testUnless(test, unbuilt, 'a device is invited as by svc device invite, by those who may write', async () => {
  const wish = { scopes: ['kbd-control:demo#card'], label: 'phone', deviceSeconds: 3_600 }
  refused(await post(reader, 'console/invitations', wish), 403, 'read_only')
  const made = await post(signer, 'console/invitations', wish)
  assert.is(made.status, 200, made.text)
  const { code, qr, id, expiresAtMs } = made.json() as unknown as ShownInvitation
  assert.match(code, /^svcd1-[0-9A-Za-z]{16}-[0-9A-Za-z]{43}$/)
  assert.ok(Math.abs(expiresAtMs - Date.now() - 600_000) < 60_000)
  assert.ok(qr.length >= 21 && qr.every((row) => row.length === qr.length && /^[01]+$/.test(row)))
  const listed = async (): Promise<string> => node.svc('device', 'invite', '--list')
  assert.match(await listed(), new RegExp(`^${id}\topen\t\\S+\tkbd-control:demo#card\t\tphone$`, 'm'))
  assert.not.ok((await listed()).includes(code))
  refused(await post(reader, 'console/invitations/cancel', { id }), 403, 'read_only')
  assert.is((await post(signer, 'console/invitations/cancel', { id })).status, 200)
  assert.match(await listed(), new RegExp(`^${id}\tvoid`, 'm'))
  refused(await post(signer, 'console/invitations/cancel', { id }), 404, 'invitation_unknown')
  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ ...wish, scopes: 'kbd-control:demo' }, 'member_invalid'],
    [{ ...wish, scopes: ['x'] }, 'device_scope_invalid'],
    [{ ...wish, scopes: Array.from({ length: 65 }, (_, i) => `kbd-control:p${i}`) }, 'invitation_scopes'],
    [{ ...wish, label: 7 }, 'member_invalid'],
    [{ ...wish, deviceSeconds: 0 }, 'member_invalid'],
  ]
  for (const [body, code] of wrong) refused(await post(signer, 'console/invitations', body), 400, code)
  refused(await post(signer, 'console/invitations/cancel', { id: 7 }), 400, 'member_invalid')
  for (let i = 0; i < 64; i++) assert.is((await post(signer, 'console/invitations', wish)).status, 200)
  refused(await post(signer, 'console/invitations', wish), 409, 'invitation_limit')
})

testUnless(test, unbuilt, 'the store report equals svc store info, with the free space of the disk', async () => {
  const { disk, counts, holds, ...rest } = await read<StoreReport>(reader, 'console/store')
  const { bytes, logBytes, ...info } = JSON.parse(await node.svc('store', 'info', '--json')) as Record<string, unknown>
  const { bytes: _, logBytes: __, ...same } = rest
  assert.equal({ ...same, ...counts }, info)
  assert.match(holds, /^\d+ receipts?, 2 devices/)
  assert.ok(rest.bytes > 0 && disk.freeBytes > 0 && disk.totalBytes > disk.freeBytes)
  assert.ok(Number(bytes) > 0 && Number(logBytes) >= 0)
})

testUnless(test, unbuilt, 'builds beside the program are served by name, and no other file is', async () => {
  const { own, profiles } = await read<BuildList>(reader, 'console/builds')
  assert.is(own, 'server-full')
  assert.ok(profiles.includes('server-full'))
  const folder = dirname(program)
  for (const what of ['proof', 'account'])
    assert.is(
      (await reader.ask(`console/builds/server-full/${what}`)).text,
      readFileSync(join(folder, `${what}.json`), 'utf8'),
    )
  for (const path of [
    'server-full/manifest',
    'server-full/svc',
    'nothing/proof',
    'server-full/__proto__',
    '.build/proof',
    'constructor/proof',
  ])
    refused(await reader.ask(`console/builds/${path}`), 404, 'not_found')
  assert.ok(existsSync(join(folder, 'manifest.json')))
})

testUnless(
  test,
  unbuilt ?? notRoot,
  'the store of another user is not opened, and the session explains why',
  async () => {
    const other = createNode({ SVC_SERVER__PORT: node.env['SVC_SERVER__PORT']! })
    for (const folder of [other.folder, dirname(other.folder)]) if (folder !== '/tmp') chmodSync(folder, 0o755)
    await other.svc('device', 'list')
    const shown = await startConsole(other, ['--write'], { uid: 65_534 })
    for (const answer of [
      await shown.ask('console/devices'),
      await shown.ask('console/store'),
      await post(shown, 'console/devices', { keyId, scopes: ['kbd-control:demo'] }),
    ])
      refused(answer, 404, 'no_own_store')
    const { storeRefusal, views } = await read<Session>(shown, 'console/session')
    assert.is(storeRefusal?.code, 'no_own_store')
    assert.match(storeRefusal!.message, /belongs to the user root/)
    assert.ok(views.includes('devices'), 'the view is listed, because it explains why')
    await shown.stop()
  },
)

test.run()
