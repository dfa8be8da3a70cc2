/** The feature matrix: every feature of the project. Each feature is declared in its own folder. */
import { type RowOfValue, rowOf } from '../core/declare/feature.ts'
import type { FeatureId } from '../core/feature.ts'
import { feature as adminRunning } from '../plugins/admin/running/feature.ts'
import { feature as apiKeys } from '../plugins/auth/api-keys/feature.ts'
import { feature as exchange } from '../plugins/auth/exchange/feature.ts'
import { feature as guard } from '../plugins/auth/guard/feature.ts'
import { feature as jwks } from '../plugins/auth/jwks/feature.ts'
import { feature as jwt } from '../plugins/auth/jwt/feature.ts'
import { feature as keysSqlite } from '../plugins/auth/keys-sqlite/feature.ts'
import { feature as revocations } from '../plugins/auth/revocations/feature.ts'
import { feature as usersAdmin } from '../plugins/auth/users-admin/feature.ts'
import { feature as cli } from '../plugins/cli/feature.ts'
import { feature as clusterNats } from '../plugins/cluster/nats/feature.ts'
import { feature as clusterPostgres } from '../plugins/cluster/postgres/feature.ts'
import { feature as consolePage } from '../plugins/console/feature.ts'
import { feature as kbdAgentUi } from '../plugins/kbd/agent-ui/feature.ts'
import { feature as kbdApi } from '../plugins/kbd/api/feature.ts'
import { feature as kbdAudit } from '../plugins/kbd/audit/feature.ts'
import { feature as kbdCli } from '../plugins/kbd/cli/feature.ts'
import { feature as kbdEngine } from '../plugins/kbd/engine/feature.ts'
import { feature as kbdMcp } from '../plugins/kbd/mcp/feature.ts'
import { feature as kbdRemote } from '../plugins/kbd/remote/feature.ts'
import { feature as kbdSearch } from '../plugins/kbd/search/feature.ts'
import { feature as openapi } from '../plugins/openapi/feature.ts'
import { feature as peerCore } from '../plugins/peer/core/feature.ts'
import { feature as peerRegistry } from '../plugins/peer/registry/feature.ts'
import { feature as peerTls } from '../plugins/peer/tls/feature.ts'
import { feature as probes } from '../plugins/probes/feature.ts'
import { feature as agents } from '../plugins/realtime/agents/feature.ts'
import { feature as bridge } from '../plugins/realtime/bridge/feature.ts'
import { feature as live } from '../plugins/realtime/live/feature.ts'
import { feature as runs } from '../plugins/realtime/runs/feature.ts'
import { feature as runsAdmin } from '../plugins/realtime/runs-admin/feature.ts'
import { feature as runsSqlite } from '../plugins/realtime/runs-sqlite/feature.ts'
import { feature as streams } from '../plugins/realtime/streams/feature.ts'
import { feature as syncApi } from '../plugins/sync/api/feature.ts'
import { feature as syncEngine } from '../plugins/sync/engine/feature.ts'
import { feature as syncRemote } from '../plugins/sync/remote/feature.ts'
import { feature as storeHost } from '../plugins/sync/store-host/feature.ts'
import { feature as storeSqlite } from '../plugins/sync/store-sqlite/feature.ts'
import { feature as storeSqljs } from '../plugins/sync/store-sqljs/feature.ts'
import { feature as history } from '../plugins/telemetry/history/feature.ts'
import { feature as logs } from '../plugins/telemetry/logs/feature.ts'
import { feature as metrics } from '../plugins/telemetry/metrics/feature.ts'
import { feature as traces } from '../plugins/telemetry/traces/feature.ts'
import { feature as transportClient } from '../plugins/transport/client/feature.ts'
import { feature as transport } from '../plugins/transport/fetch/feature.ts'
import { feature as nodeHttp } from '../plugins/transport/node-http/feature.ts'
import { feature as tls } from '../plugins/transport/tls/feature.ts'
import { feature as unix } from '../plugins/transport/unix/feature.ts'
import { feature as uws } from '../plugins/transport/uws/feature.ts'

/** Features that were renamed, by their former id. */
export const renamed: Readonly<Record<string, FeatureId>> = { 'sync.boards': 'kbd.cli', 'sync.peers': 'peer.registry' }

/**
 * All features by id, in the order of the registry. The order decides which code is adjacent in a bundle, and so
 * affects its gzip size.
 */
export const matrix: { readonly [Id in FeatureId]: RowOfValue<Id> } = {
  'admin.running': rowOf(adminRunning),
  'auth.api-keys': rowOf(apiKeys),
  'auth.exchange': rowOf(exchange),
  'auth.guard': rowOf(guard),
  'auth.jwks': rowOf(jwks),
  'auth.jwt': rowOf(jwt),
  'auth.keys-sqlite': rowOf(keysSqlite),
  'auth.revocations': rowOf(revocations),
  'auth.users-admin': rowOf(usersAdmin),
  probes: rowOf(probes),
  'realtime.agents': rowOf(agents),
  'realtime.bridge': rowOf(bridge),
  'realtime.live': rowOf(live),
  'realtime.runs': rowOf(runs),
  'realtime.runs-admin': rowOf(runsAdmin),
  'realtime.runs-sqlite': rowOf(runsSqlite),
  'realtime.streams': rowOf(streams),
  'telemetry.history': rowOf(history),
  'telemetry.logs': rowOf(logs),
  'telemetry.metrics': rowOf(metrics),
  'telemetry.traces': rowOf(traces),
  'transport.fetch': rowOf(transport),
  'cluster.nats': rowOf(clusterNats),
  'cluster.postgres': rowOf(clusterPostgres),
  cli: rowOf(cli),
  console: rowOf(consolePage),
  openapi: rowOf(openapi),
  'kbd.agent-ui': rowOf(kbdAgentUi),
  'kbd.api': rowOf(kbdApi),
  'kbd.audit': rowOf(kbdAudit),
  'kbd.cli': rowOf(kbdCli),
  'kbd.engine': rowOf(kbdEngine),
  'kbd.mcp': rowOf(kbdMcp),
  'kbd.remote': rowOf(kbdRemote),
  'kbd.search': rowOf(kbdSearch),
  'peer.core': rowOf(peerCore),
  'peer.registry': rowOf(peerRegistry),
  'peer.tls': rowOf(peerTls),
  'sync.api': rowOf(syncApi),
  'sync.engine': rowOf(syncEngine),
  'sync.remote': rowOf(syncRemote),
  'sync.store-host': rowOf(storeHost),
  'sync.store-sqlite': rowOf(storeSqlite),
  'sync.store-sqljs': rowOf(storeSqljs),
  'transport.client': rowOf(transportClient),
  'transport.node-http': rowOf(nodeHttp),
  'transport.tls': rowOf(tls),
  'transport.unix': rowOf(unix),
  'transport.uws': rowOf(uws),
}
