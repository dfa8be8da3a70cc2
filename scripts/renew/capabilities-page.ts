/** The page of capabilities. */
import { type CapabilityEntry, readCapabilities } from './capability-reference.ts'

const HEAD = `# Capabilities

<!-- Generated from the doc comments of the code: make renew -->

Look up what one plugin gives another at run time, with its type. Name a capability in \`needs\` of your feature,
\`needs: { Live: 'required', Telemetry: 'optional' }\`, and take it with \`get('Live')\` in \`setup\`; a host of a library asks with
\`runtime.capability('Runs')\`. Their types come with \`svc/plugin\`. A build whose plugin requires what nobody provides is
refused, with the name of the feature that would.
`

function section(entry: CapabilityEntry): string {
  const { name, summary, type, source, providers } = entry
  const names = providers.map(({ id, profiles }) => `\`${id}\` (${profiles.join(', ') || 'no profile of ours'})`)
  const from =
    names.length > 0 ? `Provided by ${names.join(' and ')}.` : 'Provided by the host, or by a plugin of yours.'
  return [`### ${name}\n`, `${summary} ${from}\n`, '```ts', source ?? `type ${name} = ${type}`, '```', ''].join('\n')
}

/** docs/capabilities.md, generated from the doc comments of the code. */
export async function capabilitiesPage(): Promise<string> {
  const { capabilities, types } = await readCapabilities()
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
