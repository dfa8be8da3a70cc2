/** The pages describe `svc-build` as it is. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { kinds } from '../../scripts/toolkit/diff/compare.ts'
import { toolHelp } from '../../scripts/toolkit/help.ts'
import { common } from '../../scripts/toolkit/tool.ts'
import { tools } from '../../scripts/toolkit/tools.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('pages on the toolkit')
const page = readFileSync(join(root, 'docs/toolkit.md'), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the table of commands names exactly the commands that exist', () => {
  const [, table = ''] = /## Commands\n[\s\S]*?\n\| command \| \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(page) ?? []
  const first = table.split('\n').map((row) => /^\| (.*?) \| [^|]*/.exec(row.replaceAll('\\|', ''))![1]!)
  const named = first.flatMap((cell) => [...cell.matchAll(/`([a-z]+)\b/g)].map(([, name]) => name!))
  assert.equal([...new Set(named)].sort(), Object.keys(tools).sort())
})

test('each option that the page names exists for its command, and each example of a help text is valid', async () => {
  for (const [name, { load }] of Object.entries(tools)) {
    const { tool } = await load()
    const options = Object.keys({ ...tool.options, ...common })
    const rows = page.split('\n').filter((row) => row.startsWith(`| \`${name}`))
    const named = [...rows.join('\n').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, option]) => option!)
    for (const option of named) assert.ok(options.includes(option), `docs/toolkit.md: ${name} --${option}`)
    const help = toolHelp(name, tool)
    for (const option of options) assert.match(help, `--${option}`)
    for (const line of tool.example.split('\n')) {
      const call = line.replace(/#.*/, '')
      assert.match(call, new RegExp(`^svc-build ${name}\\b`), line)
      for (const [, option] of call.matchAll(/ --([a-z][a-z-]*)/g)) assert.ok(options.includes(option!), line)
      for (const [, list] of call.matchAll(/--fail-on=(\S+)/g)) {
        for (const kind of list!.split(',')) assert.ok(kinds.includes(kind as never), line)
      }
    }
  }
})

const unbuilt = existsSync(join(distDir('minimal'), 'account.json'))
  ? undefined
  : 'make build PROFILE=minimal has not been run'
testUnless(test, unbuilt, 'the output of explain in the README is what the command prints', () => {
  const [, shown = ''] = /\$ npx svc-build explain minimal \/metrics\n([\s\S]*?)```/.exec(readme) ?? []
  const cli = join(root, 'scripts/toolkit/cli.ts')
  const args = ['--disable-warning=ExperimentalWarning', cli, 'explain', 'minimal', '/metrics']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const lines = stdout.split('\n')
  assert.ok(shown.trim().split('\n').length > 3)
  for (const line of shown.trimEnd().split('\n')) {
    const pattern = line.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const index = lines.findIndex((line) => new RegExp(`^ *${pattern.join('.*')}$`).test(line))
    assert.ok(index >= 0, `"${line}" is missing or in another order: ${stdout}${stderr}`)
    lines.splice(0, index + 1)
  }
})

test.run()
