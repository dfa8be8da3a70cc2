/** `svc-build init`: writes a profile or a plugin from the documented examples. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toolFail } from '../errors.ts'
import { around } from '../init/around.ts'
import { documentedFiles, renamed } from '../init/example.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[profile | plugin] [name]',
  about: `Writes files that build, prove and test as they are, into the current folder: a profile with a plugin of its own, or a
plugin in a folder with the smallest profile around it. Nothing that is there is overwritten.`,
  example: `svc-build init                  # edge.ts and quote.ts: svc-build build edge.ts
svc-build init plugin weather   # weather/: svc-build test weather/profile.ts`,
  words: [0, 2],
  run: async ({ words: [kind = 'profile', name = kind === 'plugin' ? 'quote' : 'edge'], io }) => {
    if (kind !== 'profile' && kind !== 'plugin') {
      throw toolFail('ERR_TOOL_USAGE', { message: `"${kind}" is neither profile nor plugin.` })
    }
    if (!/^[a-z][a-z0-9]{0,31}$/.test(name)) {
      throw toolFail('ERR_TOOL_USAGE', {
        message: `"${name}" is no name: lower-case letters and digits, a letter first.`,
      })
    }
    const files = kind === 'profile' ? profileFiles(name) : pluginFiles(name)
    const taken = Object.keys(files).filter((file) => existsSync(file))
    if (taken.length > 0) {
      throw toolFail('ERR_TOOL_INPUT', {
        message: `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} there already.`,
        hint: 'Choose another name, or call it in another folder.',
      })
    }
    const { files: further, notes } = around()
    const all = { ...files, ...further }
    for (const [file, text] of Object.entries(all)) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      io.out(`  ${file}`)
    }
    const first = kind === 'profile' ? `${name}.ts` : `${name}/profile.ts`
    for (const note of notes) io.note(note)
    io.out(`→ svc-build build ${first}`)
    return { json: { files: Object.keys(all), profile: first, notes } }
  },
}

function profileFiles(name: string): Record<string, string> {
  const { 'edge.ts': profile = '' } = documentedFiles('toolkit.md')
  const { 'quote.ts': plugin = '' } = documentedFiles('plugins.md')
  return { [`${name}.ts`]: profile.replace("name: 'edge'", `name: '${name}'`), 'quote.ts': plugin }
}

function pluginFiles(name: string): Record<string, string> {
  const { 'quote.ts': plugin = '', 'edge.ts': profile = '' } = renamed(documentedFiles('plugins.md'), name)
  return {
    [join(name, 'feature.ts')]: plugin,
    [join(name, 'profile.ts')]: profile.replace(`./${name}.ts`, './feature.ts').replace("'docs-edge'", `'${name}'`),
  }
}
