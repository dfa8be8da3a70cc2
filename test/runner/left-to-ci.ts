/** Slow test files that `make test` skips, because faster files test the same subject. CI runs them for each change: `make test ALL=1`. */

/** The files of one subject. Paths are without `.test.ts`. */
export interface LeftToCi {
  readonly files: readonly string[]
  /** Test files of the same subject that `make test` runs. A path that ends with `/` is a folder. */
  readonly instead: readonly string[]
}

/** Every subject with slow files. */
export const leftToCi: readonly LeftToCi[] = [
  // Each builds and proves several profiles outside of this folder, from the packages.
  {
    files: ['golden', 'managers', 'toolkit', 'transcript', 'trust'].map((name) => `test/toolkit/${name}`),
    instead: ['test/toolkit/report', 'test/unit/toolkit/', 'test/unit/build/'],
  },
  // Builds of every set of features, in two folders, with damaged packages and with hostile plugins. The build at the start of the
  // tests proves our own profiles.
  {
    files: ['our-profiles', 'own-profiles', 'packages', 'reproducible'].map((name) => `test/proof/${name}`),
    instead: ['test/proof/read-module', 'test/proof/shape', 'test/unit/build/'],
  },
  // Profiles outside of the project, with parts of the store of their own.
  {
    files: ['test/e2e/own-profile', 'test/e2e/store-part', 'test/e2e/sync/pocket-board'],
    instead: ['test/e2e/sync/embedded', 'test/unit/build/'],
  },
  // Profiles that share most features with server-full. test/e2e/cluster runs the features that only server-cluster has.
  {
    files: ['minimal', 'server-cluster'].map((name) => `test/conformance/${name}`),
    instead: ['test/conformance/server-full', 'test/conformance/embedded-mobile', 'test/e2e/cluster/keys'],
  },
  { files: ['test/simulation/simulation'], instead: ['test/simulation/relay', 'test/fuzz/'] },
  // Pages whose commands build profiles, start many services, or need a browser.
  {
    files: ['boards', 'commands', 'hosts', 'plugins', 'profiles', 'tour'].map((name) => `test/docs/${name}`),
    instead: ['test/docs/backup', 'test/docs/realtime-page', 'test/docs/api'],
  },
  // Load beside other callers, for minutes.
  {
    files: ['auth', 'json-bodies', 'kbd', 'peer', 'realtime-runs', 'rig', 'transport-readers'].map(
      (name) => `test/hostile/${name}`,
    ),
    instead: ['test/hostile/sync-store', 'test/hostile/board-writers', 'test/hostile/mcp'],
  },
  // Servers of NATS and PostgreSQL that are killed, cut off, slowed down, restored and upgraded.
  {
    files: [
      'append-health',
      'backup',
      'chaos',
      'cut',
      'faults',
      'key-nodes',
      'leader-again',
      'live',
      'make-cluster',
      'pgbouncer',
      'realtime-nodes',
      'replicas',
      'rolling',
      'runs',
      'upgrade',
    ].map((name) => `test/e2e/cluster/${name}`),
    instead: ['access', 'appends', 'jetstream', 'keys', 'retention', 'roles', 'start'].map(
      (name) => `test/e2e/cluster/${name}`,
    ),
  },
  // Long stories in a browser, and pictures.
  {
    files: ['access', 'audit', 'board-actions', 'boards', 'credential', 'pictures', 'pushes', 'streams'].map(
      (name) => `test/e2e/console/${name}`,
    ),
    instead: [...['entry', 'own', 'passing-on'].map((name) => `test/e2e/console/${name}`), 'test/unit/console/'],
  },
  // Boards for agents and on terminals.
  {
    files: ['agents', 'edit', 'mcp', 'story', 'terminals'].map((name) => `test/e2e/kbd/${name}`),
    instead: ['test/e2e/kbd/api', 'test/e2e/kbd/live-topic', 'test/unit/kbd/'],
  },
  // Every transport, and tabs of a browser.
  {
    files: ['test/e2e/realtime/browser', 'test/e2e/realtime/transports'],
    instead: ['test/e2e/realtime/calls', 'test/unit/realtime/'],
  },
  // Stores in unusual places, of old programs and after power cuts; kills of nodes.
  {
    files: [
      'test/e2e/auth/durable-keys',
      'test/e2e/peer/commands',
      'test/e2e/peer/kill',
      'test/e2e/power-cut',
      'test/e2e/sync/storage-dir',
      'test/e2e/sync/store-command',
      'test/e2e/sync/upgrades',
    ],
    instead: [
      'test/e2e/peer/chaos',
      'test/e2e/sync/crash',
      'test/unit/auth/keys-sqlite',
      'test/unit/sync/store-versions',
    ],
  },
  { files: ['test/e2e/telemetry/example'], instead: ['test/e2e/telemetry/prometheus'] },
  // `make run`, and every command of the program.
  { files: ['test/e2e/cli/commands', 'test/e2e/make-run'], instead: ['test/e2e/cli', 'test/e2e/executable'] },
  // Other runtimes, and what package managers make of the packages.
  {
    files: ['test/e2e/package', 'test/reach/reach', 'test/reach/types'],
    instead: ['test/unit/package/', 'test/e2e/library-files'],
  },
  {
    files: ['test/e2e/transport/pipelined-streams'],
    instead: ['test/e2e/transport/node-http', 'test/e2e/transport/uws'],
  },
  { files: ['test/quality/matrix'], instead: ['test/docs/lists'] },
]

/** Whether `make test` skips a test file. */
export function isLeftToCi(file: string): boolean {
  return leftToCi.some(({ files }) => files.includes(file.replace(/\.test\.ts$/, '')))
}
