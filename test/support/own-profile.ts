/** Creates a user-defined profile in a folder outside of the project. */
import { join } from 'node:path'
import { folderWith } from './folder.ts'

/** How the folder differs from the standard one. */
export interface OwnProfileOptions {
  readonly name: string
  /** The module of the feature `edge.quote`, in place of the standard one. */
  readonly feature?: string
  /** More members of `about` of the standard `edge.quote`. */
  readonly about?: string
  /** The same of `edge.greeter`. */
  readonly greeterAbout?: string
  /** More members of the profile, as source text. */
  readonly rest?: string
  readonly files?: Readonly<Record<string, string>>
  /** Changes the text of the profile itself. */
  readonly change?: (text: string) => string
}

/** Creates the folder and returns the path of the profile's file. */
export function ownProfile(options: OwnProfileOptions): string {
  const { name, about = '', feature = quoteFile(about), greeterAbout = '', rest = '', files = {} } = options
  const { change = (text: string) => text } = options
  const folder = folderWith({
    'edge.ts': change(profileFile(name, rest)),
    'quote/feature.ts': feature,
    'quote/contract.ts': contractFile,
    'node_modules/edge-greeter/package.json': JSON.stringify({
      name: 'edge-greeter',
      version: '2.1.0',
      main: 'index.js',
      type: 'module',
    }),
    'node_modules/edge-greeter/index.js': greeterFile(greeterAbout),
    'node_modules/edge-greeter/lib/text.js': "export const text = 'good day'\n",
    ...files,
  })
  return join(folder, 'edge.ts')
}

const profileFile = (name: string, rest: string): string => `export const profile = {
  name: '${name}',
  summary: 'A profile of somebody else',
  extends: 'minimal',
  library: { features: { 'edge.quote': true, 'edge.greeter': true, 'telemetry.logs': false } },
  main: { features: { 'telemetry.logs': false } },
  own: { 'edge.quote': './quote/feature.ts', 'edge.greeter': 'edge-greeter' },
  ${rest}
}
`

const quoteFile = (about: string): string => `import { defineFeature, described, integer, json } from 'svc/plugin'
import { contract } from './contract.ts'

export const feature = defineFeature({
  id: 'edge.quote',
  version: '1.4.0',
  about: described({ summary: 'A quote', stability: 'experimental', since: '1.0.0', platform: 'web', contract, ${about} }),
  settings: { 'edge.answer': integer({ default: 42, max: 99, summary: 'The answer.' }) },
  setup: ({ settings }) => ({ answer: settings['edge.answer'] }),
  routes: (route) => [
    route('GET /edge/quote', {
      about: described({ id: 'quote', summary: 'A quote.', answers: { 200: { description: 'The quote.', schema: { type: 'object' } } } }),
      auth: 'handler',
      handler: (_call, { answer }) => json(200, { answer }),
    }),
  ],
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

const greeterFile = (about: string): string => `import { defineFeature, described, json } from 'svc/plugin'
import { text } from './lib/text.js'

export const feature = defineFeature({
  id: 'edge.greeter',
  version: '2.1.0',
  about: described({
    summary: 'A greeting', stability: 'stable', since: '1.0.0', platform: 'web', contract: { present: [], absent: [] }, ${about}
  }),
  routes: (route) => [
    route('GET /edge/hello', {
      about: described({ id: 'hello', summary: 'A greeting.', answers: { 200: { description: 'The greeting.', schema: { type: 'object' } } } }),
      auth: 'handler',
      handler: () => json(200, { text }),
    }),
  ],
})
`
