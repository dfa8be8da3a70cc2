/** Creates a user-defined profile in a folder outside of the project. */
import { join } from 'node:path'
import { folderWith } from './folder.ts'

/** How the folder differs from the standard one. */
export interface OwnProfileOptions {
  readonly name: string
  /** Lines that replace the plugin's. */
  readonly plugin?: string
  /** More members of the profile, as source text. */
  readonly rest?: string
  readonly files?: Readonly<Record<string, string>>
  /** Changes the text of the profile itself. */
  readonly change?: (text: string) => string
}

/** Creates the folder and returns the path of the profile's file. */
export function ownProfile(options: OwnProfileOptions): string {
  const { name, plugin = pluginFile, rest = '', files = {}, change = (text: string) => text } = options
  const folder = folderWith({
    'edge.ts': change(profileFile(name, rest)),
    'quote/plugin.ts': plugin,
    'quote/contract.ts': contractFile,
    'node_modules/edge-greeter/package.json': JSON.stringify({
      name: 'edge-greeter',
      version: '2.1.0',
      main: 'index.js',
      type: 'module',
    }),
    'node_modules/edge-greeter/index.js': greeterFile,
    'node_modules/edge-greeter/lib/text.js': "export const text = 'good day'\n",
    ...files,
  })
  return join(folder, 'edge.ts')
}

const profileFile = (name: string, rest: string): string => `import { contract } from './quote/contract.ts'

const empty = { present: [], absent: [] }
export const profile = {
  name: '${name}',
  summary: 'A profile of somebody else',
  extends: 'minimal',
  library: { features: { 'edge.quote': true, 'edge.greeter': true, 'telemetry.logs': false } },
  main: { features: { 'telemetry.logs': false } },
  own: {
    'edge.quote': {
      summary: 'A quote', stability: 'experimental', since: '1.0.0', platform: 'web',
      plugin: './quote/plugin.ts', contract,
    },
    'edge.greeter': {
      summary: 'A greeting', stability: 'stable', since: '1.0.0', platform: 'web',
      plugin: 'edge-greeter', contract: empty,
    },
  },
  ${rest}
}
`

const pluginFile = `import { definePlugin, integer, json, type RouteSpec } from 'svc/plugin'

const quote: RouteSpec = { surface: 'runtime', method: 'GET', path: '/edge/quote', auth: 'handler', summary: 'A quote.' }

export const plugin = definePlugin({
  name: 'edge.quote',
  feature: 'edge.quote',
  version: '1.4.0',
  settings: { 'edge.answer': integer({ default: 42, max: 99, summary: 'The answer.' }) },
  routes: [quote],
  setup(ctx) {
    ctx.route(quote, () => json(200, { answer: ctx.settings['edge.answer'] }))
  },
})
`

const contractFile = `import { defineContract } from 'svc/plugin'

export const contract = defineContract({
  present: [
    {
      name: 'the quote is the answer',
      send: { path: '/edge/quote' },
      expect: { status: 200, headers: { 'content-type': 'application/json' }, body: { answer: 42 } },
    },
    {
      name: 'the answer is a setting',
      given: { 'edge.answer': 7 },
      send: { path: '/edge/quote' },
      expect: { status: 200, body: { answer: 7 } },
    },
  ],
  absent: [{ name: 'there is no quote', send: { path: '/edge/quote' }, expect: { status: 401 } }],
})
`

const greeterFile = `import { definePlugin, json } from 'svc/plugin'
import { text } from './lib/text.js'

const hello = { surface: 'runtime', method: 'GET', path: '/edge/hello', auth: 'handler', summary: 'A greeting.' }

export const plugin = definePlugin({
  name: 'edge.greeter',
  feature: 'edge.greeter',
  version: '2.1.0',
  routes: [hello],
  setup(ctx) {
    ctx.route(hello, () => json(200, { text }))
  },
})
`
