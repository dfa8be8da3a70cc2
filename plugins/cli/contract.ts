/** The contract of the command line: exit codes, and the output on each stream. */
import { type Case, type Contract, defineContract } from '../../core/testing/contract.ts'

const misused = (args: readonly string[], stderr: RegExp): Case => ({
  name: `svc ${args.join(' ')} is wrong usage: exit code 64, and stdout stays empty`,
  command: args,
  exits: { code: 64, stdout: '', stderr },
})

/** The contract of feature `cli`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'svc --version prints the version alone',
      command: ['--version'],
      exits: { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' },
    },
    ...['--help', '-h'].map(
      (option): Case => ({
        name: `svc ${option} names the options and commands`,
        command: [option],
        exits: { code: 0, stdout: /^Usage: svc \[options\][\s\S]*--config[\s\S]*\n {2}build-info {2,}/m, stderr: '' },
      }),
    ),
    {
      name: 'svc build-info --json is JSON about this build',
      command: ['build-info', '--json'],
      exits: { code: 0, stdout: { name: 'svc', platform: 'node' }, stderr: '' },
    },
    {
      name: 'svc build-info names every feature with its stability',
      command: ['build-info'],
      exits: { code: 0, stdout: /^ {2}cli +stable, since \d/m, stderr: '' },
    },
    {
      name: 'svc list-plugins --json is a list of plugins with versions',
      dialogue: async ({ run }) => {
        const { code, stdout } = await run(['list-plugins', '--json'])
        const plugins = JSON.parse(stdout) as { name?: unknown; version?: unknown }[]
        const whole = plugins.every(({ name, version }) => typeof name === 'string' && typeof version === 'string')
        if (code !== 0 || plugins.length === 0 || !whole) throw new Error(`exit code ${code}, ${stdout}`)
      },
    },
    {
      name: 'svc <command> --help is the text of the command',
      command: ['build-info', '--help'],
      exits: { code: 0, stdout: /^Usage: svc build-info/, stderr: '' },
    },
    {
      name: 'svc build-info --sbom is CycloneDX of an executable, and of nothing else',
      dialogue: async ({ run }) => {
        const { executable } = JSON.parse((await run(['build-info', '--json'])).stdout) as { executable: boolean }
        const { code, stdout } = await run(['build-info', '--sbom'])
        const good = executable ? code === 0 && stdout.includes('"CycloneDX"') : code === 64 && stdout === ''
        if (!good) throw new Error(`exit code ${code}, ${stdout.slice(0, 200)}`)
      },
    },
    misused(['frobnicate'], /There is no command "frobnicate"/),
    misused(['biuld-info'], /Did you mean build-info\?/),
    misused(['build-info', '--yaml'], /--json/),
    misused(['--frobnicate'], /--frobnicate/),
    misused(['--confg', 'x.json'], /Did you mean --config\?/),
    misused(['health', '--lcoal'], /Did you mean --local\?/),
    {
      name: 'a setting that is not valid ends the start with 78 and names the setting',
      given: { 'server.port': 'many' },
      command: [],
      exits: { code: 78, stderr: /SVC_SERVER__PORT: expected an integer/ },
    },
  ],
  absent: [{ name: 'there is no program', command: [], exits: 'missing' }],
})
