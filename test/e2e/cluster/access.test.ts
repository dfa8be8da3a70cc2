/** The login of a node to a real NATS, and the rights that a node needs there. */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type NatsFiles, toAccess } from '../../../plugins/cluster/nats/access.ts'
import { readAddress } from '../../../plugins/cluster/nats/address.ts'
import { streamInfo } from '../../../plugins/cluster/nats/jetstream.ts'
import { BASES } from '../../../plugins/cluster/nats/names.ts'
import { root } from '../../../scripts/build/paths.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { folderWith } from '../../support/folder.ts'
import { runDefaults } from '../../support/run-defaults.ts'
import { testUnless } from '../../support/skip.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
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
const startNode = (
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
  const node = await startNode(url, files)
  try {
    assert.is(await write(node), 1)
  } finally {
    await node.stop()
  }
}

const refuses = async (url: string, files: Partial<NatsFiles>): Promise<void> => {
  const node = await startNode(url, files, { startMs: REFUSED_MS })
  try {
    await until('the node reports the error', async () => node.lastError !== undefined, 60_000)
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

testUnless(test, noLockedNats, 'certificates that are replaced are used at the next connection', async () => {
  const [before, after] = [makeCertificates(), makeCertificates()]
  const folder = folderWith()
  const at = (name: string): string => join(folder, name)
  const install = (files: Readonly<Record<string, string>>): void => {
    for (const [name, from] of Object.entries(files)) copyFileSync(from, at(name))
  }
  const ofServer = ({ ca, server }: Certificates) => ({ 's-ca': ca, 's-cert': server.cert, 's-key': server.key })
  const ofNode = ({ ca, client }: Certificates) => ({ ca, cert: client.cert, key: client.key })
  install({ ...ofServer(before), ...ofNode(before) })
  const tls = `cert_file: ${at('s-cert')}, key_file: ${at('s-key')}, ca_file: ${at('s-ca')}`
  const server = await startLockedNats(`tls { ${tls}, verify: true }`)
  const node = await startNode(`tls://localhost:${server.port}`, { ca: at('ca'), cert: at('cert'), key: at('key') })
  try {
    assert.is(await write(node), 1)
    install(ofServer(after))
    await server.restart()
    await until('the node refuses the new authority', async () => /TLS handshake error/.test(server.log), 60_000)
    assert.is(node.isConnected, false)
    install(ofNode(after))
    await until('the node uses its new files', async () => node.isConnected, 60_000)
    assert.is((await node.runs.append(owner, 'r', [{ type: 'CUSTOM', name: 'n', value: null }])).last_seq, 2)
  } finally {
    await node.stop()
    await server.stop()
  }
})

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
    const node = await startNode(at(users), { nkey })
    try {
      assert.is((await node.runs.get(owner, 'r'))?.last_seq, 1)
    } finally {
      await node.stop()
    }
  } finally {
    await Promise.all([users, tokens, operated].map((one) => one.stop()))
  }
})

testUnless(test, noNats, 'two accounts of one server share no runs and no entity streams', async () => {
  const server = await startNats(2)
  const nodes = await Promise.all([0, 1].map((n) => startNode(server.url.replace('nats://', `nats://u${n}:p@`), {})))
  try {
    const [one, other] = nodes as [RunNode, RunNode]
    assert.is(await write(one), 1)
    assert.is(await other.runs.get(owner, 'r'), undefined)
    assert.is(await write(other), 1, 'the same name is free there')
    const heard: [string[], string[]] = [[], []]
    const hear = (node: RunNode, topics: string[]): Promise<void> =>
      node.bus.subscribe('acme', { event: ({ topic }) => void topics.push(topic), lost: () => undefined }).ready
    await Promise.all([hear(one, heard[0]), hear(other, heard[1])])
    // An event of the other node would arrive before the second event of a node.
    for (const round of ['first', 'second']) {
      for (const [n, { bus }] of nodes.entries())
        bus.publish('acme', { topic: `${round} of ${n}`, bytes: new TextEncoder().encode('data: 1\n\n') })
      const isHeard = async (): Promise<boolean> => heard.every((topics, n) => topics.includes(`${round} of ${n}`))
      await until('each hears its own', isHeard, 60_000)
    }
    assert.equal(heard, [
      ['first of 0', 'second of 0'],
      ['first of 1', 'second of 1'],
    ])
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await server.stop()
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
    // Another user of the account sees every message that the nodes publish, and none that it publishes itself.
    const watched = config.replace('users: [', 'users: [\n      { user: all, password: all }')
    const server = await startLockedNats(watched, { SVC_NATS_PASSWORD: 'secret' })
    const at = `127.0.0.1:${server.port}`
    const url = `nats://svc:secret@${at}`
    const watcher = await connect({ servers: at, user: 'all', pass: 'all', noEcho: true })
    const seen = new Set<string>()
    for (const subject of ['svc.>', '$JS.API.>', '$JS.FC.>'])
      watcher.subscribe(subject, { callback: (_, message) => void seen.add(message.subject) })
    await watcher.flush()
    const nodes: RunNode[] = []
    try {
      // The run keeps few events, so its beginning is written in several parts.
      const numbers = { runMaxEvents: 4 }
      for (let n = 0; n < 2; n++) nodes.push(await startNode(url, {}, { numbers }))
      const [one, other] = nodes as [RunNode, RunNode]
      await write(one)
      const say = (messageId: string, text: string): object[] => [
        { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
        { type: 'TEXT_MESSAGE_END', messageId },
      ]
      // NATS asks for flow control after a megabyte: of a log that the other node follows, and of a beginning that the
      // other node reads.
      const long = { owner, run_id: 'long' }
      await one.store.keep(long, { epoch: 'e', sequence: 2 }, pieces(), 2)
      assert.is((await other.store.read(long))?.point.length, 3_000_000)
      await other.runs.find(owner, 'r', false)
      for (let n = 0; n < 8; n++) await one.runs.append(owner, 'r', say(`m${n}`, 'x'.repeat(600_000)))
      await until(
        'its beginning is written',
        async () => (await one.store.read({ owner, run_id: 'r' })) !== undefined,
        60_000,
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
      await until('the event arrives', async () => received.length > 0, 60_000)
      subscription.close()
      await one.store.forget({ owner, run_id: 'r' }, Number.MAX_SAFE_INTEGER - 1)
      assert.is(one.store.health.problem, undefined)
      // A node with a changed setting changes the streams.
      nodes.push(await startNode(url, {}, { numbers: { ...numbers, runsMaxBytes: 2 * runDefaults.runsMaxBytes } }))
      assert.is((await streamInfo(watcher, BASES)).config.max_bytes, 2 * runDefaults.runsMaxBytes)
      // Its consumers start again.
      one.store.readAnew()
      // Nodes use every right of the list.
      const [, list = ''] = /publish: \[([^\]]*)\]/.exec(config) ?? []
      const rights = [...list.matchAll(/"([^"]+)"/g)].map(([, right]) => right!)
      assert.ok(rights.length >= 20, list)
      const unused = (): string[] => rights.filter((right) => ![...seen].some((subject) => isUnder(subject, right)))
      await until('all are used', async () => unused().length === 0, 60_000).catch(() => assert.equal(unused(), []))
      // An operation that is not in the list is refused.
      const nats = one.connection!
      const forbidden = ['$JS.API.STREAM.DELETE.SVC_RUNS', '$JS.API.STREAM.LIST', 'svc.other']
      for (const subject of forbidden) nats.publish(subject)
      const violations = (): string[] => server.log.match(/\w+ Violation.*/g) ?? []
      await until('all are refused', async () => violations().length >= forbidden.length, 60_000)
      // The log is complete once it has the last violation, so the nodes attempted nothing else without the right.
      for (const [index, violation] of violations().entries())
        assert.match(violation, `Publish Violation - User "svc", Subject "${forbidden[index]}"`)
    } finally {
      await watcher.close()
      await Promise.all(nodes.map((node) => node.stop()))
      await server.stop()
    }
  },
)

/** A long text in pieces. */
async function* pieces(): AsyncGenerator<string> {
  for (let n = 0; n < 5; n++) yield 'x'.repeat(600_000)
}

/** Whether a subject matches a right with `*` and `>`. */
function isUnder(subject: string, right: string): boolean {
  const parts = subject.split('.')
  return right
    .split('.')
    .every(
      (token, index, all) =>
        token === '>' ||
        ((token === '*' || token === parts[index]) && (index < all.length - 1 || parts.length === all.length)),
    )
}

test.run()
