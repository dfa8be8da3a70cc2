/** The login of a node to a real NATS, and the rights that a node needs there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type NatsFiles, toAccess } from '../../../plugins/cluster/nats/access.ts'
import { readAddress } from '../../../plugins/cluster/nats/address.ts'
import { root } from '../../../scripts/build/paths.ts'
import { testUnless } from '../../support/skip.ts'
import { makeCertificates } from './certificates.ts'
import { type LockedNats, makeNkey, makeOperator, noLockedNats, startLockedNats } from './locked-nats.ts'
import { until } from './rig.ts'
import { type RunNode, type RunNodeOptions, startRunNode } from './run-nodes.ts'

const test = suite('cluster: access to NATS')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const noFiles: NatsFiles = { ca: null, cert: null, key: null, creds: null, nkey: null }

/** How long a node that must be refused tries to connect, in milliseconds. */
const REFUSED_MS = 1_000

/** Starts a node with these settings. */
const join_ = (
  url: string,
  files: Partial<NatsFiles>,
  options: Omit<RunNodeOptions, 'access'> = {},
): Promise<RunNode> => startRunNode([], { ...options, access: toAccess(readAddress(url)!, { ...noFiles, ...files }) })

/** Writes a run with a node. */
const write = async ({ runs }: RunNode): Promise<number> => {
  await runs.create(owner, { run_id: 'r' })
  return (await runs.append(owner, 'r', [started])).last_seq
}

const accepts = async (url: string, files: Partial<NatsFiles>): Promise<void> => {
  const node = await join_(url, files)
  try {
    assert.is(await write(node), 1)
  } finally {
    await node.stop()
  }
}

const refuses = async (url: string, files: Partial<NatsFiles>): Promise<void> => {
  const node = await join_(url, files, { startMs: REFUSED_MS })
  try {
    await until('the node reports the error', async () => node.lastError !== undefined, 10_000)
    assert.is(node.isConnected, false)
  } finally {
    await node.stop()
  }
}

testUnless(
  test,
  noLockedNats,
  'a node connects over TLS with a private authority, with and without a client certificate',
  async () => {
    const { ca, otherCa, server, client } = makeCertificates()
    const tls = `cert_file: ${server.cert}, key_file: ${server.key}, ca_file: ${ca}`
    const [open, verifying, plain] = await Promise.all([
      startLockedNats(`tls { ${tls} }`),
      startLockedNats(`tls { ${tls}, verify: true }`),
      startLockedNats(''),
    ])
    try {
      const at = ({ port }: LockedNats): string => `tls://localhost:${port}`
      await accepts(at(open), { ca })
      await refuses(at(open), { ca: otherCa })
      await refuses(at(open), {})
      await accepts(at(verifying), { ca, ...client })
      await refuses(at(verifying), { ca })
      // Nothing is sent to a server without TLS.
      await refuses(at(plain), { ca })
    } finally {
      await Promise.all([open, verifying, plain].map((one) => one.stop()))
    }
  },
)

testUnless(test, noLockedNats, 'a node logs in with a user, a token, an nkey or a .creds file', async () => {
  const { publicKey, file: nkey } = makeNkey()
  const { config, creds } = makeOperator()
  const [users, tokens, operated] = await Promise.all([
    startLockedNats(
      `accounts { A { jetstream: enabled, users: [{ user: svc, password: "p@ss/word" }, { nkey: ${publicKey} }] } }`,
    ),
    startLockedNats('authorization { token: "a-token" }'),
    startLockedNats(config),
  ])
  const at = ({ port }: LockedNats, credentials = ''): string => `nats://${credentials}127.0.0.1:${port}`
  try {
    await accepts(at(users, 'svc:p%40ss%2Fword@'), {})
    await refuses(at(users, 'svc:wrong@'), {})
    await refuses(at(users), {})
    await refuses(at(users), { nkey: makeNkey().file })
    await accepts(at(tokens, 'a-token@'), {})
    await accepts(at(operated), { creds })
    await refuses(at(operated), { creds: makeOperator().creds })
    const node = await join_(at(users), { nkey })
    try {
      assert.is((await node.runs.get(owner, 'r'))?.last_seq, 1)
    } finally {
      await node.stop()
    }
  } finally {
    await Promise.all([users, tokens, operated].map((one) => one.stop()))
  }
})

testUnless(
  test,
  noLockedNats,
  'the rights that docs/cluster.md lists are enough, and nothing else is allowed',
  async () => {
    const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
    const config = readFileSync(join(root, 'scripts/cluster/account.conf'), 'utf8')
    assert.ok(page.includes(`\n\`\`\`conf\n${config}\`\`\`\n`), 'the page shows the account that make cluster uses')
    const server = await startLockedNats(config, { SVC_NATS_PASSWORD: 'secret' })
    const url = `nats://svc:secret@127.0.0.1:${server.port}`
    const nodes: RunNode[] = []
    try {
      // The run keeps few events, so its beginning is written in several parts.
      const numbers = { runMaxEvents: 4 }
      for (let n = 0; n < 2; n++) nodes.push(await join_(url, {}, { numbers }))
      const [one, other] = nodes as [RunNode, RunNode]
      await write(one)
      const say = (messageId: string, text: string): object[] => [
        { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
        { type: 'TEXT_MESSAGE_END', messageId },
      ]
      for (let n = 0; n < 8; n++) await one.runs.append(owner, 'r', say(`m${n}`, 'x'.repeat(100_000)))
      await until(
        'its beginning is written',
        async () => (await one.store.read({ owner, run_id: 'r' })) !== undefined,
        10_000,
      )
      await one.runs.append(owner, 'r', [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r' }])
      assert.is((await other.runs.find(owner, 'r', true))?.record.status, 'finished')
      assert.is(await one.store.lease(), true)
      const received: string[] = []
      const subscription = other.bus.subscribe('acme', {
        event: ({ topic }) => void received.push(topic),
        lost: () => undefined,
      })
      await subscription.ready
      assert.ok(one.bus.publish('acme', { topic: 'todos', bytes: new TextEncoder().encode('data: 1\n\n') }))
      await until('the event arrives', async () => received.length > 0, 10_000)
      subscription.close()
      await one.store.forget({ owner, run_id: 'r' }, Number.MAX_SAFE_INTEGER - 1)
      assert.is(one.store.health.problem, undefined)
      assert.not.match(server.log, /Violation/)
      // An operation that is not in the list is refused.
      const nats = one.connection!
      await nats.request('$JS.API.STREAM.DELETE.SVC_RUNS', '', { timeout: 500 }).then(
        () => assert.unreachable('a stream can be deleted'),
        () => undefined,
      )
      await until(
        'the server logs the violation',
        async () => /Publish Violation.*STREAM.DELETE/.test(server.log),
        10_000,
      )
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
      await server.stop()
    }
  },
)

test.run()
