/** docs/settings.md is generated from the settings that the plugins declare. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Setting } from '../../core/settings/kinds.ts'
import { settingsTable } from '../../core/settings/of-plugins.ts'
import { toVariable } from '../../core/settings/resolve.ts'
import { root } from '../../scripts/build/paths.ts'
import { standardProfiles } from '../../scripts/build/plan/load-profile.ts'
import { plan } from '../../scripts/build/plan/plan.ts'

const test = suite('docs/settings.md')
const file = join(root, 'docs/settings.md')

const HEAD = `# Settings

<!-- Generated from what the plugins declare: SVC_UPDATE=1, test/docs/settings.test.ts -->

Look up a setting: its variable, its default, and the profiles that have it.

Later sources win: the default, the \`--config\` file (JSON, keys nested: \`{"server": {"port": 8081}}\`), the variable of the
environment. All that is wrong is reported at once, with exit code 78; \`svc check-config\` looks without a start, and
\`svc print-config\` shows every value with its source. A list is comma-separated or a JSON array in the environment, an
object is JSON. A key of a feature that a profile lacks is refused, and the refusal names the profiles that have it.

A new value of a setting that is marked SIGHUP holds without a restart, once the service gets that signal
([operating](operating.md#changing-settings-without-a-restart)).
`

/** Settings by key, with the profiles whose program or library has each. */
async function collect(): Promise<Map<string, { setting: Setting<unknown>; profiles: string[] }>> {
  const found = new Map<string, { setting: Setting<unknown>; profiles: string[] }>()
  for (const name of standardProfiles()) {
    const { targets } = await plan(name)
    // A library and a program may have different variants of a feature. Both variants declare the same settings.
    for (const { features } of targets) {
      const plugins = features.flatMap(({ plugin }) => plugin ?? [])
      if (plugins.length === 0) continue
      for (const [key, setting] of Object.entries(settingsTable(plugins))) {
        const entry = found.get(key) ?? { setting, profiles: [] }
        if (!entry.profiles.includes(name)) entry.profiles.push(name)
        found.set(key, entry)
      }
    }
  }
  return found
}

function row(key: string, { setting, profiles }: { setting: Setting<unknown>; profiles: string[] }): string {
  const variables = [toVariable(key), ...(setting.variable === undefined ? [] : [setting.variable])]
  const cells = [
    `\`${key}\`<br>${variables.map((name) => `\`${name}\``).join(', ')}`,
    setting.secret ? 'none' : `\`${JSON.stringify(setting.default)}\``,
    `${setting.summary ?? ''} Takes ${setting.expected}.${setting.reload === true ? ' SIGHUP.' : ''}`,
    profiles.join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

test('the page has every setting as it is declared', async () => {
  const all = [...(await collect())].sort(([a], [b]) => (a < b ? -1 : 1))
  const groups = [...new Set(all.map(([key]) => key.slice(0, key.indexOf('.') + 1)))]
  const sections = groups.map((group) =>
    [
      `\n## ${group.slice(0, -1)}\n`,
      '| setting and variable | default | meaning | profiles |',
      '|---|---|---|---|',
      ...all.filter(([key]) => key.startsWith(group)).map(([key, entry]) => row(key, entry)),
      '',
    ].join('\n'),
  )
  const text = HEAD + sections.join('')
  if (process.env['SVC_UPDATE'] === '1') writeFileSync(file, text)
  const found = existsSync(file) ? readFileSync(file, 'utf8') : ''
  assert.ok(found === text, 'docs/settings.md is stale: run this test with SVC_UPDATE=1')
})

test('every setting has a summary that is a sentence', async () => {
  for (const [key, { setting }] of await collect()) assert.match(setting.summary ?? '', /^[A-Z].{10,}\.$/s, key)
})

test.run()
