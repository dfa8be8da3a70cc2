/** The feature matrix: every feature the project has, declared once. */
import { defineMatrix, type Feature } from '../core/feature.ts'
import { contract as exchange } from '../plugins/auth/exchange/contract.ts'
import { contract as guard } from '../plugins/auth/guard/contract.ts'
import { contract as jwks } from '../plugins/auth/jwks/contract.ts'
import { contract as jwt } from '../plugins/auth/jwt/contract.ts'
import { contract as apiKeys } from '../plugins/auth/keys/contract.ts'
import { contract as cli } from '../plugins/cli/contract.ts'
import { contract as openapi } from '../plugins/openapi/contract.ts'
import { contract as probes } from '../plugins/probes/contract.ts'
import { contract as bridge } from '../plugins/realtime/bridge/contract.ts'
import { contract as live } from '../plugins/realtime/live/contract.ts'
import { contract as runs } from '../plugins/realtime/runs/contract.ts'
import { contract as streams } from '../plugins/realtime/stream/contract.ts'
import { contract as storeSqljs } from '../plugins/sync/embedded/contract.ts'
import { contract as syncEngine } from '../plugins/sync/engine/contract.ts'
import { contract as syncApi } from '../plugins/sync/local-api/contract.ts'
import { contract as storeSqlite } from '../plugins/sync/store-sqlite/contract.ts'
import { contract as logs } from '../plugins/telemetry/logs/contract.ts'
import { contract as metrics } from '../plugins/telemetry/metrics/contract.ts'
import { contract as traces } from '../plugins/telemetry/traces/contract.ts'
import { contract as transport } from '../plugins/transport/fetch/contract.ts'
import { contract as nodeHttp } from '../plugins/transport/node-http/contract.ts'
import { contract as unix } from '../plugins/transport/unix/contract.ts'
import { contract as uws } from '../plugins/transport/uws/contract.ts'

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
  'auth.guard': {
    summary: 'Authenticates every request before it is routed; denies by default',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    plugin: {
      web: 'plugins/auth/guard/plugin-web.ts',
      node: 'plugins/auth/guard/plugin-node.ts',
    },
    packages: { web: [], node: ['jose'] },
    contract: guard,
  },
  'auth.jwt': {
    summary: 'Bearer tokens signed with a shared secret (HS256), and the command that makes them',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.guard'],
    platform: 'web',
    plugin: 'plugins/auth/jwt/plugin.ts',
    commands: 'plugins/auth/jwt/commands.ts',
    contract: jwt,
  },
  'auth.jwks': {
    summary: 'Bearer tokens of an identity provider (RS256), verified with the keys that it publishes',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.jwt'],
    platform: 'web',
    plugin: 'plugins/auth/jwks/plugin.ts',
    contract: jwks,
  },
  'auth.api-keys': {
    summary: 'API keys: created, listed and revoked by their owners, kept as Argon2id hashes',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.guard'],
    platform: 'web',
    plugin: {
      'in-place': 'plugins/auth/keys/plugin-web.ts',
      threads: 'plugins/auth/keys/plugin-node.ts',
    },
    packages: ['hash-wasm'],
    contract: apiKeys,
  },
  'auth.exchange': {
    summary: 'Short-lived bearer tokens in exchange for an API key',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.jwt', 'auth.api-keys'],
    platform: 'web',
    plugin: 'plugins/auth/exchange/plugin.ts',
    contract: exchange,
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
  'transport.uws': {
    summary: 'The runtime surface over HTTP/1.1, by uWebSockets.js where its addon loads',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.node-http'],
    platform: 'node',
    plugin: 'plugins/transport/uws/plugin.ts',
    externals: ['uWebSockets.js'],
    binaries: {
      'uws.node': {
        files: {
          'linux-x64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_x64_{abi}.node',
          'linux-arm64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_arm64_{abi}.node',
        },
        otherwise: 'node:http serves the runtime surface',
      },
    },
    contract: uws,
  },
  'telemetry.metrics': {
    summary: 'Metrics in the Prometheus text format, and the capability that records them',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    plugin: 'plugins/telemetry/metrics/plugin.ts',
    packages: ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'],
    contract: metrics,
  },
  'telemetry.logs': {
    summary: 'Structured log in three formats, filtered by RUST_LOG, with a line for every request',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    plugin: {
      pino: 'plugins/telemetry/logs/plugin-pino.ts',
      lite: 'plugins/telemetry/logs/plugin-lite.ts',
      console: 'plugins/telemetry/logs/plugin-console.ts',
    },
    packages: {
      pino: [
        'pino',
        '@pinojs/redact',
        'atomic-sleep',
        'on-exit-leak-free',
        'pino-std-serializers',
        'quick-format-unescaped',
        'safe-stable-stringify',
        'sonic-boom',
        'thread-stream',
      ],
      lite: [],
      console: [],
    },
    contract: logs,
  },
  'telemetry.traces': {
    summary: 'W3C trace context, and spans exported by OTLP where a collector is configured',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    plugin: 'plugins/telemetry/traces/plugin.ts',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/api-logs',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/otlp-exporter-base',
      '@opentelemetry/otlp-transformer',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/semantic-conventions',
    ],
    contract: traces,
  },
  'sync.engine': {
    summary: 'Signed pushes: strict admission, one signature rule, receipts and their states',
    stability: 'stable',
    since: '0.1.0',
    platform: 'bare',
    owns: ['plugins/sync/engine', 'plugins/sync/store', 'plugins/sync/schemas.ts'],
    packages: ['canonicalize', '@noble/ed25519'],
    contract: syncEngine,
  },
  'sync.store-sqljs': {
    summary: 'The engine as a library, its receipts in bytes that the host keeps',
    stability: 'stable',
    since: '0.1.0',
    requires: ['sync.engine'],
    platform: 'bare',
    exports: { createEmbedded: 'plugins/sync/embedded/create-embedded.ts' },
    owns: ['plugins/sync/embedded', 'plugins/sync/store-sqljs', 'plugins/sync/crypto/portable.ts'],
    packages: ['sql.js', 'hash-wasm'],
    assets: { 'sql-wasm.wasm': 'node_modules/sql.js/dist/sql-wasm-browser.wasm' },
    contract: storeSqljs,
  },
  'sync.store-sqlite': {
    summary: 'Receipts in a SQLite file, on disk before they are acknowledged',
    stability: 'stable',
    since: '0.1.0',
    requires: ['sync.engine'],
    platform: 'node',
    plugin: 'plugins/sync/store-sqlite/plugin.ts',
    contract: storeSqlite,
  },
  'sync.api': {
    summary: 'The local sync API, and the commands svc device and svc push',
    stability: 'stable',
    since: '0.1.0',
    requires: ['sync.engine', 'sync.store-sqlite', 'transport.unix', 'realtime.streams'],
    platform: 'node',
    plugin: 'plugins/sync/local-api/plugin.ts',
    commands: 'plugins/sync/commands/commands.ts',
    owns: ['plugins/sync/local-api', 'plugins/sync/commands', 'plugins/sync/crypto/native.ts'],
    contract: syncApi,
  },
  openapi: {
    summary: 'The OpenAPI 3.1 contract, served and printed',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.unix'],
    platform: 'node',
    plugin: 'plugins/openapi/plugin.ts',
    commands: 'plugins/openapi/commands.ts',
    owns: ['plugins/openapi', 'openapi.json'],
    contract: openapi,
  },
  'transport.unix': {
    summary: 'The local surface on a Unix socket for the same user, and on loopback TCP with a token',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.node-http'],
    platform: 'node',
    plugin: 'plugins/transport/unix/plugin.ts',
    externals: ['koffi'],
    binaries: {
      'koffi.node': {
        files: {
          'linux-x64': 'node_modules/@koromix/koffi-linux-x64/linux_x64/koffi.node',
          'linux-arm64': 'node_modules/@koromix/koffi-linux-arm64/linux_arm64/koffi.node',
          'darwin-x64': 'node_modules/@koromix/koffi-darwin-x64/darwin_x64/koffi.node',
          'darwin-arm64': 'node_modules/@koromix/koffi-darwin-arm64/darwin_arm64/koffi.node',
        },
        otherwise: 'the sync API does not start, because it could not tell who connects',
      },
    },
    contract: unix,
  },
  'realtime.streams': {
    summary: 'What all event streams share: limits, heartbeats, ages, the end with a credential',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    plugin: 'plugins/realtime/stream/plugin.ts',
    contract: streams,
  },
  'realtime.live': {
    summary: 'Entity-change streams by topic, and publishing to them',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.streams'],
    platform: 'web',
    plugin: 'plugins/realtime/live/plugin.ts',
    contract: live,
  },
  'realtime.runs': {
    summary: 'Runs of agents: AG-UI events, retained and streamed from any point',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.streams'],
    platform: 'web',
    plugin: 'plugins/realtime/runs/plugin.ts',
    contract: runs,
  },
  'realtime.bridge': {
    summary: 'A snapshot and every change after it, for an embedded store',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.live'],
    platform: 'web',
    plugin: 'plugins/realtime/bridge/plugin.ts',
    contract: bridge,
  },
})
