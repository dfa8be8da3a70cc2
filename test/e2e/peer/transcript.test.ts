/** docs/peers.md begins with what two nodes say: the program that ships, in two empty folders; two single executables say the same. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { testUnless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { type Desk, deskOf, noExecutable } from './desks.ts'

const test = suite('two nodes on a desk')
const page = join(root, 'docs/peers.md')
const [BEGIN, END] = [
  '<!-- transcript: made by test/e2e/peer/transcript.test.ts, SVC_UPDATE=1 -->\n',
  '<!-- /transcript -->',
]

const make = async (form: 'program' | 'executable'): Promise<string> => {
  const [desk, lamp] = [deskOf('desk', form), deskOf('lamp', form)]
  const names = new Map<string, string>()
  const lines: string[] = []
  const plain = (text: string): string => {
    let shown = text
    for (const [value, name] of names) shown = shown.replaceAll(value, name)
    return shown
      .replace(/"atMs":\d+/g, '"atMs":…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/ed25519:[0-9a-f]{8,64}/g, 'ed25519:…')
      .replace(/^[0-9a-f]{8}$/gm, '…')
      .replace(/^[0-9a-f]{12} {2}[^ ]+ {2}/gm, '…  ')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
      .trimEnd()
  }
  /** Runs a command and writes it down; `keep` chooses among the lines that it prints. */
  const svc = async (node: Desk, command: string, keep?: RegExp): Promise<string> => {
    const { code, out, err } = await node.run(
      ...command.match(/"[^"]*"|[^ ]+/g)!.map((arg) => arg.replace(/^"|"$/g, '')),
    )
    assert.is(code, 0, `${command}: ${out}${err}`)
    const told = `${err}${out}`.split('\n').filter((line) => line !== '' && (keep === undefined || keep.test(line)))
    lines.push(
      `${node.name}$ svc ${plain(command)}${keep === undefined ? '' : ' | grep sequence'}`,
      ...told.map(plain),
      '',
    )
    return out
  }

  for (const node of [desk, lamp]) names.set((await node.svc('peer', 'id')).trim(), `<id of ${node.name}>`)
  lines.push(
    'desk$ SVC_PEER__LISTEN=192.168.1.10:7443 svc --mode sync &',
    'lamp$ SVC_PEER__LISTEN=192.168.1.11:7443 svc --mode sync &',
    '',
  )
  for (const [node, shown] of [
    [desk, '192.168.1.10:7443'],
    [lamp, '192.168.1.11:7443'],
  ] as const) {
    await node.serve()
    names.set(node.address, shown)
  }
  await svc(desk, 'device keygen --out ada.key')
  await svc(desk, 'device enroll --key ada.key.pub --scope kbd-control:demo')
  const code = (await svc(desk, 'peer pair --project demo --devices --label lamp')).trim()
  names.set(code, '<code>')
  lines.splice(-5, 5, ...lines.slice(-5).map(plain))
  await svc(lamp, `peer join ${code} --devices --label desk`)
  await svc(desk, 'board add --key ada.key --board "Release 1" --columns "To do,Done"')
  await svc(desk, 'board add --key ada.key "Write the notes"')
  await svc(desk, 'push --key ada.key --domain kbd-control:demo --target lamp --follow', /^\{"sequence"/)
  await svc(lamp, 'board show')
  await svc(desk, 'board log')
  for (const node of [desk, lamp]) await node.stop()
  return `\n\`\`\`\n${lines.join('\n').replace(/\n+$/, '')}\n\`\`\`\n\n`
}

const found = (): string => readFileSync(page, 'utf8').split(BEGIN)[1]!.split(END)[0]!
const STALE = 'docs/peers.md is stale: run this test with SVC_UPDATE=1'

testUnless(test, unbuilt, 'the page begins with what they say', async () => {
  const made = await make('program')
  if (process.env['SVC_UPDATE'] === '1')
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(`${BEGIN}${found()}`, () => `${BEGIN}${made}`),
    )
  assert.is(found(), made, STALE)
})

testUnless(test, noExecutable, 'two single executables in two empty folders say the same', async () => {
  assert.is(await make('executable'), found(), STALE)
})

test.run()
