/** docs/peers.md begins with what two nodes say: the program that ships, in two empty folders, each with its own process. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { program, unbuilt, untilHealthy } from '../sync/shipped.ts'

const test = suite('two nodes on a desk')
const page = join(root, 'docs/peers.md')
const [BEGIN, END] = [
  '<!-- transcript: made by test/e2e/peer/transcript.test.ts, SVC_UPDATE=1 -->\n',
  '<!-- /transcript -->',
]
const SECRET = 'transcript-secret-of-at-least-32-bytes!'

interface Desk {
  readonly name: string
  readonly environment: NodeJS.ProcessEnv
  readonly folder: string
  readonly socketPath: string
  child?: Child
}

function deskOf(name: string): Desk {
  const folder = createFolder()
  mkdirSync(join(folder, 'home'))
  const socketPath = join(folder, 's.sock')
  return {
    name,
    folder,
    socketPath,
    environment: {
      HOME: join(folder, 'home'),
      RUST_LOG: 'info',
      SVC_SERVER__MODE: 'sync',
      SVC_SECURITY__JWT_SECRET: SECRET,
      SVC_STORAGE__DIR: join(folder, 'state'),
      SVC_SYNC__SOCKET_PATH: socketPath,
      SVC_PEER__LISTEN: '127.0.0.1:0',
    },
  }
}

const make = async (): Promise<string> => {
  const [desk, lamp] = [deskOf('desk'), deskOf('lamp')]
  const names = new Map<string, string>()
  const lines: string[] = []
  const plain = (text: string): string => {
    let shown = text
    for (const [value, name] of names) shown = shown.replaceAll(value, name)
    return shown
      .replace(/"atMs":\d+/g, '"atMs":…')
      .replace(/ed25519:[0-9a-f]{8,64}/g, 'ed25519:…')
      .replace(/^[0-9a-f]{8}$/gm, '…')
      .replace(/^[0-9a-f]{12} {2}[^ ]+ {2}/gm, '…  ')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
      .trimEnd()
  }
  const serve = async (node: Desk): Promise<void> => {
    node.child = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program],
      env: node.environment,
    })
    await untilHealthy(node.child, { folder: node.folder, state: '', socketPath: node.socketPath })
    const [, address] = await node.child.waitFor(/"peers":"([^"]+)"/)
    names.set(address!, node.name === 'desk' ? '192.168.1.10:7443' : '192.168.1.11:7443')
  }
  /** Runs a command and writes it down; `keep` chooses among the lines that it prints. */
  const svc = async (node: Desk, command: string, keep?: RegExp): Promise<string> => {
    const args = command.match(/"[^"]*"|[^ ]+/g)!.map((arg) => arg.replace(/^"|"$/g, ''))
    const child = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, ...args],
      env: node.environment,
      cwd: node.folder,
    })
    const { code } = await child.exited
    assert.is(code, 0, `${command}: ${child.out}${child.err}`)
    const told = [child.err, child.out]
      .join('')
      .split('\n')
      .filter((line) => line !== '' && (keep === undefined || keep.test(line)))
    if (/^[0-9a-f]{64}$/.test(told[0] ?? '') && command === 'peer id') names.set(told[0]!, `<id of ${node.name}>`)
    lines.push(
      `${node.name}$ svc ${plain(command)}${keep === undefined ? '' : ' | grep sequence'}`,
      ...told.map(plain),
      '',
    )
    return child.out
  }

  const desksId = (await svc(desk, 'peer id')).trim()
  const lampsId = (await svc(lamp, 'peer id')).trim()
  lines.push(
    'desk$ SVC_PEER__LISTEN=192.168.1.10:7443 svc --mode sync &',
    'lamp$ SVC_PEER__LISTEN=192.168.1.11:7443 svc --mode sync &',
    '',
  )
  for (const node of [desk, lamp]) await serve(node)
  const addressOf = (name: string): string => [...names].find(([, shown]) => shown === name)![0]
  await svc(desk, 'device keygen --out ada.key')
  await svc(desk, 'device enroll --key ada.key.pub --scope kbd-control:demo')
  const devices = await svc(desk, 'device export')
  lines.splice(-3, 3, 'desk$ svc device export > ada.json', '')
  writeFileSync(join(lamp.folder, 'ada.json'), devices)
  await svc(lamp, 'device import ada.json')
  await svc(desk, `peer add ${lampsId} --address ${addressOf('192.168.1.11:7443')} --label lamp --project demo`)
  await svc(lamp, `peer add ${desksId} --address ${addressOf('192.168.1.10:7443')} --label desk --project demo`)
  await svc(desk, 'board add --key ada.key --board "Release 1" --columns "To do,Done"')
  await svc(desk, 'board add --key ada.key "Write the notes"')
  await svc(desk, 'push --key ada.key --domain kbd-control:demo --target lamp --follow', /^\{"sequence"/)
  await svc(lamp, 'board show')
  await svc(desk, 'board log')
  for (const { child } of [desk, lamp]) assert.equal(await child!.stop(), { code: 0, signal: null })
  return `\n\`\`\`\n${lines.join('\n').replace(/\n+$/, '')}\n\`\`\`\n\n`
}

testUnless(test, unbuilt, 'the page begins with what they say', async () => {
  const made = await make()
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const [found, after] = rest!.split(END)
  if (process.env['SVC_UPDATE'] === '1') writeFileSync(page, `${before}${BEGIN}${made}${END}${after}`)
  else assert.is(found, made, 'docs/peers.md is stale: run this test with SVC_UPDATE=1')
})

test.run()
