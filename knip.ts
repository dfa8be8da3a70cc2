/** Dead code: what no test, script, library entry or row of the feature matrix leads to. */
import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'plugins/**/feature.ts',
    'core/plugin-api.ts',
    'plugins/client/index.ts',
    'plugins/client/ag-ui/index.ts',
    'plugins/client/react/index.ts',
    'plugins/protocol/sign/index.ts',
    'plugins/auth/token/dev-token.ts',
    'plugins/transport/to-node-handler.ts',
    'profiles/*.ts',
    // Run by the Makefile.
    'scripts/{*,*/cli}.ts',
    'test/{run,reach/cli,runner/keep-times,conformance/one,conformance/table,soak/cli,simulation/cli}.ts',
    'test/**/*.test.ts',
    // Loaded or started by path.
    'scripts/bench/*/bench.ts',
    'scripts/bench/{harness,realtime,agents}/server.ts',
    'scripts/bench/peer/node.ts',
    'scripts/bench/runs/memory-alone.ts',
    'plugins/kbd/cli/board-command.ts',
    'plugins/console/page/main.tsx',
    'scripts/toolkit/configure/page/main.tsx',
    'test/conformance/profiles/*.ts',
    'test/reach/suite/*.ts',
    'test/support/{old-stores/make,old-nodes/make,page-commands/make-run}.ts',
    'test/runner/{prelude,limited-uvu,limited-fast-check}.ts',
    'test/**/*-child.ts',
    'scripts/**/*-child.ts',
  ],
  project: ['{core,plugins,profiles,scripts,test}/**/*.{ts,tsx}'],
  // A type that an exported signature names is exported with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Tools of the Makefile and the quality tests, which run them by path; express is imported by a page of docs, which a
  // test runs; source-map is copied to a plugin that a test builds.
  ignoreDependencies: ['express', 'source-map', '@arethetypeswrong/cli', '@biomejs/biome', 'c8', 'typescript-native'],
  // Tools of the system. Where one is missing, what needs it says so.
  ignoreBinaries: [
    'cc',
    'javac',
    'make',
    'mount',
    'nsenter',
    'openssl',
    'pgbouncer',
    'script',
    'umount',
    'ssh-keygen',
    'strip',
    'promtool',
    'systemd-analyze',
    'systemd-socket-activate',
    'unshare',
    'ldd',
    'nginx',
    'taskset',
  ],
}

export default config
