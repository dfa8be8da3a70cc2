/** The feature matrix: every feature the project has, declared once. */
import { defineMatrix, type Feature } from '../core/feature.ts'
import { contract as cli } from '../plugins/cli/contract.ts'
import { contract as probes } from '../plugins/probes/contract.ts'
import { contract as transport } from '../plugins/transport/fetch/contract.ts'
import { contract as nodeHttp } from '../plugins/transport/node-http/contract.ts'

/** All features by id. */
export const matrix: Readonly<Record<string, Feature>> = defineMatrix({
  probes: {
    summary: 'Liveness and readiness probes',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    plugin: 'plugins/probes/plugin.ts',
    contract: probes,
  },
  'transport.fetch': {
    summary: 'The runtime surface as a fetch handler, in process',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    plugin: 'plugins/transport/fetch/plugin.ts',
    exports: { createRuntime: 'plugins/transport/fetch/create-runtime.ts' },
    contract: transport,
  },
  cli: {
    summary: 'The program: command line, configuration file, signals',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    main: 'plugins/cli/main.ts',
    owns: ['plugins/cli'],
    contract: cli,
  },
  'transport.node-http': {
    summary: 'The runtime surface over HTTP/1.1, by node:http',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    plugin: 'plugins/transport/node-http/plugin.ts',
    contract: nodeHttp,
  },
})
