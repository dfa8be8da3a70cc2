/** Peers on the command line: pull, labels, which peers have a command, and error messages. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { type Desk, deskOf } from './desks.ts'

const test = suite('peers on the command line')
const it = unless(test, unbuilt)
const PUSH = ['push', '--key', 'ada.key', '--domain', 'kbd-control:demo'] as const

/** Two nodes that have entered each other as peers. One has a board. */
async function pair(): Promise<{ readonly desk: Desk; readonly lamp: Desk; readonly ids: readonly [string, string] }> {
  const [desk, lamp] = [deskOf('desk'), deskOf('lamp')]
  const ids = [(await desk.svc('peer', 'id')).trim(), (await lamp.svc('peer', 'id')).trim()] as const
  for (const node of [desk, lamp]) await node.serve()
  await desk.svc('device', 'keygen', '--out', 'ada.key')
  for (const node of [desk, lamp])
    await node.svc('device', 'enroll', '--key', `${desk.folder}/ada.key.pub`, '--scope', 'kbd-control:demo')
  await desk.svc('peer', 'add', ids[1], '--address', lamp.address, '--label', 'lamp', '--project', 'demo')
  await lamp.svc('peer', 'add', ids[0], '--address', desk.address, '--label', 'desk', '--project', 'demo')
  await desk.svc('board', 'add', '--key', 'ada.key', '--board', 'Release', '--columns', 'To do')
  return { desk, lamp, ids }
}

const work = async (): Promise<void> => {
  const { desk, lamp, ids } = await pair()
  const taken = await lamp.run('board', 'pull', '--peer', 'desk')
  assert.equal([taken.code, taken.out, taken.err], [0, '', 'Took 2 new commands and 0 new texts.\n'])
  const again = JSON.parse(await lamp.svc('board', 'pull', '--peer', ids[0], '--project', 'demo', '--json')) as object
  assert.is(JSON.stringify(again).startsWith('{"commands":0,"content":0,"frontier":{"heads":["'), true)
  assert.match(await lamp.svc('board', 'show'), /Release/)
  assert.equal(
    (await lamp.svc('board', 'log'))
      .trim()
      .split('\n')
      .map((line) => line.split('→')[1]?.trim()),
    ['desk', 'desk'],
    'the peer has the commands that it gave',
  )
  for (const [args, code, expectedError] of [
    [['board', 'pull'], 64, /--peer is missing/],
    [['board', 'pull', '--peer', 'nobody'], 1, /No peer is entered under this id or label/],
    [['board', 'pull', '--peer', 'lamp', '--project', 'nothing'], 1, /project/],
  ] as const) {
    const ran = await desk.run(...args)
    assert.is(ran.code, code, ran.err)
    assert.match(ran.err, expectedError)
  }

  await desk.svc('board', 'add', '--key', 'ada.key', 'Write the notes')
  const pushed = await desk.svc(...PUSH, '--target', 'lamp', '--follow')
  assert.match(pushed, /"peerState":"applied"/)
  const peersOf = (await desk.svc('board', 'log', '--json'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { peers: readonly string[] }).peers)
  assert.equal(peersOf, [['lamp'], ['lamp'], ['lamp']])
  await desk.svc('board', 'add', '--key', 'ada.key', 'Read them')
  assert.is(
    (await desk.svc('board', 'log')).trim().split('\n').at(-1)!.includes('→'),
    false,
    'no peer has the last command',
  )

  const unknown = await desk.run(...PUSH, '--target', 'chair')
  assert.is(unknown.code, 1)
  assert.match(unknown.err, /No peer has the label chair: svc peer list/)
  const both = await desk.run(...PUSH, '--target', 'lamp', '--target', ids[1])
  assert.is(both.code, 64, 'a label and its id are one target')

  await lamp.stop()
  const away = await desk.run('board', 'pull', '--peer', 'lamp')
  assert.is(away.code, 1)
  assert.match(away.err, /lamp: nobody answers at .*Check --address here, and peer.listen there/)
  await desk.stop()
}
it('svc board pull fetches commands, svc board log shows the peers that have them, and labels work as targets', work)

test.run()
