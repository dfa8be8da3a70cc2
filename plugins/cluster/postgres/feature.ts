/** API keys of several nodes in one PostgreSQL. */

import { createHash } from 'node:crypto'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { gauge } from '../../../core/declare/metric.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { ExchangeSecret, ExchangeSecrets } from '../../auth/api.ts'
import type {} from '../../auth/capabilities.ts'
import type { Readiness } from '../../probes/api.ts'
import type {} from '../../probes/capabilities.ts'
import { engineUp } from '../engine-metric.ts'
import { verifiesNobody } from './access.ts'
import { contract } from './contract.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { kindOf } from './errors.ts'
import { Follower } from './follower.ts'
import { SharedKeyStore } from './key-store.ts'
import { SCHEMA_VERSION, type SchemaState } from './migrations.ts'
import { postgresSettings, refusePostgresSettings } from './settings.ts'
import { SharedRevocations } from './shared-revocations.ts'
import { CHANNEL } from './statements.ts'

type ExchangeSettings = Readonly<
  Record<'security.exchange_secret' | 'security.exchange_secret_previous', Secret | null>
>

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'cluster.postgres': true
  }
}

/** Feature `cluster.postgres`. */
export const feature: FeatureValue<'cluster.postgres', never, 'KeyStore' | 'ExchangeSecrets' | 'RevocationStore'> =
  defineFeature({
    id: 'cluster.postgres',
    about: described({
      at: import.meta.url,
      summary:
        'API keys and revocations of several nodes in one PostgreSQL, and exchange tokens that count on all of them',
      stability: 'experimental',
      since: '0.1.0',
      requires: ['auth.api-keys', 'auth.exchange', 'probes'],
      platform: 'node',
      commands: () => import('./commands.ts'),
      packages: ['postgres'],
      contract,
    }),
    needs: { Readiness: 'required' },
    provides: ['KeyStore', 'ExchangeSecrets', 'RevocationStore'],
    settings: postgresSettings,
    metrics: {
      engineUp,
      keyAge: gauge('svc_cluster_key_age_seconds', {
        unit: 'seconds',
        help: 'Age of the last answer of PostgreSQL about API keys, at the last attempt to get a new one.',
      }),
    },
    checkSettings: (settings) =>
      refusePostgresSettings(
        settings['cluster.postgres_url'],
        settings['security.exchange_secret'],
        settings['security.exchange_secret_previous'],
      ),
    setup({ settings, metrics, clock, log, ...ctx }) {
      const { 'cluster.postgres_url': address, 'security.exchange_secret': secret } = settings
      // `checkSettings` refuses a build without them.
      if (address === null || secret === null)
        throw new Error('cluster.postgres_url or security.exchange_secret is not set')
      const url = address.reveal()
      if (verifiesNobody(url))
        log.warn(
          'The server of PostgreSQL is not verified. With sslmode=allow or prefer the connection may be unencrypted, too.',
          {
            hint: 'Use sslmode=verify-full, with sslrootcert if the authority is your own.',
          },
        )
      const database: Database = new Database({
        url,
        connections: settings['cluster.postgres_connections'],
        timeoutMs: settings['cluster.postgres_timeout_ms'],
        channel: CHANNEL,
        onNotify: () => follower.look(),
        onBroken: () => follower.doubt(),
        after: timersOf(clock),
      })
      const store: SharedKeyStore = new SharedKeyStore({
        database,
        clock,
        maxRecords: settings['cluster.key_records'],
        maxReads: settings['cluster.key_reads'],
        offlineMs: settings['security.key_offline_seconds'] * 1_000,
        alsoRead: () => revocations.read(),
        onLost: () => follower.look(),
        onUsesRefused: (error) =>
          log.warn('PostgreSQL does not store when API keys were last used. It is tried again; keys work.', { error }),
      })
      const revocations: SharedRevocations = new SharedRevocations(database, store)
      const readiness = ctx.get('Readiness')
      const follower: Follower = new Follower({
        database,
        store,
        clock,
        onLook: () => {
          // Before the first answer there is no age.
          if (store.ageMs < Infinity) metrics.keyAge.set({}, store.ageMs / 1_000)
        },
        mayMigrate: settings['cluster.migrate'],
        onMigration: ({ version }) => reportMigration(log, version),
        onSchema: reportSchema(log, readiness),
        onHere: () => {
          metrics.engineUp.set({ engine: 'postgres' }, 1)
          readiness.changed()
          log.info('PostgreSQL is connected.')
        },
        onAway: (error) => {
          metrics.engineUp.set({ engine: 'postgres' }, 0)
          readiness.changed()
          const state = kindOf(error) === 'away' ? 'is away' : 'answers, but cannot be used'
          log.warn(
            `PostgreSQL ${state}: API keys that were used lately and tokens count for a while, others are refused.`,
            { error },
          )
        },
      })
      ctx.provide('KeyStore', store)
      ctx.provide('RevocationStore', revocations)
      ctx.provide('ExchangeSecrets', exchangeSecrets(settings, ctx.onReload))
      readiness.add({
        name: 'postgres',
        required: true,
        run: () => {
          const { problem } = follower
          if (problem !== undefined) throw new Error(problem)
        },
      })
      // The start waits for the first attempt, so that a node is ready when it listens. An engine that is away delays
      // it by one timeout, and a long migration delays it by 5 s.
      ctx.onStart(() => follower.start())
      ctx.onStop(() => follower.stop())
    },
  })

/** Timers, each with the function that cancels it. */
function timersOf({ setTimeout, clearTimeout }: Clock): DatabaseOptions['after'] {
  return (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
}

/** The secrets of the settings, and of those that a reload brings. */
function exchangeSecrets(
  settings: ExchangeSettings,
  onReload: (run: (settings: ExchangeSettings) => void) => void,
): ExchangeSecrets {
  const listeners: (() => void)[] = []
  let current = toExchangeSecrets(settings)
  onReload((reloaded) => {
    current = toExchangeSecrets(reloaded)
    for (const run of listeners) run()
  })
  return { current: () => current, onChange: (run) => void listeners.push(run) }
}

function toExchangeSecrets(settings: ExchangeSettings): ReturnType<ExchangeSecrets['current']> {
  const { 'security.exchange_secret': secret, 'security.exchange_secret_previous': previous } = settings
  // `checkSettings` refuses settings without a secret.
  if (secret === null) throw new Error('security.exchange_secret is not set')
  return previous === null ? [toExchangeSecret(secret)] : [toExchangeSecret(secret), toExchangeSecret(previous)]
}

/** Adds the row of the schema to `/readyz`; gives what has to be called with each schema. */
function reportSchema(log: Logger, readiness: Readiness): (schema: SchemaState) => void {
  /** The version of the schema if it is later than that of this program. */
  let later: number | undefined
  readiness.add({
    name: 'postgres_schema',
    required: false,
    run: () => {
      if (later !== undefined)
        throw new Error(`The schema has version ${later}, and this program knows ${SCHEMA_VERSION}.`)
    },
  })
  return ({ version }) => {
    const laterVersion = version > SCHEMA_VERSION ? version : undefined
    if (laterVersion !== undefined && laterVersion !== later)
      log.warn('The schema of PostgreSQL is of a later version. This node serves what it knows of it.', {
        schema: laterVersion,
        program: SCHEMA_VERSION,
      })
    later = laterVersion
  }
}

function reportMigration(log: Logger, from: number): void {
  const message =
    'The schema of PostgreSQL is being migrated, by this node or another. Until it is done, this node is not ready.'
  log.info(message, { from, to: SCHEMA_VERSION })
}

/** The key id is the same on every node and reveals nothing about the secret. */
function toExchangeSecret(secret: Secret): ExchangeSecret {
  const bytes = new TextEncoder().encode(secret.reveal())
  const name = createHash('sha256').update('svc exchange key id\n').update(bytes).digest('base64url').slice(0, 8)
  return { kid: `svc-x1-${name}`, bytes }
}
