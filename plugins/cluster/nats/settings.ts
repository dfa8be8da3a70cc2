import { documented } from '../../../core/declare/described.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import { integer, type Setting, secret, text } from '../../../core/declare/settings.ts'
import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'
import { type NatsFiles, refuseNatsFiles } from './access.ts'
import { addressProblem, readAddress } from './address.ts'

const file = (summary: string | undefined): Setting<string | null> =>
  text({ default: null, summary, expected: 'the path of a file' })

/** The settings of the feature. */
export const natsSettings: {
  readonly 'cluster.nats_url': Setting<Secret | null>
  readonly 'cluster.nats_ca_file': Setting<string | null>
  readonly 'cluster.nats_cert_file': Setting<string | null>
  readonly 'cluster.nats_key_file': Setting<string | null>
  readonly 'cluster.nats_creds_file': Setting<string | null>
  readonly 'cluster.nats_nkey_file': Setting<string | null>
  readonly 'cluster.replicas': Setting<number>
} = {
  'cluster.replicas': integer({
    default: 1,
    min: 1,
    max: 5,
    summary: documented('Servers of NATS that each keep the runs; more than one needs a NATS of several servers.'),
  }),
  'cluster.nats_url': secret({
    summary: documented(
      'Where NATS is: nats://user:password@host:4222, several servers of one cluster separated by commas; tls:// for TLS.',
    ),
  }),
  'cluster.nats_ca_file': file(
    documented(
      'PEM file with the authorities that may certify NATS, instead of those that Node.js trusts; needs tls://.',
    ),
  ),
  'cluster.nats_cert_file': file(
    documented('PEM file with the client certificate that NATS asks for; needs cluster.nats_key_file and tls://.'),
  ),
  'cluster.nats_key_file': file(documented('PEM file with the private key of cluster.nats_cert_file.')),
  'cluster.nats_creds_file': file(
    documented('File with the JWT and the seed of the NATS user (.creds); read at each connection.'),
  ),
  'cluster.nats_nkey_file': file(
    documented('File with the seed of the nkey of the NATS user; read at each connection.'),
  ),
}

/** Largest message of a node with its headers; the server must accept it. Bytes. */
export const MIN_PAYLOAD = 851_968

/** Largest event of an entity stream and largest batch of events of a run that fit into it. Bytes. */
export const MAX_BATCH_BYTES = 786_432

type NatsValues = {
  readonly [K in keyof typeof natsSettings]: (typeof natsSettings)[K] extends Setting<infer T> ? T : never
}

/** Validates the settings together; `maxEventBytes` is the largest event of the entity streams. */
export function refuseNatsSettings(settings: NatsValues, maxEventBytes: unknown): readonly SettingRefusal[] {
  const refusals: SettingRefusal[] = []
  const url = settings['cluster.nats_url']
  const message = url === null ? 'not set' : addressProblem(url.reveal())
  if (message !== undefined) {
    const hint =
      'Set {cluster.nats_url} to nats://host:4222 or tls://name:4222: one scheme and one user for all addresses.'
    refusals.push({ key: 'cluster.nats_url', message, hint })
  }
  const address = url === null ? undefined : readAddress(url.reveal())
  refusals.push(...refuseNatsFiles(filesOf(settings), address))
  if (typeof maxEventBytes === 'number' && maxEventBytes > MAX_BATCH_BYTES) {
    const message = `more than the ${MAX_BATCH_BYTES} bytes that nodes send each other in one message`
    refusals.push({ key: 'realtime.max_event_bytes', message, hint: `Set it to ${MAX_BATCH_BYTES} or less.` })
  }
  return refusals
}

/** The paths of the files with which a node signs in to NATS. */
export function filesOf(settings: NatsValues): NatsFiles {
  return {
    ca: settings['cluster.nats_ca_file'],
    cert: settings['cluster.nats_cert_file'],
    key: settings['cluster.nats_key_file'],
    creds: settings['cluster.nats_creds_file'],
    nkey: settings['cluster.nats_nkey_file'],
  }
}
