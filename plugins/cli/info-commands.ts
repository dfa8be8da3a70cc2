/** `svc build-info` and `svc list-plugins`: print the manifest of this build. */
import { parseArgs } from 'node:util'
import type { Command, CommandIo } from '../../core/declare/command.ts'
import type { Manifest } from '../../core/declare/manifest.ts'
import { toJsonText } from '../../core/kernel/printable.ts'
import { usageFail } from './arguments.ts'
import { type EmbeddedBinaries, embeddedBinaries, embeddedSbom } from './embedded-binaries.ts'
import { table } from './help.ts'

/** The two commands for a manifest. */
export function infoCommands(manifest: Manifest): Command[] {
  return [
    {
      name: 'build-info',
      summary: 'what this build contains: profile, features, hashes',
      help: `Usage: svc build-info [--json | --sbom]

Shows the profile, its features with their stability, and the hash of the bundle; with --sbom what an executable is made of, as
CycloneDX.`,
      run: async (args, io) => {
        if (args.length === 1 && args[0] === '--sbom') {
          const sbom = embeddedSbom()
          if (sbom === undefined)
            throw usageFail('ERR_USAGE', {
              message: 'Only an executable carries its bill of materials.',
              hint: 'svc-build sbom',
            })
          io.out(sbom)
          return 0
        }
        const info = { ...manifest, runtime: process.versions.node, ...embeddedBinaries() }
        if (wantsJson(args)) io.out(toJsonText(info, 2))
        else showBuild(info, io)
        return 0
      },
    },
    {
      name: 'list-plugins',
      summary: 'the plugins of this build',
      help: 'Usage: svc list-plugins [--json]\n\nShows each plugin with its feature and version.',
      run: async (args, io) => {
        if (wantsJson(args)) io.out(toJsonText(manifest.plugins, 2))
        else
          for (const line of table(manifest.plugins.map(({ name, version }) => [name, version]))) io.out(line.slice(2))
        return 0
      },
    },
  ]
}

function showBuild(info: Manifest & EmbeddedBinaries & { readonly runtime: string }, io: CommandIo): void {
  io.out(`svc ${info.version}, profile ${info.profile} (${info.platform})`)
  io.out(`built with Node ${info.node}, running on ${info.runtime}`)
  io.out(`bundle ${info.bundleSha256}`)
  io.out(`commit ${info.commit ?? 'unknown'}`)
  if (info.codeCache !== undefined) io.out(`code cache ${info.codeCache}`)
  for (const { name, sha256, note } of info.binaries) io.out(`binary ${name} ${sha256 ?? note}`)
  io.out('features:')
  const rows = info.features.map(
    ({ id, stability, since, variant }) =>
      [variant === undefined ? id : `${id}=${variant}`, `${stability}, since ${since}`] as const,
  )
  for (const line of table(rows)) io.out(line)
}

/** @throws SvcError `ERR_USAGE` */
function wantsJson(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean' } } }).values.json === true
  } catch (cause) {
    throw usageFail('ERR_USAGE', { message: 'The only option here is --json.', cause })
  }
}
