/** docs/capabilities.md is generated from the doc comments of the code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { type CapabilityEntry, type CapabilityReference, readCapabilities } from '../support/capability-reference.ts'

const test = suite('docs/capabilities.md')
const file = join(root, 'docs/capabilities.md')

const HEAD = `# Capabilities

<!-- Generated from the doc comments of the code: SVC_UPDATE=1, test/docs/capabilities.test.ts -->

Look up what one plugin gives another at run time, with its type. Name a capability in \`requires\` of your plugin and take it with \`ctx.use('Live')\`,
or in \`wants\` and take it with \`ctx.find('Telemetry')\` where it may be absent; a host of a library asks with
\`runtime.capability('Runs')\`. Their types come with \`svc/plugin\`. A build whose plugin requires what nobody provides is
refused, with the name of the feature that would.
`

function section(entry: CapabilityEntry): string {
  const { name, summary, type, source, providers } = entry
  const given = providers.map(({ id, profiles }) => `\`${id}\` (${profiles.join(', ') || 'no profile of ours'})`)
  const from =
    given.length > 0 ? `Provided by ${given.join(' and ')}.` : 'Provided by the host, or by a plugin of yours.'
  return [`### ${name}\n`, `${summary} ${from}\n`, '```ts', source ?? `type ${name} = ${type}`, '```', ''].join('\n')
}

function page({ capabilities, types }: CapabilityReference): string {
  const familyOf = (path: string): string => /^plugins\/([^/]+)/.exec(path)?.[1] ?? 'kernel'
  const families = [...new Set(capabilities.map(({ file }) => familyOf(file)))]
  const index = [
    '| capability | what it is |',
    '|---|---|',
    ...capabilities.map(
      ({ name, summary }) => `| [\`${name}\`](#${name.toLowerCase()}) | ${summary.replaceAll('|', '\\|')} |`,
    ),
  ]
  const sections = families.map((family) => {
    const ownCapabilities = capabilities.filter(({ file }) => familyOf(file) === family)
    const typesOfFamily = [...types].filter(([path]) => familyOf(path) === family).flatMap(([, list]) => list)
    return [
      `## ${family}\n`,
      ...ownCapabilities.map(section),
      ...(typesOfFamily.length === 0
        ? []
        : ['### Types they speak of\n', '```ts', typesOfFamily.map(({ source }) => source).join('\n\n'), '```', '']),
    ].join('\n')
  })
  return [HEAD, ...index, '', sections.join('\n')].join('\n')
}

const reference = await readCapabilities()

test('the page is what the code generates', () => {
  const text = page(reference)
  if (process.env['SVC_UPDATE'] === '1') writeFileSync(file, text)
  const found = existsSync(file) ? readFileSync(file, 'utf8') : ''
  assert.ok(found === text, 'docs/capabilities.md is stale: run this test with SVC_UPDATE=1')
})

test('the page has every capability that a plugin provides, requires or wants, with a sentence', () => {
  const { capabilities, used } = reference
  for (const { name, summary } of capabilities) assert.match(summary, /^[A-Z].{10,}\.$/s, name)
  const names = capabilities.map(({ name }) => name)
  assert.is(new Set(names).size, names.length, 'each once')
  for (const name of used) assert.ok(names.includes(name), name)
  assert.ok(used.size > 15)
})

test.run()
