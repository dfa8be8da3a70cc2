/**
 * Invitations with the shipped program: a code enrols one device once, also over crashes, and strangers can neither use
 * nor void it.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../../../plugins/client/index.ts'
import { createDeviceKey, type HeldDeviceKey, signInvitation, signPush } from '../../../plugins/protocol/sign/index.ts'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { unless } from '../../support/skip.ts'
import { sendTo } from './daemon.ts'
import { type Answer, codeOf, type RemoteNode, startRemote, type User } from './remote-node.ts'
import { unbuilt } from './shipped.ts'

const test = suite('invitations of devices')
const it = unless(test, unbuilt)
const DEVICES = '/api/v2/sync/devices'
const SCOPES = ['--scope', 'kbd-control:demo']

const use = async (user: User, key: HeldDeviceKey, code: string): Promise<Answer> =>
  user.send('POST', DEVICES, JSON.stringify(await signInvitation(key, code)))
const invite = ({ node }: RemoteNode, ...more: readonly string[]): Promise<string> =>
  node.svc('device', 'invite', ...SCOPES, ...more)
const stateOf = async ({ node }: RemoteNode, code: string): Promise<string | undefined> => {
  const lines = (await node.svc('device', 'invite', '--list')).split('\n')
  return lines.map((line) => line.split('\t')).find(([id]) => id === code.split('-')[1])?.[1]
}
/** The code with another last digit of its secret. */
const wrong = (code: string): string => code.slice(0, -1) + (code.endsWith('a') ? 'b' : 'a')

it('a code enrols one device with what it says, which pushes; a repeat is answered, another key is not', async () => {
  const remote = await startRemote()
  const user = remote.user('ada', '')
  const [key, other] = await Promise.all([createDeviceKey(), createDeviceKey()])
  const code = await invite(remote, '--label', "Ada's phone", '--expires-in', '86400')
  assert.match(code, /^svcd1-[0-9A-Za-z]{16}-[0-9A-Za-z]{43}$/)
  assert.is(await stateOf(remote, code), 'open')
  const file = new DatabaseSync(join(remote.node.folder, 'state', 'sync.db'), { readOnly: true })
  const rows = JSON.stringify(file.prepare('SELECT * FROM invitations').all())
  file.close()
  assert.not.ok(rows.includes(code.split('-')[2]!), 'the store does not have the secret')

  const made = await use(user, key, code)
  assert.is(made.status, 201, made.text)
  const { expiresAtMs, ...rest } = made.json
  assert.equal(rest, { keyId: key.keyId, scopes: ['kbd-control:demo'], label: "Ada's phone" })
  assert.ok(Math.abs((expiresAtMs as number) - Date.now() - 86_400_000) < 60_000)
  const again = await use(user, key, code)
  assert.is(again.status, 200)
  assert.is(again.text, made.text)
  assert.is(await stateOf(remote, code), 'used')
  const pushed = await remote
    .user('ada', 'sync:push')
    .send('POST', '/api/v2/sync/pushes', JSON.stringify(await signPush(key, { domain: 'kbd-control:demo' })))
  assert.is(pushed.status, 201, pushed.text)

  assert.is(codeOf(await use(remote.user('bob', ''), other, code)), '403 invitation_invalid')
  assert.is(codeOf(await use(remote.user('eve', '', 'elsewhere'), key, code)), '403 invitation_invalid')
  await remote.node.svc('device', 'revoke', key.keyId)
  assert.is(codeOf(await use(user, key, code)), '403 invitation_invalid', 'revocation is final')
  const listed = await remote.node.svc('device', 'list')
  assert.is(listed.split('\n').length, 1, listed)
  const path = '/api/v1/audit?kind=enrolment'
  const audit = (await sendTo({ socketPath: remote.node.socketPath }, { path })).json() as {
    entries: { user?: string }[]
  }
  assert.equal(
    audit.entries.map(({ user }) => user),
    ['ada'],
  )
  assert.not.ok(remote.node.logs().includes(code.split('-')[2]!), 'the log does not have the secret')
  await remote.node.stop()
})

it('svc/client sends the use of a code', async () => {
  const remote = await startRemote()
  const key = await createDeviceKey()
  const client = createClient({ baseUrl: remote.origin(), token: remote.token('ada', '') })
  const body = await signInvitation(key, await invite(remote))
  const made = await client.api.POST('/api/v2/sync/devices', { body })
  assert.is(made.ok && made.status, 201)
  assert.is(made.ok && made.data.keyId, key.keyId)
  await remote.node.stop()
})

it('one caller runs into its own limit before a code is void; three wrong secrets of several void it', async () => {
  const remote = await startRemote()
  const key = await createDeviceKey()
  const [eve, mallory, ada] = ['eve', 'mallory', 'ada'].map((name) => remote.user(name, '')) as [User, User, User]
  const code = await invite(remote)
  const codes: string[] = []
  const tries = await Promise.all(Array.from({ length: 10 }, () => use(eve, key, wrong(code))))
  for (const answer of tries) codes.push(codeOf(answer))
  assert.equal(codes.sort(), [
    ...Array<string>(2).fill('403 invitation_invalid'),
    ...Array<string>(8).fill('429 rate_limited'),
  ])
  assert.is(await stateOf(remote, code), 'open')
  assert.is(codeOf(await use(eve, key, code)), '429 rate_limited', 'the right code too, for this caller')
  assert.is(codeOf(await use(mallory, key, wrong(code))), '403 invitation_invalid')
  assert.is(await stateOf(remote, code), 'void')
  assert.is(codeOf(await use(ada, key, code)), '403 invitation_invalid')
  await remote.node.stop()
})

it('a signature of another key, a known device, a cancelled and an expired code are refused', async () => {
  const remote = await startRemote()
  const [key, other] = await Promise.all([createDeviceKey(), createDeviceKey()])
  let n = 0
  const fresh = (): User => remote.user(`user-${n++}`, '')
  const code = await invite(remote)
  const forged = { ...(await signInvitation(other, code)), publicKey: Buffer.from(key.publicKey).toString('hex') }
  assert.is(codeOf(await fresh().send('POST', DEVICES, JSON.stringify(forged))), '403 invitation_invalid')
  const small = { ...(await signInvitation(key, code)), publicKey: `01${'00'.repeat(31)}` }
  assert.is(codeOf(await fresh().send('POST', DEVICES, JSON.stringify(small))), '403 invitation_invalid')
  assert.is(await stateOf(remote, code), 'open', 'these count no wrong secret')
  await remote.node.svc('device', 'enroll', '--key', key.keyId, '--scope', 'kbd-control:other')
  assert.is(codeOf(await use(fresh(), key, code)), '403 invitation_invalid', 'a code changes no device')
  await remote.node.svc('device', 'invite', '--cancel', code.split('-')[1]!)
  assert.is(codeOf(await use(fresh(), other, code)), '403 invitation_invalid')
  assert.match(await remote.node.fails('device', 'invite', '--cancel', code.split('-')[1]!), /no open invitation/)
  const short = await invite(remote, '--code-expires-in', '1')
  await until('the code has expired', async () => (await stateOf(remote, short)) === 'void', WAIT_MS)
  assert.is(codeOf(await use(fresh(), other, short)), '403 invitation_invalid')
  assert.match(await remote.node.fails('device', 'invite', '--scope', 'nonsense'), /Not a scope/)
  await remote.node.stop()
})

test.run()
