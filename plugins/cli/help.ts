/** The text of `svc --help`. */
import type { Command } from '../../core/declare/command.ts'
import type { Manifest } from '../../core/declare/manifest.ts'

/** Help for the commands and options that this profile has. */
export function helpText(manifest: Manifest, commands: readonly Command[]): string {
  const has = (key: string): boolean => manifest.settings.includes(key)
  const options: [string, string][] = [
    [
      '--config <file.json>',
      'settings, nested; the environment wins over it (SVC_SERVER__PORT=8081); commands take it too',
    ],
    ['-h, --help', 'this text; svc <command> --help tells of a command'],
    ['-V, --version', 'the version'],
  ]
  if (has('sync.tcp')) {
    options.unshift(
      ['--tcp [host:]port', 'serve the local sync API on loopback TCP too; needs --token-file'],
      ['--token-file <file>', 'the bearer token of --tcp; a file of mode 0600, 32 bytes or more'],
    )
  }
  const modes = [
    'runtime',
    ...(has('sync.tcp') ? ['sync'] : []),
    ...(commands.some(({ name }) => name === 'openapi') ? ['openapi'] : []),
  ]
  options.unshift([`--mode ${['all', ...modes].join('|')}`, 'which surfaces to serve; default all'])
  return [
    `svc ${manifest.version} (${manifest.profile})`,
    '',
    'Usage: svc [options]              start the service',
    '       svc <command> [arguments]',
    '',
    'Options:',
    ...table(options),
    '',
    'Commands:',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Exit codes: 0 stopped cleanly or done, 1 failure, 64 wrong usage, 78 bad configuration.',
  ].join('\n')
}

/** Two columns, aligned. */
export function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}
