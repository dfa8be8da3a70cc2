/**
 * An acting key can name any number of users: the shipped program counts what all of them use together, beside each of
 * them.
 */
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDeviceKey, signInvitation } from '../../../plugins/protocol/sign/index.ts'
import { testUnless } from '../../support/skip.ts'
import { signed } from '../../unit/sync/platforms.ts'
import { type Answer, codeOf, type RemoteNode, startRemote, type User } from './remote-node.ts'
import { unbuilt } from './shipped.ts'

const test = suite('acting keys over the network')
const SCOPES = ['sync:push', 'kbd:write'] as const
/** As many users as one acting key may use in a minute. */
const KEY_USERS = 64

/** A node, and users of a backend with one acting key. */
interface Scene {
  readonly remote: RemoteNode
  acting(user: string): Promise<User>
}

async function withScene(more: Readonly<Record<string, string>>, work: (scene: Scene) => Promise<void>): Promise<void> {
  const remote = await startRemote({ SVC_SECURITY__DELEGATION: 'true', ...more })
  const scopes = ['svc:act', ...SCOPES].flatMap((scope) => ['--scope', scope])
  const key = await remote.node.svc('key', 'create', '--user', 'shop', ...scopes)
  const acting = async (subject: string): Promise<User> => {
    const answer = await fetch(`${remote.origin()}/api/svc/auth/exchange`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ subject, scope: SCOPES.join(' ') }),
    })
    return remote.bearer(((await answer.json()) as { access_token: string }).access_token)
  }
  try {
    await work({ remote, acting })
  } finally {
    await remote.node.stop()
  }
}

testUnless(test, unbuilt, 'the signatures of all users of an acting key are counted together', () =>
  withScene({ SVC_SYNC__REMOTE_SIGNATURES_PER_MINUTE: '1' }, async ({ remote, acting }) => {
    const signer = await remote.device()
    const push = async (user: User): Promise<string> =>
      codeOf(await user.send('POST', '/api/v2/sync/pushes', signed(signer, { issuedAtMs: Date.now() })))
    assert.is(await push(await acting('user-0')), '201')
    assert.is(await push(await acting('user-0')), '429 rate_limited', 'each user is counted, whatever the token')
    for (let n = 1; n < KEY_USERS; n++) assert.is(await push(await acting(`user-${n}`)), '201', `user-${n}`)
    assert.is(await push(await acting('one-more')), '429 rate_limited')
    assert.is(await push(remote.user('ada', 'sync:push')), '201', 'other callers are not affected')
  }),
)

testUnless(test, unbuilt, 'an acting key makes no code void, and keeps its users from no other code', () =>
  withScene({}, async ({ remote, acting }) => {
    const key = await createDeviceKey()
    const invite = (): Promise<string> => remote.node.svc('device', 'invite', '--scope', 'kbd-control:demo')
    const use = async (user: User, code: string): Promise<string> =>
      codeOf(await user.send('POST', '/api/v2/sync/devices', JSON.stringify(await signInvitation(key, code))))
    const [code, other] = [await invite(), await invite()]
    const wrong = code.slice(0, -1) + (code.endsWith('a') ? 'b' : 'a')
    assert.is(await use(await acting('eve'), wrong), '403 invitation_invalid')
    assert.is(await use(await acting('mallory'), wrong), '403 invitation_invalid')
    for (const user of ['trudy', 'oscar']) assert.is(await use(await acting(user), wrong), '429 rate_limited')
    assert.match(await remote.node.svc('device', 'invite', '--list'), new RegExp(`${code.split('-')[1]}\topen`))
    assert.is(
      await use(await acting('trudy'), other),
      '201',
      'a refused attempt of the key is not counted for the user',
    )
  }),
)

testUnless(test, unbuilt, 'the texts of all users of an acting key leave room for those of others', () =>
  withScene({ SVC_KBD__UNNAMED_CONTENT_BYTES: '800000' }, async ({ remote, acting }) => {
    await remote.device()
    const put = (user: User, n: number): Promise<Answer> => {
      const body = Buffer.alloc(60_000, String(n))
      const hash = createHash('sha256').update(body).digest('hex')
      return user.send('PUT', `/api/svc/kbd/demo/content/${hash}`, body, 'application/octet-stream')
    }
    for (let n = 0; n < 4; n++) assert.is(codeOf(await put(await acting(`user-${n}`), n)), '201')
    assert.match(codeOf(await put(await acting('one-more'), 5)), /content_full/)
    assert.is(codeOf(await put(remote.user('ada', 'kbd:write'), 5)), '201')
    assert.is(codeOf(await put(await acting('user-1'), 1)), '201', 'a text that is paid for is taken again')
  }),
)

test.run()
