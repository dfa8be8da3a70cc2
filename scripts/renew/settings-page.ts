/** The page of settings. */
import type { Setting } from '../../core/declare/settings.ts'
import { settingsTable } from '../../core/kernel/settings/of-plugins.ts'
import { toVariable } from '../../core/kernel/settings/resolve.ts'
import { plan } from '../build/plan/plan.ts'
import { standardProfiles } from '../build/plan/read-profile.ts'

const HEAD = `# Settings

<!-- Generated from what the plugins declare: make renew -->

Look up a setting: its variable, its default, and the profiles that have it.

Later sources win: the default, the \`--config\` file (JSON, keys nested: \`{"server": {"port": 8081}}\`), the variable of the
environment. All that is wrong is reported at once, with exit code 78; \`svc check-config\` looks without a start, and
\`svc print-config\` shows every value with its source. A list is comma-separated or a JSON array in the environment, an
object is JSON. A key of a feature that a profile lacks is refused, and the refusal names the profiles that have it.

A new value of a setting that is marked SIGHUP holds without a restart, once the service gets that signal
([operating](operating.md#changing-settings-without-a-restart)). SIGHUP (contents) means the file that the setting names: it is read again, and another
path needs a restart.
`

const GOING = `
## Settings that go

These keys act for the last time in this release, and a service that is given one says so in its log. After it, the value is a constant.

| setting | value | why it becomes a constant |
|---|---|---|
`

/** All settings by key, with the profiles whose program or library has each. */
export async function collectSettings(): Promise<Map<string, { setting: Setting<unknown>; profiles: string[] }>> {
  const settings = new Map<string, { setting: Setting<unknown>; profiles: string[] }>()
  for (const name of standardProfiles()) {
    const { targets } = await plan(name)
    // A library and a program may have different variants of a feature. Both variants declare the same settings.
    for (const { features } of targets) {
      const plugins = features.flatMap(({ plugin }) => plugin ?? [])
      if (plugins.length === 0) continue
      for (const [key, setting] of Object.entries(settingsTable(plugins))) {
        const entry = settings.get(key) ?? { setting, profiles: [] }
        if (!entry.profiles.includes(name)) entry.profiles.push(name)
        settings.set(key, entry)
      }
    }
  }
  return settings
}

const marks: Readonly<Record<string, string>> = { true: ' SIGHUP.', contents: ' SIGHUP (contents).' }

function row(key: string, { setting, profiles }: { setting: Setting<unknown>; profiles: string[] }): string {
  const variables = [toVariable(key), ...(setting.variable === undefined ? [] : [setting.variable])]
  const cells = [
    `\`${key}\`<br>${variables.map((name) => `\`${name}\``).join(', ')}`,
    setting.secret ? 'none' : `\`${JSON.stringify(setting.default)}\``,
    `${setting.summary ?? ''} Takes ${setting.expected}.${marks[String(setting.reload)] ?? ''}`,
    profiles.join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** docs/settings.md, generated from the settings that the plugins declare. */
export async function settingsPage(): Promise<string> {
  const settings = [...(await collectSettings())].sort(([a], [b]) => (a < b ? -1 : 1))
  const all = settings.filter(([, { setting }]) => setting.deprecated === undefined)
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
  const going = settings.flatMap(([key, { setting }]) =>
    setting.deprecated === undefined
      ? []
      : [`| \`${key}\` | \`${JSON.stringify(setting.default)}\` | ${setting.deprecated} |`],
  )
  return [HEAD, ...sections, GOING, ...going.map((line) => `${line}\n`)].join('')
}
