/** Changes of existing boards, columns and cards with `svc board`, on the shipped program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createNode } from './node.ts'

const test = suite('svc board: changes')
const it = unless(test, unbuilt)

it('a card is edited, labelled, commented, read, archived and restored, and a column is created', async () => {
  const node = createNode()
  await node.start()
  const key = ['--key', 'ada.key']
  await node.svc('device', 'keygen', '--out', 'ada.key')
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo#board,column,card')
  const board = (...args: readonly string[]): Promise<string> => node.svc('board', ...args)
  await board('add', ...key, '--board', 'Release', '--columns', 'To do,Done')
  await board('add', ...key, 'Write the notes')

  const refused = await board('label', ...key, 'Write', '--label', 'docs').catch(String)
  assert.match(refused, /signer_not_in_scope/)
  // A second enrolment of the same key adds scopes.
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo#label,comment,claim')
  const [device] = JSON.parse(await node.svc('device', 'list', '--json')) as { scopes: string[] }[]
  assert.equal(device!.scopes, ['kbd-control:demo#board,column,card', 'kbd-control:demo#label,comment,claim'])
  const again = node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo#label,comment,claim')
  assert.match(await again.catch(String), /is enrolled with these scopes already/)

  writeFileSync(join(node.folder, 'text.md'), 'The first line\nand \u001b[31ma second\n')
  await board('label', ...key, 'Write', '--label', 'docs', '--label', 'urgent')
  await board('label', ...key, 'Write', '--remove', 'urgent')
  await board('edit', ...key, 'Write', '--title', 'Write the release notes', '--body', 'text.md', '--priority', '1')
  await board('comment', ...key, 'Write', 'Looks good')
  assert.equal((await board('text', 'Write')).split('\n').slice(0, 4), [
    'Write the release notes #docs',
    '',
    'The first line',
    'and \\u{1b}[31ma second',
  ])
  const card = JSON.parse(await board('text', 'Write', '--json')) as {
    priority: number
    text: string
    comments: { text: string }[]
  }
  assert.equal([card.priority, card.comments.map(({ text }) => text)], [1, ['Looks good']])
  await board('edit', ...key, 'Write', '--priority', 'none', '--body', 'none')
  const cleared = JSON.parse(await board('text', 'Write', '--json')) as { priority: unknown; bodyHash: unknown }
  assert.equal([cleared.priority, cleared.bodyHash], [null, null])

  await board('claim', ...key, 'Write', '--minutes', '1')
  assert.match(await board('renew', ...key, 'Write', '--minutes', '30'), /generation 1\t.*(?:29|30) min left/)

  await board('add', ...key, '--column', 'Doing')
  await board('move', ...key, 'Write', 'Doing')
  await board('archive', ...key, 'Write')
  assert.not.match(await board('show'), /Write the release notes/)
  await board('restore', ...key, 'Write')
  assert.match(await board('show'), /Write the release notes/)
  await board('archive', ...key, '--board', 'Release')
  assert.not.match(await board('show'), /Release/)
  await board('restore', ...key, '--board', 'Release')
  await board('edit', ...key, '--board', 'Release', '--title', 'Release 1')
  assert.match(await board('show'), /Release 1/)

  // With two boards, a command without a board lists them in the order of their creation.
  await board('add', ...key, '--board', 'Another', '--columns', 'To do')
  const which = await board('add', ...key, '--column', 'Where').catch(String)
  assert.match(which, /ambiguous|Which board\?/)
  assert.match(which, /Release 1[\s\S]*Another/)
  assert.match(await board('show'), /Release 1[\s\S]*Another/)
  for (const wrong of [
    ['edit', ...key, 'Write'],
    ['label', ...key, 'Write'],
    ['restore', ...key],
  ])
    assert.match(await board(...wrong).catch(String), /svc board|name a card|edit needs|label needs/)
  await node.stop()
})

test.run()
